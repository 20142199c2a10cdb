#include "network/manifest.h"

#include <algorithm>
#include <set>

#include "base/json_field.h"
#include "network/model_error.h"

namespace asnets {

namespace {

// One of the named values.
template <typename Value>
Value choice(const JsonField &field,
             std::initializer_list<std::pair<std::string_view, Value>> known) {
    std::string names;
    for (const auto &[name, value] : known) {
        if (field.text() == name) return value;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    field.fail("expected one of " + names + ", found " + pddl::quote(field.text()));
}

// A word of a planning file.
std::string name_in(const JsonField &field) {
    const std::string &text = field.text();
    const bool is_word = !text.empty() && std::ranges::none_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x20 || byte == 0x7f || c == '(' || c == ')' || c == ';';
    });
    if (!is_word) field.fail("expected a name, found " + pddl::quote(text));
    return text;
}

std::vector<std::string> names_in(const JsonField &field) {
    std::vector<std::string> result;
    for (const JsonField &each : field.list()) result.push_back(name_in(each));
    return result;
}

Id id_in(const JsonField &field, std::size_t count) {
    const std::uint64_t number = field.number();
    if (number >= count) field.fail("expected a number below " + std::to_string(count));
    return checked_id(number);
}

Signature::Slot read_slot(const JsonField &field, const Signature &signature,
                          const Signature::Schema &schema) {
    Signature::Slot slot{id_in(field["predicate"], signature.predicates.size()), {}};
    const Signature::Predicate &predicate = signature.predicates[slot.predicate];
    slot.terms = names_in(field["terms"]);
    if (slot.terms.size() != predicate.arity)
        field.fail("expected a term for each argument of " + pddl::quote(predicate.name));
    for (const std::string &term : slot.terms)
        if (term.starts_with('?') &&
            std::ranges::find(schema.parameters, term) == schema.parameters.end())
            field.fail("expected a parameter of " + pddl::quote(schema.name) + ", found " +
                       pddl::quote(term));
    return slot;
}

void read_pools(const JsonField &field, const std::vector<Signature::Schema> &schemas,
                std::vector<Signature::Pool> &pools) {
    for (const JsonField &each : field.list()) {
        Signature::Pool pool{id_in(each["schema"], schemas.size()), {}};
        for (const JsonField &slot : each["slots"].list())
            pool.slots.push_back(id_in(slot, schemas[pool.schema].slots.size()));
        pools.push_back(std::move(pool));
    }
}

Signature read_signature(const JsonField &field, Pooling pooling) {
    Signature result;
    const std::vector<JsonField> predicates = field["predicates"].list();
    std::set<std::string> names;
    for (const JsonField &each : predicates) {
        result.predicates.push_back({name_in(each["name"]), each["arity"].number(), {}});
        if (!names.insert(result.predicates.back().name).second)
            each.fail("expected different names of predicates");
    }
    names.clear();
    for (const JsonField &each : field["schemas"].list()) {
        Signature::Schema schema{name_in(each["name"]), names_in(each["parameters"]), {}};
        if (!names.insert(schema.name).second) each.fail("expected different names of schemas");
        for (const JsonField &slot : each["slots"].list())
            schema.slots.push_back(read_slot(slot, result, schema));
        result.schemas.push_back(std::move(schema));
    }
    const auto expected = pools_of(result, pooling);
    for (Id p = 0; p < predicates.size(); ++p) {
        const JsonField pools = predicates[p]["pools"];
        read_pools(pools, result.schemas, result.predicates[p].pools);
        if (result.predicates[p].pools != expected[p])
            pools.fail("expected the pools that follow from the slots");
    }
    return result;
}

std::size_t read_layers(const JsonField &field, const Signature &signature) {
    constexpr std::size_t most_modules = 1'000'000;
    const std::size_t width = signature.schemas.size() + signature.predicates.size();
    const std::uint64_t layers = field.number();
    if (layers == 0) field.fail("expected at least 1");
    if (layers >= most_modules / std::max<std::size_t>(width, 100))
        field.fail("expected a network of at most a million modules");
    return layers;
}

FeatureOptions read_features(const JsonField &field) {
    using enum FeatureOptions::Landmarks;
    FeatureOptions result;
    result.landmarks = choice<FeatureOptions::Landmarks>(
        field["landmarks"],
        {{"none", none}, {"article", article}, {"last-cut", last_cut}, {"necessary", necessary}});
    result.counts = field["counts"].flag();
    result.helpful = field["helpful"].flag();
    result.last_action = field.has("last_action") && field["last_action"].flag();
    return result;
}

Nonlinearity read_nonlinearity(const JsonField &field) {
    try {
        return nonlinearity_of(field.text());
    } catch (const std::invalid_argument &error) {
        field.fail(error.what());
    }
}

Manifest read_fields(const JsonField &field) {
    Manifest result;
    result.domain_name = name_in(field["domain"]["name"]);
    result.domain_sha256 = field["domain"]["sha256"].text();
    result.pooling = choice<Pooling>(field["pooling"],
                                     {{"slot", Pooling::by_slot}, {"schema", Pooling::by_schema}});
    result.signature = read_signature(field["signature"], result.pooling);
    result.features = read_features(field["features"]);
    result.nonlinearity = read_nonlinearity(field["nonlinearity"]);
    result.skip = field["skip"].flag();
    result.layers = read_layers(field["layers"], result.signature);
    for (const JsonField &each : field["modules"].list())
        result.modules.push_back({each["kind"].text(), each["layer"].number(), each["name"].text(),
                                  each["inputs"].number(), each["outputs"].number(),
                                  each["offset"].number()});
    result.floats = field["weights"]["floats"].number();
    result.weights_sha256 = field["weights"]["sha256"].text();
    return result;
}

}  // namespace

Manifest read_manifest(std::string_view text, const std::string &file) {
    try {
        const Json json = parse_json(text);
        const Json *format = json.find("format");
        const std::string *name =
            format == nullptr ? nullptr : std::get_if<std::string>(&format->value);
        if (name == nullptr || *name != "asnets-model")
            throw ModelError::foreign(file, "its manifest.json is of another format");
        const JsonField field(json);
        if (const std::uint64_t version = field["version"].number(); version != Manifest::version)
            throw ModelError(file, "made for format " + std::to_string(version) +
                                       ", this version reads " + std::to_string(Manifest::version));
        return read_fields(field);
    } catch (const JsonError &error) {
        throw ModelError::damaged(file, std::string("manifest.json: ") + error.what());
    }
}

}  // namespace asnets
