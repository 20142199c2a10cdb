#pragma once

#include <chrono>
#include <cstdint>
#include <exception>

namespace asnets {

// Thrown out of a long computation when the caller's poll function asks it to stop.
struct Interrupted : std::exception {
    const char *what() const noexcept override {
        return "interrupted";
    }
};

// Thrown out of a long computation when its time is over.
struct OutOfTime : std::exception {
    const char *what() const noexcept override {
        return "time limit reached";
    }
};

// Asks, now and then, whether a long computation should stop. `poll` returns true to stop; it is
// called on the computing thread about every `stride` ticks, so a tick must cost microseconds at
// most.
class Interrupt {
public:
    using Clock = std::chrono::steady_clock;
    using Poll = bool (*)();

    // The end of so many seconds from now on.
    static Clock::time_point after(double seconds) {
        constexpr double forever = 1e9;
        if (!(seconds < forever)) return Clock::time_point::max();
        const std::chrono::duration<double> duration(seconds);
        return Clock::now() + std::chrono::duration_cast<Clock::duration>(duration);
    }

    explicit Interrupt(Poll poll = nullptr, Clock::time_point deadline = Clock::time_point::max())
        : poll_(poll), deadline_(deadline) {
    }

    void tick() {
        if (++ticks_ % stride == 0) check();
    }

    void check() const {
        if (poll_ != nullptr && poll_()) throw Interrupted();
        if (deadline_ != Clock::time_point::max() && Clock::now() > deadline_) throw OutOfTime();
    }

private:
    static constexpr std::uint32_t stride = 1U << 14;
    Poll poll_;
    Clock::time_point deadline_;
    std::uint32_t ticks_ = 0;
};

}  // namespace asnets
