#pragma once

#include <stdexcept>
#include <string>

namespace asnets {

// A model file that cannot be used. what() is `file: message`, one line.
class ModelError : public std::runtime_error {
public:
    ModelError(std::string file_, std::string message_)
        : std::runtime_error(file_ + ": " + message_),
          file(std::move(file_)),
          message(std::move(message_)) {
    }

    // A file that never was a model.
    static ModelError foreign(const std::string &file, const std::string &why) {
        return {file, "not an ASNets model: " + why};
    }
    // A model in which something is wrong.
    static ModelError damaged(const std::string &file, const std::string &what) {
        return {file, "damaged: " + what};
    }

    std::string file;
    std::string message;
};

}  // namespace asnets
