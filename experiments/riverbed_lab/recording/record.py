"""Record a corpus from Python; the command does the same with a bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from riverbed_env.corpus.corpus import Corpus
from riverbed_env.corpus.manifest import Manifest

from ..locks import locked
from .run import Done, Recording, one_after_another
from .workers import several


def record_corpus(manifest: Manifest, folder: Path | str, *, workers: int = 1) -> Corpus:
    """Play what a folder lacks of a manifest's corpus, write the hashes, and return the corpus.

    After an error finished parts stay, and the same call resumes.

    Args:
        manifest: without `parts` for a new corpus; with them, each part must come out with its hash.
        folder: where the corpus is written.
        workers: how many processes play; with 1 this one does.

    Returns:
        The whole corpus.

    Raises:
        OptionError: an agent or option doesn't exist, or the folder holds something else.
        RiverbedError: a part comes out with another hash, or a worker is killed.
        WriteError: a file can't be written.
        PackError: a content pack can't be read or breaks a rule.
    """
    place = Path(folder)
    recording = Recording.of(manifest, place)
    with locked(place):
        recording.open()
        for _ in played(recording, recording.every_part, workers):
            pass
        recording.finish()
    return Corpus(place)


def played(recording: Recording, parts: Sequence[int], workers: int) -> Iterator[Done]:
    """Play those of these parts that aren't there yet; yields each when it is written."""
    left = recording.left(parts)
    if min(workers, len(left)) <= 1:
        return one_after_another(recording, left)
    return several(recording, left, workers)
