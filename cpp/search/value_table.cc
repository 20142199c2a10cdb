#include "search/value_table.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace asnets {

ValueTable::ValueTable(std::shared_ptr<const Task> task, std::unique_ptr<Heuristic> heuristic,
                       double penalty)
    : task_(std::move(task)),
      heuristic_(std::move(heuristic)),
      penalty_(penalty),
      states_(task_->proposition_count()) {
}

void ValueTable::use(Budget &budget) {
    budget_ = &budget;
    if (heuristic_) heuristic_->interrupt = budget.interrupt();
}

Id ValueTable::insert(const State &state) {
    const Id id = states_.insert(state);
    while (nodes_.size() <= id) {  // more than once if memory ended in here before
        Node node;
        node.goal = task_->is_goal(states_[static_cast<Id>(nodes_.size())]);
        node.value = node.goal ? 0 : std::numeric_limits<double>::quiet_NaN();
        nodes_.push_back(node);
    }
    return id;
}

void ValueTable::evaluate(Id id) {
    double value = penalty_;
    if (heuristic_) {
        ++budget_->statistics.evaluations;
        value = heuristic_->value(states_[id]);
        // An estimate that may be too high must not look like a reason to give up.
        if (value != Heuristic::dead_end && !heuristic_->is_admissible())
            value = std::min(penalty_ / 2, value);
        value = std::min(penalty_, value);
    }
    nodes_[id].value = value;
}

std::span<const ValueTable::Choice> ValueTable::choices(Id id) {
    if (!nodes_[id].expanded && !nodes_[id].goal) expand(id);
    return {choices_.data() + nodes_[id].choice_begin, nodes_[id].choice_count};
}

void ValueTable::expand(Id id) {
    budget_->expansion();
    const State state = states_[id];
    task_->applicable_actions(state, applicable_);
    // If memory ends in here, the node has not changed.
    const std::uint64_t begin = choices_.size();
    for (const Id action : applicable_) {
        Choice choice{action, 0, successors_.size()};
        for (const Outcome &outcome : task_->outcomes_of(action)) {
            ++budget_->statistics.generated;
            const Id next = insert(task_->apply(outcome, state));
            const auto first =
                successors_.begin() + static_cast<std::ptrdiff_t>(choice.successor_begin);
            const auto same = std::find_if(first, successors_.end(), [next](const Successor &each) {
                return each.state == next;
            });
            if (same != successors_.end())
                same->probability += outcome.probability;
            else
                successors_.push_back({next, outcome.probability});
        }
        choice.successor_count = checked_id(successors_.size() - choice.successor_begin);
        choices_.push_back(choice);
    }
    nodes_[id].choice_begin = begin;
    nodes_[id].choice_count = checked_id(choices_.size() - begin);
    nodes_[id].expanded = true;
}

double ValueTable::q(const Choice &choice) {
    double sum = task_->actions[choice.action].cost;
    for (const Successor &each : successors(choice)) sum += each.probability * value(each.state);
    return sum;
}

ValueTable::Best ValueTable::best(Id id) {
    budget_->tick();
    Best found{nullptr, nodes_[id].goal ? 0 : penalty_};
    for (const Choice &choice : choices(id)) {
        const double cost = q(choice);
        if (cost < found.value) found = {&choice, cost};
    }
    return found;
}

void ValueTable::save(ByteWriter &out) const {
    states_.save(out, nodes_.size());
    for (const Node &node : nodes_) {
        out.put(node.value);
        out.put(node.choice_begin);
        out.put(node.choice_count);
        out.put(std::uint8_t{node.expanded});
    }
    out.put_count(choices_.size());
    for (const Choice &choice : choices_) {
        out.put(choice.action);
        out.put(choice.successor_count);
        out.put(choice.successor_begin);
    }
    out.put_count(successors_.size());
    for (const Successor &each : successors_) {
        out.put(each.state);
        out.put(each.probability);
    }
}

ValueTable::Content ValueTable::read(ByteReader &in) const {
    Content result{StateTable::load(in, task_->proposition_count()), {}, {}, {}};
    for (Id id = 0; id < result.states.size(); ++id) {
        Node &node = result.nodes.emplace_back();
        in.get(node.value);
        in.get(node.choice_begin);
        in.get(node.choice_count);
        node.expanded = in.get<std::uint8_t>() != 0;
        node.goal = task_->is_goal(result.states[id]);
    }
    result.choices.resize(in.get_count(2 * sizeof(Id) + sizeof(std::uint64_t)));
    for (Choice &choice : result.choices) {
        in.get(choice.action);
        in.get(choice.successor_count);
        in.get(choice.successor_begin);
    }
    result.successors.resize(in.get_count(sizeof(Id) + sizeof(double)));
    for (Successor &each : result.successors) {
        in.get(each.state);
        in.get(each.probability);
    }
    check(result);
    return result;
}

void ValueTable::check(const Content &content) const {
    const auto require = [](bool sense) {
        if (!sense) throw std::runtime_error("the data have values that cannot be");
    };
    const auto is_part = [](std::uint64_t begin, std::uint64_t count, std::size_t size) {
        return begin <= size && count <= size - begin;
    };
    for (const Node &node : content.nodes) {
        require(is_part(node.choice_begin, node.choice_count, content.choices.size()));
        require(node.goal ? node.value == 0
                          : std::isnan(node.value) || (node.value >= 0 && node.value <= penalty_));
    }
    for (const Choice &choice : content.choices) {
        require(choice.action < task_->actions.size() && choice.successor_count > 0);
        require(is_part(choice.successor_begin, choice.successor_count, content.successors.size()));
    }
    constexpr double most = 1 + 1e-6;  // sums are rounded
    for (const Successor &each : content.successors)
        require(each.state < content.states.size() && each.probability >= 0 &&
                each.probability <= most);
}

void ValueTable::replace(Content content) noexcept {
    states_ = std::move(content.states);
    nodes_ = std::move(content.nodes);
    choices_ = std::move(content.choices);
    successors_ = std::move(content.successors);
}

}  // namespace asnets
