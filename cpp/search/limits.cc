#include "search/limits.h"

#include "base/memory.h"

namespace asnets {

Budget::Budget(const Limits &limits, Interrupt::Poll poll)
    : limits_(limits), interrupt_(poll, Interrupt::after(limits.seconds)) {
}

void Budget::expansion() {
    constexpr std::uint64_t memory_stride = 256;
    if (statistics.expansions >= limits_.expansions) throw Stop(Status::out_of_expansions);
    if (limits_.bytes != std::numeric_limits<std::size_t>::max() &&
        statistics.expansions % memory_stride == 0 && resident_bytes() > limits_.bytes)
        throw Stop(Status::out_of_memory);
    interrupt_.check();
    ++statistics.expansions;
}

}  // namespace asnets
