//go:build !planted

package main

// planted tells whether the mistake of that name is to be made: never, but in the build of planted/run.py.
func planted(string) bool { return false }
