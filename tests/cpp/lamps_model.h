// A small model file and the domain it is for.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "check.h"
#include "zip_bytes.h"

namespace lamps_model {

inline const std::string domain =
    "(define (domain lamps) (:requirements :negative-preconditions) (:predicates (on ?x) (spare)) "
    "(:action light :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))";

// One layer of one channel.
inline const std::string manifest_pattern = R"({"format": "asnets-model", "version": 1,
 "domain": {"name": "lamps", "sha256": "DOMAIN-SUM"},
 "signature": {"schemas": [{"name": "light", "parameters": ["?x"],
                            "slots": [{"predicate": 0, "terms": ["?x"]}]}],
               "predicates": [{"name": "on", "arity": 1, "pools": [{"schema": 0, "slots": [0]}]},
                              {"name": "spare", "arity": 0, "pools": []}]},
 "pooling": "slot", "skip": true, "layers": 1, "nonlinearity": "tanh",
 "features": {"landmarks": "none", "counts": false, "helpful": false},
 "modules": [
   {"kind": "action", "layer": 1, "name": "light", "inputs": 3, "outputs": 1, "offset": 0},
   {"kind": "proposition", "layer": 1, "name": "on", "inputs": 1, "outputs": 1, "offset": 4},
   {"kind": "action", "layer": 2, "name": "light", "inputs": 2, "outputs": 1, "offset": 6}],
 "weights": {"floats": 9, "sha256": "WEIGHTS-SUM"},
 "training": {"epochs": 3}, "unknown": null})";

inline const std::vector<float> some_floats = {1, 2, 3, -4, 5.5, 6, 7, 8, 9};

inline std::string replaced(std::string text, const std::string &old, const std::string &with) {
    const std::size_t place = text.find(old);
    if (place == std::string::npos) check::fail(__FILE__, __LINE__) << "no " << old << '\n';
    return text.replace(place, old.size(), with);
}

inline std::string weights_bytes(const std::vector<float> &floats) {
    std::string result;
    for (const float each : floats)
        result += zip_bytes::little_endian(std::bit_cast<std::uint32_t>(each), 4);
    return result;
}

// A model with right checksums, whatever its manifest and weights are.
inline std::string model(const std::string &manifest = manifest_pattern,
                         const std::string &weights = weights_bytes(some_floats),
                         zip_bytes::Layout layout = zip_bytes::Layout::plain) {
    std::string sealed = manifest;
    if (const std::size_t at = sealed.find("DOMAIN-SUM"); at != std::string::npos)
        sealed.replace(at, 10, asnets::sha256(domain));
    if (const std::size_t at = sealed.find("WEIGHTS-SUM"); at != std::string::npos)
        sealed.replace(at, 11, asnets::sha256(weights));
    return zip_bytes::archive({{"bw/data.pkl", "not for us"},
                               {"bw/extra/weights.bin", weights},
                               {"bw/extra/domain.pddl", domain},
                               {"bw/extra/manifest.json", sealed}},
                              layout);
}

}  // namespace lamps_model
