#include "network/features.h"

#include <algorithm>

namespace asnets {

using Landmarks = FeatureOptions::Landmarks;

FeatureExtractor::FeatureExtractor(std::shared_ptr<const NetworkStructure> structure,
                                   const FeatureOptions &options)
    : structure_(std::move(structure)), options_(options) {
    const auto task = structure_->shared_task();
    if (options.landmarks != Landmarks::none) {
        lm_cut_ = make_heuristic("lm_cut", task);
        flags_.resize(task->actions.size());
    }
    if (options.landmarks == Landmarks::necessary)
        necessary_ = std::make_unique<NecessaryActions>(*task);
    if (options.helpful) h_ff_ = make_heuristic("h_ff", task);
}

void FeatureExtractor::set_interrupt(const Interrupt &interrupt) {
    if (lm_cut_) lm_cut_->interrupt = interrupt;
    if (h_ff_) h_ff_->interrupt = interrupt;
}

void History::add(Id action) {
    last = action;
    const auto place = std::lower_bound(counts.begin(), counts.end(), std::pair(action, 0U));
    if (place != counts.end() && place->first == action)
        ++place->second;
    else
        counts.emplace(place, action, 1U);
}

History History::seen_with(const FeatureOptions &options) const {
    return {options.counts ? counts : Counts(), options.last_action ? last : no_id};
}

Observation FeatureExtractor::observe(const State &state, const History &history) {
    Observation result;
    result.state = state;
    structure_->task().applicable_actions(state, result.applicable);
    if (lm_cut_) mark_landmarks(state, result);
    if (h_ff_) {
        h_ff_->value(state);
        result.helpful = h_ff_->helpful_actions();
    }
    result.history = history.seen_with(options_);
    return result;
}

void FeatureExtractor::mark_landmarks(const State &state, Observation &result) {
    lm_cut_->value(state);
    const std::vector<std::vector<Id>> landmarks = lm_cut_->landmarks();
    const bool article = options_.landmarks == Landmarks::article;
    std::vector<Id> marked;
    const auto mark = [&](Id action, unsigned flag) {
        if (flags_[action] == 0) marked.push_back(action);
        flags_[action] = static_cast<std::uint8_t>(flags_[action] | flag);
    };
    for (const std::vector<Id> &landmark : landmarks)
        for (const Id action : landmark)
            mark(action,
                 article ? (landmark.size() == 1 ? 1U : 2U) : (landmark.size() == 1 ? 3U : 1U));
    if (!article && !landmarks.empty())
        for (const Id action : landmarks.back()) mark(action, 4U);
    if (necessary_) {
        std::vector<Id> unsure;  // what is necessary is in some cut
        for (const Id action : result.applicable)
            if ((flags_[action] & 3U) == 1) unsure.push_back(action);
        for (const Id action : necessary_->among(state, unsure)) mark(action, 2U);
    }
    std::sort(marked.begin(), marked.end());
    for (const Id action : marked) {
        result.landmarks.emplace_back(action, flags_[action]);
        flags_[action] = 0;
    }
}

void write_inputs(const NetworkStructure &structure, const FeatureOptions &options,
                  const Observation &observation, std::span<float *const> rows) {
    const Task &task = structure.task();
    const auto width = [&](Id schema) {
        return 2 * structure.signature.schemas[schema].slots.size() + options.extra_inputs();
    };
    const bool article = options.landmarks == Landmarks::article;
    for (Id schema = 0; schema < structure.signature.schemas.size(); ++schema) {
        const Signature::Schema &own = structure.signature.schemas[schema];
        const Id *slot = structure.slots[schema].data();
        float *out = rows[schema];
        for (std::size_t row = 0; row < structure.action_rows(schema); ++row) {
            for (const Signature::Slot &each : own.slots) {
                const Id first = task.predicate_begin[each.predicate];
                const Id proposition = first + *slot;
                const bool can_be_true = proposition < task.predicate_begin[each.predicate + 1];
                *out++ = can_be_true && observation.state.holds(proposition) ? 1.0F : 0.0F;
                *out++ = structure.goal[each.predicate][*slot] != 0 ? 1.0F : 0.0F;
                ++slot;
            }
            std::fill_n(out, options.extra_inputs(), 0.0F);
            if (article) out[3] = 1.0F;
            out += options.extra_inputs();
        }
    }
    // The rest is 0 for most actions.
    const auto extra = [&](Id action) {
        const Id schema = task.schema_of(action);
        return rows[schema] + (action - task.schema_begin[schema]) * width(schema) +
               2 * structure.signature.schemas[schema].slots.size();
    };
    for (const Id action : observation.applicable) extra(action)[0] = 1.0F;
    std::size_t place = 1;
    if (options.landmarks != Landmarks::none) {
        for (const auto &[action, flags] : observation.landmarks)
            for (unsigned bit = 0; bit < 3; ++bit)
                extra(action)[place + bit] = (flags >> bit & 1U) != 0 ? 1.0F : 0.0F;
        place += 3;
    }
    if (options.counts) {
        for (const auto &[action, count] : observation.history.counts)
            extra(action)[place] = static_cast<float>(count);
        ++place;
    }
    if (options.helpful) {
        for (const Id action : observation.helpful) extra(action)[place] = 1.0F;
        ++place;
    }
    const Id last = observation.history.last;
    if (options.last_action && last != no_id) extra(last)[place] = 1.0F;
}

}  // namespace asnets
