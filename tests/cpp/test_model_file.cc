// Model files: what is in them, and one line for everything that can be wrong with them.
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "inline_task.h"
#include "lamps_model.h"
#include "network/check_fits.h"
#include "network/model_file.h"
#include "zip_bytes.h"

using asnets::check_fits;
using asnets::ModelError;
using asnets::ModelFile;
using asnets::NetworkStructure;
using asnets::parse_model;
using asnets::Pooling;
using lamps_model::domain;
using lamps_model::manifest_pattern;
using lamps_model::model;
using lamps_model::replaced;
using lamps_model::some_floats;
using lamps_model::weights_bytes;
using zip_bytes::Layout;

namespace {

std::string edited(const std::string &old, const std::string &with) {
    return model(replaced(manifest_pattern, old, with));
}

// The error's message without the file's name, "" if there is none.
std::string mistake(std::string_view bytes) {
    try {
        parse_model(bytes, "bw.pt");
    } catch (const ModelError &error) {
        CHECK_EQ(error.file, "bw.pt");
        CHECK_EQ(std::string(error.what()), "bw.pt: " + error.message);
        CHECK(error.message.find('\n') == std::string::npos);
        return error.message;
    }
    return "";
}

std::string misfit(const ModelFile &file, const std::string &domain_text,
                   Pooling pooling = Pooling::by_slot) {
    const std::string problem =
        "(define (problem p) (:domain lamps) (:objects a b) (:init) (:goal (on a)))";
    try {
        check_fits(file.weights,
                   NetworkStructure(inline_task::ground(domain_text, problem), pooling));
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(reads_all_of_it) {
    for (const Layout layout : {Layout::plain, Layout::zip64}) {
        const ModelFile file =
            parse_model(model(manifest_pattern, weights_bytes(some_floats), layout), "bw.pt");
        CHECK_EQ(file.domain_name, "lamps");
        CHECK_EQ(file.domain_text, domain);
        CHECK(file.pooling == Pooling::by_slot);
        CHECK(file.manifest.find("\"epochs\": 3") != std::string::npos);
        const asnets::NetworkWeights &weights = file.weights;
        CHECK(weights.skip);
        CHECK(weights.nonlinearity == asnets::Nonlinearity::tanh);
        CHECK_EQ(weights.features.extra_inputs(), 1);
        CHECK_EQ(weights.actions.size(), 2);
        CHECK_EQ(weights.propositions.size(), 1);
        CHECK_EQ(weights.actions[0][0].weights, std::vector<float>({1, 2, 3}));
        CHECK_EQ(weights.actions[0][0].biases, std::vector<float>({-4}));
        CHECK_EQ(weights.propositions[0][0].weights, std::vector<float>({5.5}));
        CHECK_EQ(weights.propositions[0][1].outputs, 0);
        CHECK_EQ(weights.actions[1][0].biases, std::vector<float>({9}));
        CHECK_EQ(misfit(file, domain), "");
    }
}

TEST(foreign_files) {
    CHECK_EQ(mistake(""), "not an ASNets model: it is no zip archive");
    CHECK_EQ(mistake("(define (domain d))"), "not an ASNets model: it is no zip archive");
    CHECK_EQ(mistake(zip_bytes::archive({{"bw/data.pkl", "x"}})),
             "not an ASNets model: there is no extra/manifest.json in it");
    CHECK_EQ(mistake(zip_bytes::archive({{"a/b/extra/manifest.json", "{}"}})),
             "not an ASNets model: there is no extra/manifest.json in it");
    for (const char *other : {"{}", "[]", "3", R"({"format": 1})", R"({"format": "onnx"})"})
        CHECK_EQ(mistake(zip_bytes::archive({{"bw/extra/manifest.json", other}})),
                 "not an ASNets model: its manifest.json is of another format");
    CHECK_EQ(mistake(edited("\"version\": 1", "\"version\": 2")),
             "made for format 2, this version reads 1");
    CHECK_EQ(mistake(zip_bytes::archive(
                 {{"bw/extra/manifest.json", R"({"format": "asnets-model", "version": 7})"}})),
             "made for format 7, this version reads 1");
}

TEST(missing_and_doubled_files) {
    CHECK_EQ(mistake(zip_bytes::archive(
                 {{"a/extra/manifest.json", "{}"}, {"b/extra/manifest.json", "{}"}})),
             "damaged: it has several extra/manifest.json");
    std::string bytes = model();
    for (std::size_t at = 0; (at = bytes.find("extra/weights", at)) != std::string::npos; ++at)
        bytes.replace(at, 13, "extra/wxights");
    CHECK_EQ(mistake(bytes), "damaged: weights.bin: missing");
}

TEST(cut_short_or_changed_by_a_byte) {
    const std::string bytes = model();
    const ModelFile original = parse_model(bytes, "bw.pt");
    for (std::size_t size = 4; size < bytes.size(); ++size)
        CHECK(mistake(std::string_view(bytes).substr(0, size)).starts_with("damaged: "));
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (const int change : {1, 0x20, 0xff}) {
            std::string changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ change);
            try {
                const ModelFile file = parse_model(changed, "bw.pt");
                CHECK_EQ(file.manifest, original.manifest);
                CHECK_EQ(file.domain_text, original.domain_text);
                CHECK(file.weights.actions[0][0].weights == original.weights.actions[0][0].weights);
            } catch (const ModelError &) {
            }
        }
}

TEST(wrong_sums_and_sizes) {
    CHECK_EQ(mistake(edited("DOMAIN-SUM", std::string(64, '0'))),
             "damaged: domain.pddl: its SHA-256 is not the manifest's");
    CHECK_EQ(mistake(edited("WEIGHTS-SUM", "")),
             "damaged: weights.bin: its SHA-256 is not the manifest's");
    CHECK_EQ(mistake(edited("\"floats\": 9", "\"floats\": 8")),
             "damaged: weights.bin: expected 8 floats, found 36 bytes");
    const std::string bytes = weights_bytes(some_floats);
    CHECK_EQ(mistake(model(manifest_pattern, bytes + '\0')),
             "damaged: weights.bin: expected 9 floats, found 37 bytes");
    CHECK_EQ(mistake(model(replaced(manifest_pattern, "\"floats\": 9", "\"floats\": 10"),
                           bytes + "1234")),
             "damaged: weights.bin goes on after the last module");
    CHECK_EQ(mistake(model(replaced(manifest_pattern, "\"floats\": 9", "\"floats\": 8"),
                           bytes.substr(4))),
             "damaged: action module \"light\" of layer 2: weights.bin ends before its weights");
}

TEST(weights_are_finite) {
    using Limits = std::numeric_limits<float>;
    for (const float bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()})
        for (std::size_t i = 0; i < some_floats.size(); ++i) {
            std::vector<float> floats = some_floats;
            floats[i] = bad;
            CHECK(mistake(model(manifest_pattern, weights_bytes(floats)))
                      .ends_with("has a weight that is not a finite number"));
        }
}

TEST(modules_in_order_without_gaps) {
    CHECK_EQ(mistake(edited("\"offset\": 4", "\"offset\": 5")),
             "damaged: proposition module \"on\" of layer 1: expected offset 4, found 5");
    CHECK_EQ(mistake(edited("\"kind\": \"proposition\"", "\"kind\": \"action\"")),
             "damaged: expected proposition module \"on\" of layer 1, found \"action\" \"on\" of "
             "layer 1");
    CHECK_EQ(mistake(edited("\"inputs\": 3, \"outputs\": 1", "\"inputs\": 1, \"outputs\": 2")),
             "damaged: module light of layer 1 takes 3 inputs, but its weights are for 1");
    CHECK_EQ(mistake(edited("\"layers\": 1", "\"layers\": 2")),
             "damaged: proposition module \"on\" of layer 2 is missing");
    for (const char *huge : {"9007199254740992", "4611686018427387904", "4294967296", "67108864"})
        for (const char *key : {"\"inputs\": ", "\"outputs\": "}) {
            const std::string old = std::string(key) + (key[1] == 'i' ? "3" : "1");
            CHECK(mistake(edited(old, key + std::string(huge))).starts_with("damaged: "));
        }
    CHECK_EQ(mistake(edited("\"layers\": 1,", "\"layers\": 9007199254740992,")),
             "damaged: manifest.json: layers: expected a network of at most a million modules");
}

TEST(signatures_that_contradict_themselves) {
    const auto check = [](const std::string &old, const std::string &with, std::string_view what) {
        const std::string found = mistake(edited(old, with));
        if (found != "damaged: manifest.json: signature." + std::string(what))
            check::fail(__FILE__, __LINE__) << "found " << found << '\n';
    };
    check("\"predicate\": 0", "\"predicate\": 2",
          "schemas[0].slots[0].predicate: expected a number below 2");
    check("\"predicate\": 0", "\"predicate\": 1",
          "schemas[0].slots[0]: expected a term for each argument of \"spare\"");
    check("\"terms\": [\"?x\"]", "\"terms\": [\"?y\"]",
          "schemas[0].slots[0]: expected a parameter of \"light\", found \"?y\"");
    check("\"schema\": 0", "\"schema\": 1",
          "predicates[0].pools[0].schema: expected a number below 1");
    check("\"slots\": [0]", "\"slots\": [1]",
          "predicates[0].pools[0].slots[0]: expected a number below 1");
    check("[{\"schema\": 0, \"slots\": [0]}]", "[]",
          "predicates[0].pools: expected the pools that follow from the slots");
    check("\"pools\": []", "\"pools\": [{\"schema\": 0, \"slots\": [0]}]",
          "predicates[1].pools: expected the pools that follow from the slots");
    check("\"spare\"", "\"on\"", "predicates[1]: expected different names of predicates");
    check("\"name\": \"light\"", "\"name\": \"li\\nght\"",
          "schemas[0].name: expected a name, found \"li\\x0aght\"");
    check("\"arity\": 1", "\"arity\": 2",
          "schemas[0].slots[0]: expected a term for each argument of \"on\"");
}

TEST(options_of_another_kind) {
    CHECK_EQ(mistake(edited("\"pooling\": \"slot\"", "\"pooling\": \"max\"")),
             "damaged: manifest.json: pooling: expected one of slot, schema, found \"max\"");
    CHECK_EQ(mistake(edited("tanh", "gelu")),
             "damaged: manifest.json: nonlinearity: unknown nonlinearity \"gelu\"; known are elu, "
             "relu, tanh");
    CHECK_EQ(mistake(edited("\"landmarks\": \"none\"", "\"landmarks\": \"all\"")),
             "damaged: manifest.json: features.landmarks: expected one of none, article, last-cut, "
             "necessary, found \"all\"");
    CHECK_EQ(mistake(edited("\"skip\": true, ", "")), "damaged: manifest.json: skip: missing");
    CHECK_EQ(
        mistake(edited("\"counts\": false", "\"counts\": 0")),
        "damaged: manifest.json: features.counts: expected true or false, found a whole number");
    CHECK_EQ(mistake(edited("\"layers\": 1", "\"layers\": 0")),
             "damaged: manifest.json: layers: expected at least 1");
    CHECK(mistake(edited("\"skip\": true", "\"skip\": True"))
              .starts_with("damaged: manifest.json: line 7, byte "));
}

// Each number and each bracket of the manifest replaced by something else, with right checksums.
TEST(manifests_with_anything_in_them) {
    std::size_t refused = 0;
    for (std::size_t i = 0; i < manifest_pattern.size(); ++i) {
        const char c = manifest_pattern[i];
        std::vector<std::string> others = {"", "\""};
        if (c >= '0' && c <= '9')
            others = {"0",     "1",          "2",    "7",   "-1",
                      "65536", "4294967295", "1e15", "1.0", "9223372036854775807"};
        if (c == '[' || c == '{') others = {"[[", "null,", "[{},", "\"", "{"};
        for (const std::string &other : others) {
            const std::string text =
                manifest_pattern.substr(0, i) + other + manifest_pattern.substr(i + 1);
            if (mistake(model(text)) != "") ++refused;
        }
    }
    CHECK(refused > 1000);
}

TEST(files_that_cannot_be_read) {
    CHECK_THROWS(asnets::read_model("/no/such/file.pt"), std::system_error);
    CHECK_THROWS(asnets::read_model("/"), std::system_error);
    CHECK_THROWS(asnets::read_model("/dev/zero"), ModelError);
}

TEST(tasks_that_do_not_fit) {
    const ModelFile file = parse_model(model(), "bw.pt");
    CHECK_EQ(misfit(file, replaced(domain, "(:action light", "(:action lit")),
             "schema light of the model is not in the task");
    CHECK_EQ(misfit(file, replaced(domain, "(:action", "(:action dim :effect (spare)) (:action")),
             "schema dim of the task is not in the model");
    CHECK_EQ(misfit(file, replaced(domain, "(?x)", "(?x ?y)")),
             "schema light: parameters are (?x) in the model, (?x ?y) in the task");
    CHECK_EQ(misfit(file, replaced(domain, ":effect (on ?x)", ":effect (and (on ?x) (spare))")),
             "schema light: slot 2 is missing in the model, (spare) in the task");
    CHECK_EQ(misfit(file, replaced(domain, "(spare)", "(spare) (extra)")),
             "predicate extra of the task is not in the model");
    CHECK_EQ(misfit(file, replaced(domain, "(spare)", "")),
             "predicate spare of the model is not in the task");
    CHECK_EQ(misfit(file, replaced(domain, "(spare)", "(spare ?z)")),
             "predicate spare: arity is 0 in the model, 1 in the task");
    CHECK_EQ(misfit(file, domain, Pooling::by_schema), "");  // the same pools here
}

TEST(tasks_with_turned_slots) {
    const std::string pair =
        "(define (domain lamps) (:predicates (on ?x) (over ?x ?y)) (:action light "
        ":parameters (?x ?y) :precondition (over ?x ?y) :effect (and (on ?x) (over ?y ?x))))";
    const std::string problem =
        "(define (problem p) (:domain lamps) (:objects a b) (:init) (:goal (on a)))";
    const NetworkStructure structure(inline_task::ground(pair, problem));
    ModelFile file;
    file.weights.signature = structure.signature;
    CHECK_EQ(misfit(file, pair), "");
    const std::string other_names =
        "(define (domain lamps) (:predicates (on ?o) (over ?o ?p)) (:action light "
        ":parameters (?y ?x) :precondition (over ?y ?x) :effect (and (on ?y) (over ?x ?y))))";
    CHECK_EQ(misfit(file, other_names), "");
    CHECK_EQ(misfit(file, replaced(other_names, "(over ?x ?y)", "(over ?y ?x)")),
             "schema light: slot 3 is (over ?y ?x) in the model, missing in the task");
    std::string turned = replaced(pair, "(over ?y ?x)", "(over ?y ?y)");
    CHECK_EQ(misfit(file, turned),
             "schema light: slot 3 is (over ?y ?x) in the model, (over ?y ?y) in the task");
    CHECK_EQ(misfit(file, pair, Pooling::by_schema),
             "predicate over: the number of pools is 2 in the model, 1 in the task");
    std::swap(file.weights.signature.predicates[0], file.weights.signature.predicates[1]);
    std::swap(file.weights.signature.schemas[0].slots[0].predicate,
              file.weights.signature.schemas[0].slots[1].predicate);
    file.weights.signature.schemas[0].slots[2].predicate = 0;
    CHECK_EQ(misfit(file, pair), "predicate number 1 is over in the model, on in the task");
}
