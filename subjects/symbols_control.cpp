// Not part of anything: what an engine that asks the reference would look like to nm. The symbol
// test must reject it.
namespace reprieve::reference {
void decide_by_hand();
}

namespace reprieve::engine {
void cheat();
void cheat() { reference::decide_by_hand(); }
}  // namespace reprieve::engine
