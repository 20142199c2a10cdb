#pragma once

#include <cstdint>
#include <exception>

namespace asnets {

// Thrown out of a long computation when the caller's poll function asks it to stop.
struct Interrupted : std::exception {
    const char *what() const noexcept override {
        return "interrupted";
    }
};

// Asks, now and then, whether a long computation should stop. `poll` returns true to stop; it is
// called on the computing thread about every `stride` ticks, so a tick must cost microseconds at
// most.
class Interrupt {
public:
    using Poll = bool (*)();

    explicit Interrupt(Poll poll = nullptr) : poll_(poll) {
    }

    void tick() {
        if (++ticks_ % stride == 0) check();
    }

    void check() const {
        if (poll_ != nullptr && poll_()) throw Interrupted();
    }

private:
    static constexpr std::uint32_t stride = 1U << 14;
    Poll poll_;
    std::uint32_t ticks_ = 0;
};

}  // namespace asnets
