"""An independent referee of Riverside, written from the rules alone and sharing nothing with the engine.

The protocol of decisions. A round has two phases with decisions (phase 1 has none). In each, every seat has its own
questions, one after the other; answers of other seats don't change them. `pending` are the seats with a question left
in the phase; they may answer in any order. The phase is over when nobody is pending. Every question is asked, even with
a single answer, at the times given here and at no others.

Phase 2, of every seat:

| question | when                                        | answers                                                  |
| -------- | ------------------------------------------- | -------------------------------------------------------- |
| `die`    | first, once                                 | `("die", colour, green, fan)`, if its fire can be paid   |
| `seat`   | for every single seat to be crossed out, as | `("seat", boat, row)`: each row, 1 to 4 from the top, of |
|          | long as its boat has a seat left            | the boat being filled that has a seat left               |

In `die`, colour is the base die's; green is `"plain"` (without the green die), `"green"` (with it) or
`"green and warm"` (with it, on Warm night); fan is whether Fan base is used. Powers are offered when available, even to
no use. The seats of the dice value come first, then those of each waiting bonus, in the order of completed rows.

Phase 3, of every seat:

| question  | when                                       | answers                                                     |
| --------- | ------------------------------------------ | ----------------------------------------------------------- |
| `village` | first, even if `stay` is all there is      | `("village", place)`, `("speed",)`, `("stay",)`             |
| `village` | after `speed`                              | `("village", place)`                                        |
| `score`   | after `village`                            | `("score", boat)`, `("score with prize", boat)`             |
| `more`    | after a score, if there is something else  | `("score", boat)`, `("score with prize", boat)`,            |
|           | to choose than `done`                      | `("early",)`, `("done",)`                                   |
| `village` | after `early`                              | `("village", place)` but the first, `("speed",)`; no `stay` |

A village is offered if it can be reached with the +1s left and something can be scored there; the fewest +1s needed are
crossed out when it is chosen. `speed` (Speed boat) is offered where it helps, `early` (Early birds) only in `more` at
the first village, where a second one can be scored, if need be with Speed boat. The boat of a score is a colour or
`"church"`; `score with prize` calls the Prize ticket. A score is offered if it is above the boat's previous one and
above 0, and the boat wasn't scored yet at this visit. `stay` and `done` end the phase for the seat, as does the last
score when `more` isn't asked.

Places: the north row from west to east, then the south row from west to east, from 1.
"""
