"""An independent referee of River Rats, written from the rules alone and sharing nothing with the engine.

The protocol of decisions. "The seat" is the one whose turn it is, "the next" the seat after it clockwise (in a
resolution: the one whose turn comes next). A row's question is asked even if it has a single answer; but where a row
says "while", it isn't asked otherwise. What leaves nothing to choose is carried out along with the answer before it:
the hearts action's debt, the card that the hearts power turns up, the solo clubs action's card (and the solo clubs
power's first), an expert joker's first card.

================ ========== ============================================= ============================================
question         asked      when                                          answers
================ ========== ============================================= ============================================
`ace`            each seat  once, at the setup, in seat order             ("card", ace not chosen yet)
`draw`           the seat   while its hand is under 3 and market, deck    ("card", of the market); ("draw",) if deck or
                            or discard hold a card                        discard do; ("joker",) if usable, before the
                                                                          turn's first draw
`play`           the seat   then                                          ("card", of the hand); ("joker",) if usable
                                                                          and nothing was drawn this turn
`action`         the seat   after each card played face-up                ("no",); ("act",); ("power",)
`discard`        the seat   spades action, spades power                   ("card", of hand or market)
`discard more`   the seat   spades power, while the zone of the first     ("card", of that zone); ("no",)
                            card holds another
`to market`      the seat   clubs action, clubs power; not solo           ("card", of the hand)
`more to market` the seat   clubs power, once, while the market has room  ("card", of the hand), solo ("draw",);
                            and there is a card for it                    ("no",)
`swap out`       the seat   diamonds action, diamonds power               ("card", of the collective hand)
`swap in`        the seat   then                                          ("card", of the hand; power: of the market)
`add debt`       the seat   hearts power, after the card is turned up     ("debt",) if deck or discard hold a card;
                                                                          ("no",)
`remove`         the next   advanced: a joker was used                    ("card", face-up of the rat's); ("hidden",)
`use joker`      the next   expert: at each resolution, while a joker is  ("joker",); ("no",)
                            face-up and deck or discard hold a card
`reveal more`    the next   expert: after each card revealed, while it    ("draw",); ("no",)
                            is no bust and deck or discard hold a card
================ ========== ============================================= ============================================

A joker is usable in a turn when one is face-up, none was used for this collective hand, the mode isn't expert, and
it wouldn't be the spades rat's first card. A seat with no card in hand and nothing to draw that can use a joker is
asked `play` with this one answer; one that can't is skipped unasked.
"""
