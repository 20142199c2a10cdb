#include "network/kernels.h"

#include <atomic>
#include <cmath>
#include <cstdint>

#define ASNETS_INLINE inline __attribute__((always_inline))

namespace asnets::kernels {

namespace {

constexpr std::size_t bytes = Vectors::lanes * sizeof(float);
using Lanes = float __attribute__((vector_size(bytes)));
using Integers = std::int32_t __attribute__((vector_size(bytes)));
// Eight floats anywhere in memory.
using Stored = float __attribute__((vector_size(bytes), may_alias, aligned(4)));

ASNETS_INLINE void load(const float *from, Lanes &lanes) {
    lanes = *reinterpret_cast<const Stored *>(from);
}

ASNETS_INLINE void store(const Lanes &lanes, float *to) {
    *reinterpret_cast<Stored *>(to) = lanes;
}

struct Identity {
    static ASNETS_INLINE void apply(Lanes &) {
    }
};

// x for x > 0, else exp(x) - 1, with an absolute error of some 1e-7: x = n ln 2 + r, and a
// polynomial in r.
struct Elu {
    static ASNETS_INLINE void apply(Lanes &x) {
        const Lanes zero = {};
        const Lanes least = zero - 80.0F;
        Lanes low = x < zero ? x : zero;
        low = low > least ? low : least;
        const Integers n = __builtin_convertvector(low * 1.44269504F - 0.5F, Integers);
        const Lanes whole = __builtin_convertvector(n, Lanes);
        const Lanes r = low - whole * 0.693359375F + whole * 2.12194440e-4F;
        Lanes p = r * (1.0F / 720) + 1.0F / 120;
        p = r * p + 1.0F / 24;
        p = r * p + 1.0F / 6;
        p = r * p + 0.5F;
        p = r * (r * p + 1.0F);
        const auto power = reinterpret_cast<Lanes>((n + 127) << 23);
        x = x > zero ? x : power * p + (power - 1.0F);
    }
};

struct Relu {
    static ASNETS_INLINE void apply(Lanes &x) {
        const Lanes zero = {};
        x = x > zero ? x : zero;
    }
};

struct Tanh {
    static ASNETS_INLINE void apply(Lanes &x) {
        for (std::size_t i = 0; i < Vectors::lanes; ++i) x[i] = std::tanh(x[i]);
    }
};

// `height` rows and `blocks` of eight columns at a time stay in registers.
template <typename F, std::size_t height, std::size_t blocks>
ASNETS_INLINE void multiply_block(std::span<const Part> parts, const float *biases,
                                  const std::size_t *rows, std::size_t column, Vectors &out) {
    Lanes sums[height][blocks];
    for (std::size_t b = 0; b < blocks; ++b) {
        Lanes bias;
        load(biases + column + b * Vectors::lanes, bias);
        for (std::size_t i = 0; i < height; ++i) sums[i][b] = bias;
    }
    for (const Part &part : parts) {
        const float *weights = (*part.weights)[0] + column;
        const float *inputs[height];
        for (std::size_t i = 0; i < height; ++i)
            inputs[i] = (*part.values)[part.rows == nullptr ? rows[i] : part.rows[rows[i]]];
        for (std::size_t j = 0; j < part.inputs; ++j, weights += part.weights->stride())
            for (std::size_t b = 0; b < blocks; ++b) {
                Lanes w;
                load(weights + b * Vectors::lanes, w);
                for (std::size_t i = 0; i < height; ++i) sums[i][b] += w * inputs[i][j];
            }
    }
    for (std::size_t i = 0; i < height; ++i)
        for (std::size_t b = 0; b < blocks; ++b) {
            F::apply(sums[i][b]);
            store(sums[i][b], out[rows[i]] + column + b * Vectors::lanes);
        }
}

template <typename F, std::size_t blocks>
ASNETS_INLINE void multiply_columns(std::span<const Part> parts, const float *biases,
                                    const Id *rows, std::size_t count, std::size_t column,
                                    Vectors &out) {
    constexpr std::size_t height = 4;
    std::size_t next = 0;
    std::size_t some[height];
    for (; next + height <= count; next += height) {
        for (std::size_t i = 0; i < height; ++i)
            some[i] = rows == nullptr ? next + i : rows[next + i];
        multiply_block<F, height, blocks>(parts, biases, some, column, out);
    }
    for (; next < count; ++next) {
        some[0] = rows == nullptr ? next : rows[next];
        multiply_block<F, 1, blocks>(parts, biases, some, column, out);
    }
}

template <typename F>
ASNETS_INLINE void multiply_all(std::span<const Part> parts, const float *biases, const Id *rows,
                                std::size_t count, Vectors &out) {
    std::size_t column = 0;
    for (; column + 2 * Vectors::lanes <= out.stride(); column += 2 * Vectors::lanes)
        multiply_columns<F, 2>(parts, biases, rows, count, column, out);
    if (column < out.stride()) multiply_columns<F, 1>(parts, biases, rows, count, column, out);
}

// Some columns of an action go into the maxima of its propositions.
template <std::size_t blocks>
ASNETS_INLINE void pool_action(std::span<const Slot> slots, const Id *propositions,
                               std::size_t stride, std::size_t column,
                               const Lanes (&values)[blocks]) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].maxima == nullptr) continue;
        float *maxima = slots[i].maxima + propositions[i] * stride + column;
        for (std::size_t b = 0; b < blocks; ++b) {
            Lanes highest;
            load(maxima + b * Vectors::lanes, highest);
            highest = values[b] > highest ? values[b] : highest;
            store(highest, maxima + b * Vectors::lanes);
        }
    }
}

template <std::size_t blocks>
ASNETS_INLINE void pool_columns(std::span<const Slot> slots, const Id *propositions,
                                std::size_t count, std::size_t column, const Vectors &values,
                                const Id *rows) {
    for (std::size_t r = 0; r < count; ++r, propositions += slots.size()) {
        Lanes own[blocks];
        const float *from = values[rows[r]] + column;
        for (std::size_t b = 0; b < blocks; ++b) load(from + b * Vectors::lanes, own[b]);
        pool_action<blocks>(slots, propositions, values.stride(), column, own);
    }
}

ASNETS_INLINE void pool_any(std::span<const Slot> slots, const Id *propositions, std::size_t count,
                            const Vectors &values, const Id *rows) {
    std::size_t column = 0;
    for (; column + 2 * Vectors::lanes <= values.stride(); column += 2 * Vectors::lanes)
        pool_columns<2>(slots, propositions, count, column, values, rows);
    if (column < values.stride()) pool_columns<1>(slots, propositions, count, column, values, rows);
}

template <typename F, std::size_t blocks>
ASNETS_INLINE void gather_columns(std::span<const Slot> slots, const Id *propositions,
                                  std::size_t count, std::size_t column, const Vectors &bases,
                                  const Id *base_rows, Vectors &out) {
    const std::size_t stride = out.stride();
    float *result = out[0] + column;
    for (std::size_t r = 0; r < count; ++r, propositions += slots.size(), result += stride) {
        const float *base = bases[base_rows == nullptr ? r : base_rows[r]] + column;
        Lanes sums[blocks];
        for (std::size_t b = 0; b < blocks; ++b) load(base + b * Vectors::lanes, sums[b]);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Slot &slot = slots[i];
            const std::size_t row =
                slot.codes == nullptr ? propositions[i] : slot.codes[propositions[i]];
            const float *product = slot.products + row * stride + column;
            for (std::size_t b = 0; b < blocks; ++b) {
                Lanes each;
                load(product + b * Vectors::lanes, each);
                sums[b] += each;
            }
        }
        for (std::size_t b = 0; b < blocks; ++b) {
            F::apply(sums[b]);
            store(sums[b], result + b * Vectors::lanes);
        }
        pool_action<blocks>(slots, propositions, stride, column, sums);
    }
}

template <typename F>
ASNETS_INLINE void gather_all(std::span<const Slot> slots, const Id *propositions,
                              std::size_t count, const Vectors &bases, const Id *base_rows,
                              Vectors &out) {
    std::size_t column = 0;
    for (; column + 2 * Vectors::lanes <= out.stride(); column += 2 * Vectors::lanes)
        gather_columns<F, 2>(slots, propositions, count, column, bases, base_rows, out);
    if (column < out.stride())
        gather_columns<F, 1>(slots, propositions, count, column, bases, base_rows, out);
}

ASNETS_INLINE void multiply_any(std::span<const Part> parts, const float *biases, const Id *rows,
                                std::size_t count, const Nonlinearity *f, Vectors &out) {
    if (f == nullptr) return multiply_all<Identity>(parts, biases, rows, count, out);
    switch (*f) {
        case Nonlinearity::elu: return multiply_all<Elu>(parts, biases, rows, count, out);
        case Nonlinearity::relu: return multiply_all<Relu>(parts, biases, rows, count, out);
        case Nonlinearity::tanh: return multiply_all<Tanh>(parts, biases, rows, count, out);
    }
}

ASNETS_INLINE void gather_any(std::span<const Slot> slots, const Id *propositions,
                              std::size_t count, const Vectors &bases, const Id *base_rows,
                              Nonlinearity f, Vectors &out) {
    switch (f) {
        case Nonlinearity::elu:
            return gather_all<Elu>(slots, propositions, count, bases, base_rows, out);
        case Nonlinearity::relu:
            return gather_all<Relu>(slots, propositions, count, bases, base_rows, out);
        case Nonlinearity::tanh:
            return gather_all<Tanh>(slots, propositions, count, bases, base_rows, out);
    }
}

#ifdef __x86_64__

// The same, compiled for processors that have wider vectors than all of them have.
#define ASNETS_WIDE __attribute__((target("avx2,fma")))

ASNETS_WIDE void multiply_wide(std::span<const Part> parts, const float *biases, const Id *rows,
                               std::size_t count, const Nonlinearity *f, Vectors &out) {
    multiply_any(parts, biases, rows, count, f, out);
}

ASNETS_WIDE void gather_wide(std::span<const Slot> slots, const Id *propositions, std::size_t count,
                             const Vectors &bases, const Id *base_rows, Nonlinearity f,
                             Vectors &out) {
    gather_any(slots, propositions, count, bases, base_rows, f, out);
}

ASNETS_WIDE void pool_wide(std::span<const Slot> slots, const Id *propositions, std::size_t count,
                           const Vectors &values, const Id *rows) {
    pool_any(slots, propositions, count, values, rows);
}

bool has_wide_vectors() {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

std::atomic<bool> wide = has_wide_vectors();

bool is_wide() {
    return wide.load(std::memory_order_relaxed);
}

#endif

}  // namespace

void use_wide_vectors(bool wanted) {
#ifdef __x86_64__
    wide = wanted && has_wide_vectors();
#else
    (void)wanted;
#endif
}

void multiply(std::span<const Part> parts, const float *biases, const Id *rows, std::size_t count,
              const Nonlinearity *f, Vectors &out) {
#ifdef __x86_64__
    if (is_wide()) return multiply_wide(parts, biases, rows, count, f, out);
#endif
    multiply_any(parts, biases, rows, count, f, out);
}

void gather(std::span<const Slot> slots, const Id *propositions, std::size_t count,
            const Vectors &bases, const Id *base_rows, Nonlinearity f, Vectors &out) {
#ifdef __x86_64__
    if (is_wide()) return gather_wide(slots, propositions, count, bases, base_rows, f, out);
#endif
    gather_any(slots, propositions, count, bases, base_rows, f, out);
}

void pool(std::span<const Slot> slots, const Id *propositions, std::size_t count,
          const Vectors &values, const Id *rows) {
#ifdef __x86_64__
    if (is_wide()) return pool_wide(slots, propositions, count, values, rows);
#endif
    pool_any(slots, propositions, count, values, rows);
}

}  // namespace asnets::kernels
