"""How the modules of a batch are connected, and the two operations along those connections.

A batch is one network whose parts are not connected, so a layer is a few operations on two tables: one
has a row for each action, schema after schema, the other a row for each proposition, predicate after
predicate (those without pools left out). Other things are numbered through in the same way:

- a link is an action with one of its slots, in the order of the actions;
- a place is a proposition with one of its predicate's pools: by predicate, pool, proposition;
- a product is a proposition's vector times the part of a schema's weights that belongs to a slot; all
  actions with the proposition in that slot share it. By predicate, slot, proposition: with a pool for
  each slot, a product has its place's number.

All of it can be scripted. TorchScript takes plain operations; Python has faster ones with gradients of
their own, because those of torch.segment_reduce are wrong where members tie (release 2.13), those of
the others slow. The gradients take slots and pools to say the same.
"""

import threading
import warnings
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

with warnings.catch_warnings():  # torch says once that sparse tensors may change
    warnings.simplefilter("ignore")
    torch.zeros(1, 1).to_sparse_csr()


class Reverse(NamedTuple):
    """What gradients need of the connections."""

    place: Tensor  # (links)
    action: Tensor  # (links)
    link: Tensor  # (links): the links in the order of members
    begin: Tensor  # (products + 1): where the users of a product begin
    users: Tensor  # (links): actions


class Connections(NamedTuple):
    """How the rows of a batch are connected."""

    action_rows: list[int]  # by schema
    proposition_rows: list[int]  # by predicate
    begin: Tensor  # (places + 1): where the members of a place begin
    members: Tensor  # (links): actions
    first_link: Tensor  # (actions + 1)
    product: Tensor  # (links)
    reverse: Reverse | None  # if gradients are wanted


class Wiring(nn.Module):
    """Makes the connections of a domain's batches; has no parameters."""

    slots: list[int]
    pools: list[int]
    uses: list[int]
    order: list[int]
    rank: list[int]
    pool_schema: list[int]
    pool_slot: list[int]
    slot_pool: list[int]

    def __init__(self, signature: dict[str, Any]) -> None:
        super().__init__()
        schemas, predicates = signature["schemas"], signature["predicates"]
        used = [p for p, predicate in enumerate(predicates) if predicate["pools"]]
        pools = [pool for p in used for pool in predicates[p]["pools"]]
        pool_of = {(pool["schema"], k): i for i, pool in enumerate(pools) for k in pool["slots"]}
        slots = [(s, k) for s, schema in enumerate(schemas) for k in range(len(schema["slots"]))]
        predicate_of = [schemas[s]["slots"][k]["predicate"] for s, k in slots]
        self.by_slot = all(len(pool["slots"]) == 1 for pool in pools)
        # By schema
        self.slots = [len(schema["slots"]) for schema in schemas]
        # By predicate: its pools, and the slots that have it
        self.pools = [len(predicates[p]["pools"]) for p in used]
        self.uses = [predicate_of.count(p) for p in used]
        # The slots of all schemas in the order of products, and where each is found there
        self.order = sorted(range(len(slots)), key=lambda slot: predicate_of[slot])
        self.rank = [self.order.index(slot) for slot in range(len(slots))]
        # By pool; by slot
        self.pool_schema = [pool["schema"] for pool in pools]
        self.pool_slot = [pool["slots"][0] for pool in pools]
        self.slot_pool = [pool_of[slot] for slot in slots]

    def forward(
        self, slots: list[Tensor], pool_begin: list[Tensor], pool_members: list[Tensor]
    ) -> Connections:
        action_rows = [each.size(0) for each in slots]
        action = 0
        link = 0
        first_action: list[int] = []  # by schema
        first_link: list[int] = []
        links: list[Tensor] = []
        for s, rows in enumerate(action_rows):
            first_action.append(action)
            first_link.append(link)
            links.append(torch.arange(rows) * self.slots[s] + link)
            action += rows
            link += rows * self.slots[s]
        links.append(torch.full((1,), link))

        proposition_rows: list[int] = []
        member = 0
        place = 0
        product = 0
        first_place: list[int] = []  # by pool
        first_product: list[int] = []  # by slot, in their order
        begin = [torch.zeros(1, dtype=torch.int64)]
        members = [torch.zeros(0, dtype=torch.int64)]
        for p, pools in enumerate(self.pools):
            rows = pool_begin[len(first_place)].numel() - 1
            proposition_rows.append(rows)
            for _ in range(pools):
                pool = len(first_place)
                begin.append(pool_begin[pool][1:] + member)
                members.append(pool_members[pool] + first_action[self.pool_schema[pool]])
                member += pool_members[pool].numel()
                first_place.append(place)
                place += rows
            for _ in range(self.uses[p]):
                first_product.append(product)
                product += rows

        result = Connections(
            action_rows,
            proposition_rows,
            torch.cat(begin),
            torch.cat(members),
            torch.cat(links),
            self.shifted(slots, [first_product[rank] for rank in self.rank]),
            None,
        )
        if torch.jit.is_scripting():  # type: ignore[attr-defined]
            return result
        else:  # noqa: RET505 (TorchScript passes over this)
            if not torch.is_grad_enabled():
                return result
            firsts = (first_action, first_link, first_place)
            return result._replace(reverse=self.reverse(result, slots, pool_members, *firsts))

    def shifted(self, slots: list[Tensor], first: list[int]) -> Tensor:
        """For each link what its slot's numbers begin with, plus the proposition's row."""
        parts = [torch.zeros(0, dtype=torch.int64)]
        slot = 0
        for s, each in enumerate(slots):
            own = torch.tensor(first[slot : slot + self.slots[s]], dtype=torch.int64)
            parts.append((each.reshape(each.size(0), own.numel()) + own).view(-1))
            slot += self.slots[s]
        return torch.cat(parts)

    def reverse(
        self,
        connections: Connections,
        slots: list[Tensor],
        pool_members: list[Tensor],
        first_action: list[int],
        first_link: list[int],
        first_place: list[int],
    ) -> Reverse:
        action = torch.cat(
            [
                torch.arange(first, first + rows).unsqueeze(1).expand(-1, width).reshape(-1)
                for first, rows, width in zip(first_action, connections.action_rows, self.slots)
            ]
        )
        if self.by_slot:
            links = [
                members * self.slots[s] + (first_link[s] + k)
                for members, s, k in zip(pool_members, self.pool_schema, self.pool_slot)
            ]
            link = torch.cat(links) if links else action
            return Reverse(
                connections.product, action, link, connections.begin, connections.members
            )
        place = self.shifted(slots, [first_place[pool] for pool in self.slot_pool])
        products = sum(n * uses for n, uses in zip(connections.proposition_rows, self.uses))
        counts = torch.bincount(connections.product, minlength=products)
        begin = F.pad(counts.cumsum(0), (1, 0))
        users = action[connections.product.argsort(stable=True)]
        return Reverse(place, action, place.argsort(stable=True), begin, users)


def sums(table: Tensor, rows: Tensor, begin: Tensor) -> Tensor:
    """For each i the sum of the table's rows that `rows` has from begin[i] to begin[i + 1]."""
    return torch.embedding_bag(table, rows, begin, False, 0, False, None, True)[0]


def plain_maxima(actions: Tensor, connections: Connections, floor: float) -> Tensor:
    """For each place and channel the maximum over its members, at least `floor`."""
    begin = connections.begin
    place = torch.arange(begin.numel() - 1).repeat_interleave(begin[1:] - begin[:-1])
    index = place.unsqueeze(1).expand(-1, actions.size(1))
    values = actions.index_select(0, connections.members)
    result = torch.full((begin.numel() - 1, actions.size(1)), floor, dtype=actions.dtype)
    return result.scatter_reduce(0, index, values, "amax")


_memory = threading.local()


def scratch(count: int, shape: tuple[int, int], dtype: torch.dtype) -> tuple[Tensor, ...]:
    """Tensors to use until the next call in this thread. Fresh memory of that size costs more time,
    page by page, than what is done with it."""
    size = shape[0] * shape[1]
    memory: Tensor = getattr(_memory, "tensor", torch.empty(0))
    if memory.numel() < count * size or memory.dtype != dtype:
        memory = _memory.tensor = torch.empty(count * size * 5 // 4, dtype=dtype)
    return tuple(memory[i * size : (i + 1) * size].view(shape) for i in range(count))


class Maxima(torch.autograd.Function):
    """plain_maxima; members that share a maximum share its gradient."""

    @staticmethod
    def forward(ctx: Any, actions: Tensor, connections: Connections, floor: float) -> Tensor:
        begin, members = connections.begin, connections.members
        size = (begin.numel() - 1, actions.size(0))
        ones = actions.new_ones(members.numel())
        matrix = torch.sparse_csr_tensor(begin, members, ones, size, check_invariants=False)
        result: Tensor = torch.sparse.mm(matrix, actions, "amax")
        empty = (begin[1:] == begin[:-1]).nonzero().view(-1)
        result.index_fill_(0, empty, floor).clamp_(min=floor)
        ctx.save_for_backward(actions, result)
        ctx.connections = connections
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        actions, result = ctx.saved_tensors
        reverse = ctx.connections.reverse
        highest, other = scratch(2, (reverse.place.numel(), actions.size(1)), actions.dtype)
        torch.index_select(result, 0, reverse.place, out=highest)
        torch.index_select(actions, 0, reverse.action, out=other)
        torch.eq(highest, other, out=highest)  # 1 where an action has the maximum, else 0
        sharing = sums(highest, reverse.link, ctx.connections.begin).clamp_(min=1)
        torch.index_select(gradient / sharing, 0, reverse.place, out=other)
        every = torch.arange(highest.size(0))
        return sums(highest.mul_(other), every, ctx.connections.first_link), None, None


class AddedProducts(torch.autograd.Function):
    """For each action the sum of its products."""

    @staticmethod
    def forward(ctx: Any, products: Tensor, connections: Connections) -> Tensor:
        ctx.reverse = connections.reverse
        return sums(products, connections.product, connections.first_link)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return sums(gradient.contiguous(), ctx.reverse.users, ctx.reverse.begin), None


def maxima(actions: Tensor, connections: Connections, floor: float) -> Tensor:
    """For each place and channel the maximum over its members, at least `floor`."""
    if torch.jit.is_scripting():  # type: ignore[attr-defined]
        return plain_maxima(actions, connections, floor)
    else:  # noqa: RET505
        result: Tensor = Maxima.apply(actions, connections, floor)  # type: ignore[no-untyped-call]
        return result


def added_products(products: Tensor, connections: Connections) -> Tensor:
    """For each action the sum of its products."""
    if torch.jit.is_scripting():  # type: ignore[attr-defined]
        return sums(products, connections.product, connections.first_link)
    else:  # noqa: RET505
        result: Tensor = AddedProducts.apply(products, connections)  # type: ignore[no-untyped-call]
        return result
