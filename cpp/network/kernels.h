#pragma once

#include <span>

#include "base/ids.h"
#include "network/network_weights.h"
#include "network/vectors.h"

// The inner loops of the forward pass. They are columnwise: output channels are computed eight or
// sixteen at a time in the processor's registers.
namespace asnets::kernels {

// Whether to use wider vectors than all processors have, where this one has them (it does at
// first).
void use_wide_vectors(bool wanted);

// A part of some modules' input with its columns of their weight matrix, transposed: a row of
// `weights` for each of the `inputs`.
struct Part {
    const Vectors *values;
    const Id *rows;  // by row of the output: that of values; null: the same row
    std::size_t inputs;
    const Vectors *weights;
};

// out[r] = biases + sum of W u over the parts, for the given rows, or the first `count` if `rows`
// is null. Then activate() if `f` is not null.
void multiply(std::span<const Part> parts, const float *biases, const Id *rows, std::size_t count,
              const Nonlinearity *f, Vectors &out);

// What the actions of a schema take from one of their slots, and give to it. All rows are as wide
// as those of the output.
struct Slot {
    const float *products;      // W u of the slot
    const std::uint8_t *codes;  // by proposition: its row of products; null: the same row
    float *maxima;  // by proposition: over the actions that came before; null if nobody asks
};

// out[r] = f(base of r + the products of its slots' propositions) for each action r, which then
// goes into the maxima of those propositions. `propositions` has a row for each action. The base of
// r is row base_rows[r] of `bases`, or row r if base_rows is null.
void gather(std::span<const Slot> slots, const Id *propositions, std::size_t count,
            const Vectors &bases, const Id *base_rows, Nonlinearity f, Vectors &out);

// Puts values[rows[r]] of each action r into the maxima of its slots' propositions.
void pool(std::span<const Slot> slots, const Id *propositions, std::size_t count,
          const Vectors &values, const Id *rows);

}  // namespace asnets::kernels
