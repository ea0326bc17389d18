#!/bin/sh
# symbols_test.sh NM LIBRARY OWN FOREIGN
# Proves that a built library holds symbols of the namespace OWN and none, defined or undefined, of
# FOREIGN: the include roots forbid an #include across, this forbids a declaration by hand.
set -eu
nm=$1 library=$2 own=$3 foreign=$4

# Demangled, since a mangled name abbreviates a namespace that it has named before.
symbols=$("$nm" -C "$library")
printf '%s\n' "$symbols" | grep -qF "$own::" || {
  echo "$library holds no symbol of $own: the wrong library, or nm cannot read it"
  exit 1
}
if printf '%s\n' "$symbols" | grep -F "$foreign"; then
  echo "$library holds the symbols of $foreign above"
  exit 1
fi
echo "$(printf '%s\n' "$symbols" | grep -cF "$own::") symbols of $own, none of $foreign"
