#include "search/best_first.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <stdexcept>

namespace asnets {

const std::map<std::string, Order> &best_first_orders() {
    static const std::map<std::string, Order> table = {{"astar", Order::astar},
                                                       {"greedy", Order::greedy}};
    return table;
}

BestFirst::BestFirst(std::shared_ptr<const Task> task, Order order,
                     std::unique_ptr<Heuristic> heuristic)
    : task_(std::move(task)),
      order_(order),
      heuristic_(std::move(heuristic)),
      lazy_(order == Order::astar && heuristic_->is_admissible() && !heuristic_->is_incremental()),
      states_(task_->proposition_count()) {
    if (!task_->is_deterministic())
        throw std::invalid_argument("best-first search needs a deterministic task");
}

SearchResult BestFirst::run(const State &start, Budget &budget, const KnownCost &known) {
    all_ = false;
    return start_run(start, budget, known);
}

SearchResult BestFirst::run_all(const State &start, Budget &budget, const KnownCost &known) {
    assert(is_optimal());
    all_ = true;
    return start_run(start, budget, known);
}

SearchResult BestFirst::start_run(const State &start, Budget &budget, const KnownCost &known) {
    clear();
    known_ = known;
    statistics_ = &budget.statistics;
    heuristic_->interrupt = budget.interrupt();
    SearchResult result;
    result.status = budget.run([&] { return search(start, budget, result); });
    if (result.status == Status::unsolvable)
        result.explored = std::make_shared<const StateTable>(std::move(states_));
    clear();
    return result;
}

// A long search leaves nothing behind.
void BestFirst::clear() {
    states_ = StateTable(task_->proposition_count());
    nodes_ = {};
    open_ = {};
    steps_ = {};
    ends_ = {};
    last_evaluated_ = no_id;
}

Status BestFirst::search(const State &start, Budget &budget, SearchResult &result) {
    const Id root = states_.insert(start);
    nodes_.emplace_back();
    evaluate(root, start, no_id);
    if (!nodes_[root].closed) open_.push(priority(nodes_[root]), root);
    while (!open_.empty()) {
        const auto [place, id] = open_.pop();
        if (!ends_.empty() && place.first > result.cost + cost_tolerance) break;
        if (nodes_[id].closed || place != priority(nodes_[id])) continue;
        const State state = states_[id];
        if (!nodes_[id].evaluated) {
            evaluate(id, state, no_id);
            if (nodes_[id].closed) continue;
            if (place != priority(nodes_[id])) {
                open_.push(priority(nodes_[id]), id);
                continue;
            }
        }
        if (nodes_[id].known || task_->is_goal(state)) {
            if (ends_.empty()) extract_plan(id, result);
            if (!all_) return Status::solved;
            nodes_[id].closed = true;
            ends_.push_back(id);
            continue;
        }
        expand(id, state, budget);
    }
    if (ends_.empty()) return Status::unsolvable;
    extract_optimal(result);
    return Status::solved;
}

void BestFirst::evaluate(Id id, const State &state, Id action) {
    Node &node = nodes_[id];
    node.evaluated = true;
    if (const std::optional<double> cost = known_ ? known_(state) : std::nullopt) {
        node.known = true;
        node.estimate = *cost;
    } else {
        ++statistics_->evaluations;
        const double value =
            action == no_id ? heuristic_->value(state) : heuristic_->successor_value(state, action);
        // The bound may be better than the estimate, where that is inconsistent.
        node.estimate = lazy_ ? std::max(node.estimate, value) : value;
        last_evaluated_ = id;
    }
    node.closed = node.estimate == Heuristic::dead_end;
}

void BestFirst::expand(Id id, const State &state, Budget &budget) {
    budget.expansion();
    nodes_[id].closed = true;
    const Node node = nodes_[id];
    const bool fresh = last_evaluated_ == id;
    if (heuristic_->is_incremental()) heuristic_->expand(state);
    task_->applicable_actions(state, applicable_);
    for (const Id action : applicable_) {
        ++statistics_->generated;
        const State next = task_->apply(task_->outcomes_of(action)[0], state);
        const double cost = node.cost + task_->actions[action].cost;
        const std::size_t before = states_.size();
        const Id child = states_.insert(next);
        const bool is_new = states_.size() > before;
        if (is_new) nodes_.emplace_back();
        if (all_ && (is_new || cost <= nodes_[child].cost + cost_tolerance))
            steps_.push_back({id, action, child});
        if (!is_new &&
            (cost >= nodes_[child].cost || nodes_[child].estimate == Heuristic::dead_end))
            continue;
        if (nodes_[child].closed) {
            if (order_ == Order::greedy) continue;
            ++statistics_->reopened;
            nodes_[child].closed = false;
        }
        nodes_[child].cost = cost;
        nodes_[child].parent = id;
        nodes_[child].action = action;
        if (lazy_ && !nodes_[child].evaluated) {
            double bound = node.estimate - task_->actions[action].cost;
            if (fresh) bound = std::max(bound, heuristic_->bound_after(action));
            nodes_[child].estimate = std::max(nodes_[child].estimate, bound);
        } else if (is_new) {
            evaluate(child, next, action);
            if (nodes_[child].closed) continue;
        }
        open_.push(priority(nodes_[child]), child);
    }
}

void BestFirst::extract_plan(Id id, SearchResult &result) const {
    result.has_plan = true;
    result.end = states_[id];
    result.cost = nodes_[id].known ? nodes_[id].estimate : 0;
    for (; nodes_[id].parent != no_id; id = nodes_[id].parent) {
        result.plan.push_back(nodes_[id].action);
        result.cost += task_->actions[nodes_[id].action].cost;
    }
    std::reverse(result.plan.begin(), result.plan.end());
}

// From the ends back along the steps by which states were reached at their cost, breadth first, so
// that following the actions leads to an end also where steps are free.
void BestFirst::extract_optimal(SearchResult &result) const {
    const auto is_tight = [&](const Step &step) {
        return nodes_[step.from].cost + task_->actions[step.action].cost <=
               nodes_[step.to].cost + cost_tolerance;
    };
    std::vector<std::size_t> begin(nodes_.size() + 2);  // by state, of the steps to it
    for (const Step &step : steps_)
        if (is_tight(step)) ++begin[step.to + std::size_t{2}];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> steps(begin.back());
    for (std::size_t i = 0; i < steps_.size(); ++i)
        if (is_tight(steps_[i])) steps[begin[steps_[i].to + std::size_t{1}]++] = i;
    std::vector<bool> seen(nodes_.size());
    std::vector<Step> queue;  // whose first state is on a plan
    for (const Id id : ends_) {
        seen[id] = true;
        queue.push_back({id, no_id, no_id});
    }
    for (std::size_t done = 0; done < queue.size(); ++done) {
        const auto [id, action, next] = queue[done];
        result.optimal.push_back(
            {states_[id], std::max(0.0, result.cost - nodes_[id].cost), action});
        for (std::size_t i = begin[id]; i < begin[id + std::size_t{1}]; ++i) {
            const Step &step = steps_[steps[i]];
            if (seen[step.from]) continue;
            seen[step.from] = true;
            queue.push_back(step);
        }
    }
}

}  // namespace asnets
