#pragma once

#include <chrono>

namespace asnets {

// Adds the seconds of its life to a sum.
class Stopwatch {
public:
    explicit Stopwatch(double &sum) : sum_(sum) {
    }
    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &operator=(const Stopwatch &) = delete;
    ~Stopwatch() {
        sum_ += std::chrono::duration<double>(Clock::now() - begin_).count();
    }

private:
    using Clock = std::chrono::steady_clock;

    double &sum_;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace asnets
