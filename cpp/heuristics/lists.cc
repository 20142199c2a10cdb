#include "heuristics/lists.h"

namespace asnets {

Lists Lists::inverted(std::size_t count) const {
    Lists result;
    result.begin_.assign(count + 1, 0);
    result.members_.resize(members_.size());
    for (const Id member : members_) ++result.begin_[member + 1];
    for (std::size_t i = 0; i < count; ++i) result.begin_[i + 1] += result.begin_[i];
    std::vector<std::uint64_t> next(result.begin_.begin(), result.begin_.end() - 1);
    for (Id list = 0; list < size(); ++list)
        for (const Id member : (*this)[list]) result.members_[next[member]++] = list;
    return result;
}

OpenLists::OpenLists(const Lists &room) : parts_(room.size()), members_(room.total()) {
    for (Id list = 0; list < room.size(); ++list) parts_[list].begin = checked_id(room.begin(list));
}

PackedLists::PackedLists(const std::vector<std::vector<Id>> &lists) {
    for (const std::vector<Id> &list : lists) {
        members_.insert(members_.end(), list.begin(), list.end());
        begin_.push_back(checked_id(members_.size()));
    }
    members_.shrink_to_fit();
}

}  // namespace asnets
