#include "task/applicability.h"

#include <algorithm>
#include <bit>

#include "task/task.h"

namespace asnets {

// Makes the trees. Propositions that more actions need are tested first, so that more of them share
// a test.
class Applicability::Builder {
public:
    Builder(const Task &task, std::vector<Node> &nodes)
        : task_(task), nodes_(nodes), count_(task.proposition_count()) {
    }

    void add(Id place, std::span<const Id> actions) {
        if (actions.size() == 1) return add_action(actions[0]);
        for (const Id action : actions)
            for (const Id p : positive(action)) ++count_[p];
        tests_.clear();
        waiting_.clear();
        for (const Id action : actions) {
            const std::size_t begin = tests_.size();
            for (const Id p : positive(action))
                if (p != place) tests_.push_back(std::uint64_t{no_id - count_[p]} << 32U | p);
            std::sort(tests_.begin() + static_cast<std::ptrdiff_t>(begin), tests_.end());
            waiting_.push_back({action, begin, tests_.size()});
        }
        for (const Id action : actions)
            for (const Id p : positive(action)) count_[p] = 0;
        std::sort(waiting_.begin(), waiting_.end(), [this](const Waiting &a, const Waiting &b) {
            return std::ranges::lexicographical_compare(tests_of(a), tests_of(b));
        });
        add_tree(0, waiting_.size(), 0);
    }

private:
    struct Waiting {
        Id action = no_id;
        std::size_t begin = 0;  // in tests_
        std::size_t end = 0;
    };

    static constexpr std::size_t deepest = 64;  // tests; actions are looked at as a whole anyway

    [[nodiscard]] std::span<const Id> positive(Id action) const {
        return task_.positive(task_.actions[action].precondition);
    }
    [[nodiscard]] std::span<const std::uint64_t> tests_of(const Waiting &waiting) const {
        return {tests_.data() + waiting.begin, tests_.data() + waiting.end};
    }
    void add_action(Id action) {
        nodes_.push_back({action, no_id});
    }
    // Of the actions from begin to end, which agree in the first `depth` tests.
    void add_tree(std::size_t begin, std::size_t end, std::size_t depth) {
        while (begin < end) {
            const std::span<const std::uint64_t> tests = tests_of(waiting_[begin]);
            std::size_t other = begin + 1;
            if (depth < std::min(tests.size(), deepest))
                while (other < end && tests_of(waiting_[other])[depth] == tests[depth]) ++other;
            if (other == begin + 1) {
                add_action(waiting_[begin].action);
            } else {
                const std::size_t test = nodes_.size();
                nodes_.push_back({static_cast<Id>(tests[depth]), no_id});
                add_tree(begin, other, depth + 1);
                nodes_[test].next = checked_id(nodes_.size());
            }
            begin = other;
        }
    }

    const Task &task_;
    std::vector<Node> &nodes_;
    std::vector<Id> count_;             // by proposition: how many of the waiting actions need it
    std::vector<std::uint64_t> tests_;  // propositions in the lower half, first tests first
    std::vector<Waiting> waiting_;
};

Applicability::Applicability(const Task &task) : watched_((task.proposition_count() + 63) / 64) {
    std::vector<Id> needed(task.proposition_count());
    for (const GroundAction &action : task.actions)
        for (const Id proposition : task.positive(action.precondition)) ++needed[proposition];
    std::vector<Id> place(task.actions.size(), no_id);
    std::vector<Id> begin(task.proposition_count() + 1);
    for (Id action = 0; action < task.actions.size(); ++action) {
        for (const Id proposition : task.positive(task.actions[action].precondition))
            if (place[action] == no_id || needed[proposition] < needed[place[action]])
                place[action] = proposition;
        if (place[action] == no_id)
            always_.push_back(action);
        else
            ++begin[place[action] + 1];
    }
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<Id> waiting(begin.back());
    std::vector<Id> next(begin.begin(), begin.end() - 1);
    for (Id action = 0; action < task.actions.size(); ++action)
        if (place[action] != no_id) waiting[next[place[action]]++] = action;

    begin_.push_back(0);
    Builder builder(task, nodes_);
    for (Id p = 0; p < task.proposition_count(); ++p) {
        if (begin[p] < begin[p + 1]) {
            watched_[p >> 6U] |= std::uint64_t{1} << (p & 63U);
            builder.add(p, {waiting.data() + begin[p], waiting.data() + begin[p + 1]});
        }
        begin_.push_back(checked_id(nodes_.size()));
    }
    nodes_.shrink_to_fit();
}

void Applicability::find(const Task &task, const State &state, std::vector<Id> &result) const {
    result.clear();
    for (const Id action : always_)
        if (task.is_applicable(action, state)) result.push_back(action);
    const std::span<const std::uint64_t> words = state.words();
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::uint64_t word = words[i] & watched_[i]; word != 0; word &= word - 1) {
            const std::size_t proposition =
                i * 64 + static_cast<std::size_t>(std::countr_zero(word));
            const Id end = begin_[proposition + 1];
            for (Id node = begin_[proposition]; node < end;) {
                const auto [id, next] = nodes_[node];
                ++node;
                if (next == no_id) {
                    if (task.is_applicable(id, state)) result.push_back(id);
                } else if (!state.holds(id)) {
                    node = next;
                }
            }
        }
    std::sort(result.begin(), result.end());
}

}  // namespace asnets
