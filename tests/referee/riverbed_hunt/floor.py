"""RH-9: what may be said on the floor, and what stands of what was said.

A claim is a verb and what it is about: a seat, a space, or (of role and promise) the speaker. Verbs that contradict
each other belong to one topic; on each topic a seat's newest claim about the same thing stands (RH-9.7).
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..asking import Action

SILENT: Action = ("silent",)
CAMP_OF = {"merchant": "merchants", "leader": "separatists", "separatist": "separatists", "profiteer": "profiteer"}
ELEMENTS = ("kelp", "log", "coin")
TOPICS: dict[str, tuple[Action, ...]] = {
    "camp": tuple(("camp", camp) for camp in ("merchants", "separatists", "profiteer")),
    "role": tuple(("role", role) for role in CAMP_OF),  # READING: the chief is public, so nobody can claim to be it
    "tile": tuple(("bears", element) for element in (*ELEMENTS, "none")),
    "promise": tuple(("promise", element) for element in ELEMENTS),
    "urge tile": (("turn up",), ("leave",)),
    "urge seat": (("ask",), ("dont ask",)),
    "judge": (("believe",), ("doubt",)),
}
TOPIC_OF = {verb: topic for topic, verbs in TOPICS.items() for verb in verbs}
OF_ONESELF = ("role", "promise")  # topics that name no object
OF_TILES = ("tile", "urge tile")
LATELY = 32  # claims


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
    """RH-9.7: what each seat claims, by speaker, topic and object, and what was said lately."""

    standing: dict[tuple[int, str, int], Action] = field(default_factory=dict)
    past: dict[tuple[int, int], Action] = field(default_factory=dict)  # by speaker and space: of tiles turned up
    claims_made: int = 0
    lately: deque[tuple[int, Action, int | None, int]] = field(default_factory=lambda: deque(maxlen=LATELY))

    def hear(self, speaker: int, verb: Action, about: int, turn: int) -> None:
        """RH-9.7: the newest claim on a topic stands.

        READING: who claims a role claims its camp, and who claims another camp no longer claims the role. READING: a
        claim about a tile takes the place of the speaker's past one about the tile there.
        """
        topic = TOPIC_OF[verb]
        self.claims_made += 1
        self.standing[speaker, topic, about] = verb
        self.lately.appendleft((speaker, verb, None if topic in OF_ONESELF else about, turn))
        if topic == "tile":
            self.past.pop((speaker, about), None)
        elif topic == "role":
            self.standing[speaker, "camp", speaker] = ("camp", CAMP_OF[verb[1]])
        elif topic == "camp" and about == speaker:
            role = self.standing.get((speaker, "role", speaker))
            if role is not None and CAMP_OF[role[1]] != verb[1]:
                del self.standing[speaker, "role", speaker]

    def repeats(self, speaker: int, verb: Action, about: int) -> bool:
        """RH-9.6: whether the speaker claims that already."""
        return self.standing.get((speaker, TOPIC_OF[verb], about)) == verb

    def swap(self, first: int, second: int) -> None:
        """RH-9.7: a tile's claims travel with a swapped tile. READING: past ones too."""
        other = {first: second, second: first}
        self.standing = {
            (speaker, topic, other.get(about, about) if topic in OF_TILES else about): verb
            for (speaker, topic, about), verb in self.standing.items()
        }
        self.past = {(speaker, other.get(space, space)): verb for (speaker, space), verb in self.past.items()}

    def turn_up(self, space: int) -> None:
        """RH-9.7: claims about a tile end when it is turned up; the record keeps what it was said to bear as past."""
        for speaker, topic, about in [*self.standing]:
            if topic in OF_TILES and about == space:
                verb = self.standing.pop((speaker, topic, about))
                if topic == "tile":
                    self.past[speaker, space] = verb

    def shuffle(self, spaces: Iterable[int]) -> None:
        """RH-9.7: claims about tiles end when they are shuffled.

        READING: nobody can tell which tile they were about, so only what was said lately keeps them. READING: one tile
        alone isn't shuffled.
        """
        shuffled = {*spaces}
        if len(shuffled) > 1:
            self.standing = {
                key: verb for key, verb in self.standing.items() if key[1] not in OF_TILES or key[2] not in shuffled
            }
            self.past = {key: verb for key, verb in self.past.items() if key[1] not in shuffled}
