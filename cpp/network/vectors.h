#pragma once

#include <algorithm>
#include <memory>
#include <new>

#include "base/ids.h"

namespace asnets {

// Rows of floats, each as wide as whole processor vectors of eight; what is past the used width of
// a row is padding that nobody looks at.
class Vectors {
public:
    static constexpr std::size_t lanes = 8;

    static constexpr std::size_t padded(std::size_t width) {
        return (width + lanes - 1) / lanes * lanes;
    }

    Vectors() = default;
    // All zero.
    Vectors(std::size_t rows, std::size_t width)
        : rows_(rows), stride_(padded(width)), values_(allocate(rows_ * stride_)) {
        fill(0);
    }

    // More rows of the same width; those that are there stay.
    void grow(std::size_t rows, std::size_t width) {
        Vectors larger(rows, width);
        std::copy_n(values_.get(), rows_ * stride_, larger.values_.get());
        *this = std::move(larger);
    }
    [[nodiscard]] std::size_t rows() const {
        return rows_;
    }
    // Use the rows for vectors of another width, at most that of the construction; what they hold
    // is then undefined.
    void use_for(std::size_t width) {
        stride_ = padded(width);
    }

    // Floats from one row to the next.
    [[nodiscard]] std::size_t stride() const {
        return stride_;
    }
    float *operator[](std::size_t row) {
        return values_.get() + row * stride_;
    }
    const float *operator[](std::size_t row) const {
        return values_.get() + row * stride_;
    }
    void fill(float value) {
        std::fill_n(values_.get(), rows_ * stride_, value);
    }

private:
    static constexpr std::align_val_t cache_line{64};

    struct Free {
        void operator()(float *values) const {
            operator delete[](values, cache_line);
        }
    };
    static std::unique_ptr<float[], Free> allocate(std::size_t size) {
        return std::unique_ptr<float[], Free>(new (cache_line) float[size]);
    }

    std::size_t rows_ = 0;
    std::size_t stride_ = 0;
    std::unique_ptr<float[], Free> values_;
};

}  // namespace asnets
