#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>

#include "base/interrupt.h"

namespace asnets {

struct Limits {
    double seconds = std::numeric_limits<double>::infinity();
    std::size_t bytes = std::numeric_limits<std::size_t>::max();  // resident memory of the process
    std::uint64_t expansions = std::numeric_limits<std::uint64_t>::max();
};

// How a search ended.
enum class Status : std::uint8_t {
    solved,
    unsolvable,  // proved
    out_of_expansions,
    out_of_memory,
    out_of_time,
    interrupted,
};

struct Statistics {
    std::uint64_t expansions = 0;   // states whose successors were generated
    std::uint64_t reopened = 0;     // of those, states that had been expanded before
    std::uint64_t evaluations = 0;  // states that the heuristic saw
    std::uint64_t generated = 0;    // successors, duplicates included
    double seconds = 0;
};

// Counts what a search does and stops it at its limits, time counting from the construction, by
// throwing: run() turns what comes out of a search into its status.
class Budget {
public:
    explicit Budget(const Limits &limits, Interrupt::Poll poll = nullptr);

    // To be looked at in long computations.
    [[nodiscard]] const Interrupt &interrupt() const {
        return interrupt_;
    }
    // Call in loops that may run long without an expansion.
    void tick() {
        interrupt_.tick();
    }
    // Call before each expansion.
    void expansion();

    // Runs a search, which returns solved or unsolvable, and notes the time it takes.
    template <typename Search>
    Status run(Search &&search) {
        const Interrupt::Clock::time_point begin = Interrupt::Clock::now();
        Status status = Status::out_of_memory;
        try {
            status = search();
        } catch (const Stop &stop) {
            status = stop.status;
        } catch (const OutOfTime &) {
            status = Status::out_of_time;
        } catch (const Interrupted &) {
            status = Status::interrupted;
        } catch (const std::bad_alloc &) {
        }
        statistics.seconds +=
            std::chrono::duration<double>(Interrupt::Clock::now() - begin).count();
        return status;
    }

    Statistics statistics;

private:
    struct Stop : std::exception {
        explicit Stop(Status status_) : status(status_) {
        }
        Status status;
    };

    Limits limits_;
    Interrupt interrupt_;
};

}  // namespace asnets
