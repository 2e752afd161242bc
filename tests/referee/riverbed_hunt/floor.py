"""RH-9: what may be said on the floor, and what stands of what was said.

A claim is an action ("claim", kind, about, said). Kind and about are its topic: on each topic a seat's newest claim
stands (RH-9.7). `about` is a seat, a space, or the speaker.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..asking import Action

SILENT: Action = ("silent",)
CAMPS = ("merchants", "separatists", "profiteer")
ROLES = ("chief", "merchant", "leader", "separatist", "profiteer")
ELEMENTS = ("kelp", "log", "coin")

Topic = tuple[str, int]


@dataclass(frozen=True)
class Talk:
    """RH-9.1: the options of talk."""

    talk: str = "none"
    speakers: str = "table"
    budget: int = 1

    def order(self, active: int, num_players: int) -> list[int]:
        """RH-9.2: who may speak in a turn, in order: clockwise from the active player's left, the active one last."""
        if self.talk == "none":
            return []
        if self.speakers == "active":
            return [active]
        return [(active + step) % num_players for step in range(1, num_players + 1)]


@dataclass
class Record:
    """RH-9.7: by speaker and topic, what each seat claims now, and what it last claimed of each seat and tile lately."""

    standing: dict[tuple[int, str, int], str] = field(default_factory=dict)
    past: list[tuple[int, str, int, str]] = field(default_factory=list)  # claims that tiles' ends have ended
    transcript: list[tuple[int, Action]] = field(default_factory=list)

    def hear(self, speaker: int, claim: Action) -> None:
        """RH-9.7: the newest claim on a topic stands."""
        _, kind, about, said = claim
        self.standing[speaker, kind, about] = said
        self.transcript.append((speaker, claim))

    def swap(self, first: int, second: int) -> None:
        """RH-9.7: a tile's claims travel with a swapped tile."""
        other = {first: second, second: first}
        self.standing = {
            (speaker, kind, other.get(about, about) if is_of_tile(kind) else about): said
            for (speaker, kind, about), said in self.standing.items()
        }

    def end(self, spaces: Iterable[int]) -> None:
        """RH-9.7: claims about a tile end when it is turned up or shuffled; the record keeps them as past."""
        ended = {*spaces}
        for topic in [*self.standing]:
            if is_of_tile(topic[1]) and topic[2] in ended:
                self.past.append((*topic, self.standing.pop(topic)))

    def new(self, speaker: int, claims: Iterable[Action]) -> Iterator[Action]:
        """RH-9.6: those of the claims that don't only repeat what the speaker claims already."""
        for claim in claims:
            _, kind, about, said = claim
            if self.standing.get((speaker, kind, about)) != said:
                yield claim


def is_of_tile(kind: str) -> bool:
    """Whether claims of this kind are about a tile."""
    return kind in ("tile", "urge tile")


def claims(speaker: int, hidden: Iterable[int], face_down: Iterable[int], others: Iterable[int]) -> Iterator[Action]:
    """RH-9.4, RH-9.6: all claims about seats whose role isn't public (`hidden`) and about face-down tiles.

    READING: a promise is about its speaker's own cards to come, so it stays legal when the speaker's role is public, and
    so do urges to ask a seat and judgements of one: they are about what to do with it, not about what its role is.
    """
    for seat in hidden:
        yield from (("claim", "camp", seat, camp) for camp in CAMPS)
        if seat == speaker:
            yield from (("claim", "role", seat, role) for role in ROLES)
    for space in face_down:
        yield from (("claim", "tile", space, element) for element in (*ELEMENTS, "none"))
        yield from (("claim", "urge tile", space, urge) for urge in ("turn up", "leave"))
    yield from (("claim", "promise", speaker, element) for element in ELEMENTS)
    for seat in others:
        yield from (("claim", "urge seat", seat, urge) for urge in ("ask", "don't ask"))
        yield from (("claim", "judge", seat, judgement) for judgement in ("believe", "doubt"))
