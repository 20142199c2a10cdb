#include "task/task.h"

namespace asnets {

std::shared_ptr<const Task> determinise(const Task &task, Determinisation kind) {
    auto result = std::make_shared<Task>(task);
    result->actions.clear();
    result->action_objects.clear();
    result->outcomes.clear();
    result->origin.clear();
    result->origin_outcome.clear();
    const auto add = [&](Id action, std::uint32_t choice) {
        GroundAction copy = task.actions[action];
        copy.outcome_begin = result->outcomes.size();
        copy.outcome_count = 1;
        result->actions.push_back(copy);
        result->outcomes.push_back(task.outcomes_of(action)[choice]);
        result->outcomes.back().probability = 1;
        const std::span<const Id> objects = task.objects_of_action(action);
        result->action_objects.insert(result->action_objects.end(), objects.begin(), objects.end());
        result->origin.push_back(action);
        result->origin_outcome.push_back(choice);
    };
    for (std::size_t schema = 0; schema < task.problem->schemas.size(); ++schema) {
        result->schema_begin[schema] = checked_id(result->actions.size());
        result->schema_objects_begin[schema] = result->action_objects.size();
        for (Id action = task.schema_begin[schema]; action < task.schema_begin[schema + 1];
             ++action) {
            const std::span<const Outcome> options = task.outcomes_of(action);
            std::uint32_t likely = 0;
            for (std::uint32_t i = 0; i < options.size(); ++i) {
                if (kind == Determinisation::all_outcomes) add(action, i);
                if (options[i].probability > options[likely].probability) likely = i;
            }
            if (kind == Determinisation::most_likely) add(action, likely);
        }
    }
    result->schema_begin.back() = checked_id(result->actions.size());
    result->applicability = Applicability(*result);
    return result;
}

}  // namespace asnets
