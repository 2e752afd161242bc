"""Networks of objects in compiled code: one forward pass for saved policies, for agents in the batch and for play-outs.

The weights are arguments of the kernels, not constants, so a network can change without compiling again.
"""

from typing import NamedTuple

import numpy as np

from .compile import Numbers, Vector, Whole, kernel

FIRST, COUNT, BEGIN = 0, 1, 2  # columns of `kinds`
REST = -1  # in place of an object: the inputs that describe none


class PackedNetwork(NamedTuple):
    """The arrays of a `players.networks.ObjectNetwork`, arranged so that inputs that are 0 cost next to nothing.

    The objects of all kinds are numbered one after the other. used: (used,), the columns of the inputs that count;
    uses: (uses, 2), an object or REST, and the row of `each` or `rest` that is added to it; begins: (used + 1,),
    where the uses of each column begin. kinds: (kinds, 3), the first action, the number of objects and the first of
    them. relations: (relations, 2), the kinds that each relates; related_by: (relations, objects, objects), the
    columns that say whether it holds. around: over the rest, the means and the maxima, if there are relations.
    advice: columns of the advice, none without it; heads: columns that choose among `named`, (kinds, heads, width),
    none if there is one. Weights are (inputs, outputs), but `plain` is (actions, inputs).
    """

    used: Whole
    begins: Whole
    uses: Whole
    kinds: Whole
    relations: Whole
    related_by: Whole
    advice: Whole
    heads: Whole
    rest: Numbers
    rest_bias: Numbers
    around: Numbers
    around_bias: Numbers
    rest_again: Numbers
    rest_again_bias: Numbers
    each: Numbers
    each_bias: Numbers
    each_again: Numbers
    context: Numbers
    context_bias: Numbers
    related: Numbers
    named: Numbers
    plain: Numbers
    plain_bias: Numbers
    trust: Numbers


@kernel
def add_product(inputs: Numbers, weight: Numbers, out: Numbers) -> None:
    """Add `inputs @ weight` to `out`; inputs that are 0 cost nothing."""
    for place in range(len(inputs)):
        number = inputs[place]
        if number != 0:
            for unit in range(len(out)):
                out[unit] += number * weight[place, unit]


@kernel
def add_inputs(net: PackedNetwork, inputs: Vector, rest: Numbers, objects: Numbers) -> None:
    """Add the inputs' products with the first layers to `rest` and to each row of `objects`."""
    for place in range(len(net.used)):
        given = inputs[net.used[place]]
        if given != 0:
            number = np.float32(given)
            for use in range(net.begins[place], net.begins[place + 1]):
                row = net.uses[use, 1]
                if net.uses[use, 0] == REST:
                    for unit in range(len(rest)):
                        rest[unit] += number * net.rest[row, unit]
                else:
                    seen = objects[net.uses[use, 0]]
                    for unit in range(len(seen)):
                        seen[unit] += number * net.each[row, unit]


@kernel
def rectify(numbers: Numbers) -> None:
    """ReLU, in place."""
    for place in range(len(numbers)):
        numbers[place] = max(numbers[place], np.float32(0.0))


@kernel
def pool(net: PackedNetwork, objects: Numbers, out: Numbers) -> None:
    """Write the mean of each kind's objects and, if there are relations, then their maxima; `out` is 0 before."""
    width, kinds = objects.shape[1], len(net.kinds)
    for kind in range(kinds):
        count, begin = net.kinds[kind, COUNT], net.kinds[kind, BEGIN]
        means = out[kind * width : (kind + 1) * width]
        for number in range(begin, begin + count):
            for unit in range(width):
                means[unit] += objects[number, unit] / np.float32(count)
        if len(net.relations):
            most = out[(kinds + kind) * width : (kinds + kind + 1) * width]  # objects are 0 or more
            for number in range(begin, begin + count):
                for unit in range(width):
                    most[unit] = max(most[unit], objects[number, unit])


@kernel
def write_logits(net: PackedNetwork, inputs: Vector, mask: Vector, out: Numbers) -> None:
    """Write the logits of one vector of inputs, (actions,), 0 for illegal actions; see `ObjectNetwork`."""
    size, width = len(net.rest_bias), net.each_bias.shape[1]
    pooled = np.zeros(len(net.around if len(net.relations) else net.rest_again), np.float32)
    rest = pooled[:size]
    rest[:] = net.rest_bias
    objects = np.empty((net.kinds[:, COUNT].sum(), width), np.float32)
    for kind in range(len(net.kinds)):
        for number in range(net.kinds[kind, COUNT]):
            objects[net.kinds[kind, BEGIN] + number] = net.each_bias[kind]
    add_inputs(net, inputs, rest, objects)
    rectify(rest)
    rectify(objects.ravel())
    pool(net, objects, pooled[size:])
    around = net.around_bias.copy()
    if len(net.relations):
        add_product(pooled, net.around, around)
        rectify(around)
        pooled = rest = around
    out[:] = 0.0
    write_named(net, inputs, mask, rest, objects, out)
    again = net.rest_again_bias.copy()
    add_product(pooled, net.rest_again, again)
    rectify(again)
    for action in range(len(out)):
        if mask[action]:
            total = net.plain_bias[action]
            for unit in range(len(again)):
                total += again[unit] * net.plain[action, unit]
            out[action] += total
    for action in range(len(net.advice)):
        if mask[action]:
            out[action] += net.trust[action] * np.float32(inputs[net.advice[action]])


@kernel
def write_named(
    net: PackedNetwork, inputs: Vector, mask: Vector, around: Numbers, objects: Numbers, out: Numbers
) -> None:
    """Add the scores of legal actions that name an object to `out`, (actions,)."""
    width, head = objects.shape[1], 0
    for place in range(len(net.heads)):
        if inputs[net.heads[place]] != 0:
            head = place
    context, again = np.empty(width, np.float32), np.empty(width, np.float32)
    for kind in range(len(net.kinds)):
        first, begin = net.kinds[kind, FIRST], net.kinds[kind, BEGIN]
        is_known = False  # whether `context` is this kind's
        for place in range(net.kinds[kind, COUNT]):
            if mask[first + place]:
                if not is_known:
                    context[:] = net.context_bias[kind]
                    add_product(around, net.context[kind], context)
                    is_known = True
                again[:] = context
                add_product(objects[begin + place], net.each_again[kind], again)
                add_related(net, inputs, kind, place, objects, again)
                rectify(again)
                for unit in range(width):
                    out[first + place] += again[unit] * net.named[kind, head, unit]


@kernel
def add_related(net: PackedNetwork, inputs: Vector, kind: int, place: int, objects: Numbers, out: Numbers) -> None:
    """Add the products of the objects that an object is related to, (width,)."""
    total = np.empty(len(out), np.float32)
    for relation in range(len(net.relations)):
        for side in range(2):
            if net.relations[relation, side] == kind:
                other = net.relations[relation, 1 - side]
                total[:] = 0.0
                for number in range(net.kinds[other, COUNT]):
                    row, column = (place, number) if side == 0 else (number, place)
                    holds = inputs[net.related_by[relation, row, column]]
                    if holds:
                        for unit in range(len(total)):
                            total[unit] += np.float32(holds) * objects[net.kinds[other, BEGIN] + number, unit]
                add_product(total, net.related[2 * relation + side], out)


@kernel
def likeliest(logits: Numbers, mask: Vector) -> int:
    """The legal action with the highest logit, the first of equals."""
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


@kernel
def write_all_logits(net: PackedNetwork, inputs: Vector, masks: Vector, out: Numbers) -> None:
    """Write the logits of n vectors of inputs, (n, actions)."""
    for row in range(len(inputs)):
        write_logits(net, inputs[row], masks[row], out[row])
