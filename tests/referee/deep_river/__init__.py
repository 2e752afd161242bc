"""An independent referee of Deep River, written from the rules alone and sharing nothing with the engine.

Seats: 0 = salmon, 1 = eel (neither the spec nor the book numbers them). Tiles are numbered 1 to 7 from the salmon nest;
the salmon nest is station 0 and the eel nest station 8, for fish and for the bear. Salmon swim up the numbers, eels
down. Tokens start at tile 7 and end at tile 1.

Actions

=============  =========================================================================================================
("token", i)   i = 0..2, in the order of the pack
("place", p)   0 = one's own nest, single face; 1 = one's own nest, double face; 2, 3, 4 = tiles 1, 2, 3;
               5, 6 = the two slots of the double tile (tile 4), 5 on the salmon side; 7, 8, 9 = tiles 5, 6, 7
("tilt", i)    i = 0..2
("turn",)      on the double tile: turn a pawn to its double face
("advance",)   on the double tile: advance a fish
("use",)       use the effect of the tile that a fish was advanced to
("leave",)     don't use it
=============  =========================================================================================================

The protocol of decisions: only the side whose turn it is decides. Unless the last column says otherwise a question is
asked even when it has a single answer.

========  ==========================================  =========================================  =====================
question  when                                        answers                                    not asked when
========  ==========================================  =========================================  =====================
"token"   at the start of a turn                      ("token", i) not tilted against the side   -
                                                      (at least one: see below)
"fish"    a fish is to move: once for a number, for   ("place", p) of every pawn of one's own    one has no movable
          *bear*, for *drift* and for ("advance",);   that isn't covered; pawns of one nest and  pawn: no move
          twice for *twice*                           face are one answer
"stand"   a moving pawn that is no pile has come to   ("place", p) of each lone rival on the     there is one answer
          a tile where it may stand in several        tile; with single_may_choose_empty also    only; what moves is
          places                                      the lowest empty slot                      a pile
"pile"    *swap*                                      ("place", p) of every pile, of either      there is no pile:
                                                      side                                       skipped
"tilt"    *tilt*                                      ("tilt", i) not tilted this turn           -
"double"  a double pawn has come to the double tile   ("turn",), ("advance",)                    no uncovered pawn of
                                                                                                 one's own is single:
                                                                                                 ("advance",) is done
"pawn"    a pawn is to be turned: a single pawn has   ("place", p) of every pawn of one's own    -
          come to the double tile, or ("turn",)       that is single and not covered
"use"     a fish moved by ("advance",) has come to a  ("use",), ("leave",)                       no target: a single
          tile whose effect has a target                                                         pawn on *bear*, no
                                                                                                 pile for *swap*
========  ==========================================  =========================================  =====================

Order within a turn: "token"; for each fish of its face "fish", "stand", then the questions of the tile it came to; the
bear of the face *bear*; the token moves and turns; the end of the game is looked for. ("use",) is followed by the
questions of that tile, so that "double" and "use" can come again.

Nobody is ever without a token: only *twice* moves two fish, each of them can lead to one tilt at most (whatever is
advanced from the double tile goes either to another tile or to the double tile again), so two are tilted at most.
"""
