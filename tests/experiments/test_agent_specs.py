"""How agents are named: installed ones with parameters, and those of modules and files."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import identifier
from riverbed_env.kernels.random import STREAM
from riverbed_env.players import installed as installed_agents
from riverbed_env.players.agents import UNIFORM, CompiledAgent, OneByOne, PythonAgent
from riverbed_env.players.installed import agent_parameters
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import play_seated

FILE = Path(__file__).with_name("agents_of_a_file.py")
FORD = find_game("ford_v0")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents of the file as entry points of the toy game."""
    monkeypatch.syspath_prepend(str(FILE.parent))
    names = {"nth": "nth_legal", "drawn": "Drawn", "plain": "DRAWN"}
    found = {name: EntryPoint(name, f"agents_of_a_file:{value}", "riverbed.agents") for name, value in names.items()}
    monkeypatch.setattr(installed_agents, "entries_of", lambda group, game: found)


@pytest.mark.usefixtures("installed")
def test_an_installed_factory_takes_parameters_and_has_defaults() -> None:
    found = find_agent("drawn:which=3,share=0.25,backwards=True,label=a b", "ford")
    assert found.name == "drawn:which=3,share=0.25,backwards=True,label=a b"
    assert isinstance(found, PythonAgent)
    assert found.act.__self__.given == (3, 0.25, True, "a b")  # type: ignore[attr-defined]
    assert find_agent("drawn", "ford").act.__self__.given == (0, 0.5, False, "x")  # type: ignore[attr-defined]
    assert (find_agent("drawn", "ford").memory_size, find_agent("plain", "ford").name) == (1, "plain")


@pytest.mark.usefixtures("installed")
def test_the_parameters_of_installed_agents_are_told() -> None:
    assert agent_parameters("drawn", "ford") == {"which": 0, "share": 0.5, "backwards": False, "label": "x"}
    assert agent_parameters("nth", "ford") == {"nth": 0}
    assert agent_parameters("plain", "ford") == {}
    assert agent_parameters("random", "ford") == {}


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("drawn:wich=3", r"no parameter 'wich' \(did you mean 'which'\?\); there are: which=0, share=0.5"),
        ("drawn:which=3,which=4", "no parameter 'which' twice"),
        ("drawn:which=three", "which must be of type int, not 'three'"),
        ("drawn:share=many", "share must be of type float"),
        ("drawn:backwards=maybe", "backwards must be of type bool"),
        ("drawn:which=3,label", "no parameter 'label'"),
        ("drawn:which", "written key=value, not 'which'"),
        ("nth:name=x", "no parameter 'name'; there are: nth=0"),
        ("plain:which=3", "takes no parameters"),
        ("random:which=3", "takes no parameters"),
        ("drwn", r"did you mean 'drawn'\?\).*package\.module:attribute"),
        ("no.such.module:x", "can't be loaded: No module named 'no'"),
        ("nowhere.py:x", "can't be loaded"),
        ("./nowhere:x", "neither a package.module nor a path"),
        (str(FILE), "write .*agents_of_a_file.py:NAME, one of .*last_legal"),
        ("model.zip", "or path/policy.npz, and a model by agent_of"),
        (f"{FILE}:last_legl", r"did you mean 'last_legal'"),
        (f"{FILE}:last_legal:a=1", "a function of one game and takes no parameters"),
        (f"{FILE}:nothing", "the factory returned int, which has no act"),
        (f"{FILE}:too_many", "this one requires one, other"),
        (f"{FILE}:NUMBER", "neither an agent"),
    ],
)
def test_a_wrong_spec_is_refused_with_what_is_allowed(spec: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        find_agent(spec, "ford")


@pytest.mark.parametrize(("name", "successor"), [("search", "lookahead"), ("trained:greedy=false", "student")])
def test_a_retired_agent_is_refused_with_its_successor(name: str, successor: str) -> None:
    with pytest.raises(OptionError, match=rf"of riverbed_hunt_v1 has retired: use '{successor}'$"):
        find_agent(name, "riverbed_hunt_v1")
    assert find_agent("search", "deep_river").name == "search"


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def choose(:\n")
    with pytest.raises(OptionError, match=r"can't be loaded: .*(invalid syntax|broken\.py)"):
        find_agent(f"{tmp_path / 'broken.py'}:choose", "ford")


def test_a_module_of_the_working_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "of_the_working_folder.py").write_text("def first(o, mask, m, rng):\n    return int(mask.argmax())\n")
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    found = find_agent("of_the_working_folder:first", "ford")
    assert (found.name, sys.path) == ("of_the_working_folder:first", path)
    del sys.modules["of_the_working_folder"]


def test_a_function_of_one_game_is_an_agent() -> None:
    found = find_agent(f"{FILE}:last_legal", "ford")
    assert (found.name, found.memory_size) == (f"{FILE}:last_legal", 1)
    assert getattr(found, "about", "") == "The last legal action."
    masks = np.array([[1, 1, 0], [1, 0, 1]], np.int8)
    memory = np.zeros((2, 1), np.int32)
    assert found.act(np.zeros((2, 4), np.int8), masks, memory, np.zeros(2, STREAM)).tolist() == [1, 2]
    assert memory.tolist() == [[1], [1]]


@pytest.mark.compiled
@pytest.mark.parametrize(("given", "shown"), [(None, "None"), (1.5, "1.5"), ([1], r"\[1\]"), ("1", "'1'")])
def test_what_is_no_action_is_named_with_its_agent(given: object, shown: str) -> None:
    agent = PythonAgent("odd", OneByOne(lambda observation, mask, memory, rng: given))  # type: ignore[arg-type,return-value]
    with pytest.raises(OptionError, match=f"agent 'odd' must choose an action's number, not {shown}"):
        play_seated(FORD, [agent], np.zeros((3, 3), np.int64), np.arange(3), 0)


@pytest.mark.compiled
def test_of_several_answers_the_wrong_one_is_named() -> None:
    given = iter([np.int64(1), True, None])
    agent = PythonAgent("odd", OneByOne(lambda observation, mask, memory, rng: next(given)))  # type: ignore[arg-type,return-value]
    with pytest.raises(OptionError, match="agent 'odd' must choose an action's number, not None"):
        play_seated(FORD, [agent], np.zeros((3, 3), np.int64), np.arange(3), 0)


def test_a_file_is_loaded_once() -> None:
    one, other = (find_agent(f"{FILE}:{name}", "ford") for name in ("DRAWN", "DRAWN"))
    assert one.act.__self__ is other.act.__self__  # type: ignore[attr-defined]


def test_names_of_kernels_are_safe_and_different() -> None:
    specs = ["search:depth=2", "search:depth_2", "search_depth=2", "a/b.py:C", "a_b.py:C", "x" * 300, "x" * 301]
    names = [identifier(spec) for spec in specs]
    assert all(name.isidentifier() and len(name) < 60 for name in names)
    assert len(set(names)) == len(specs)
    assert identifier("simple") == "simple"


@pytest.mark.compiled
def test_one_agent_with_different_parameters_sits_compiled_at_one_table() -> None:
    table = [find_agent(f"{FILE}:nth_legal:nth={nth}", "ford") for nth in (0, 1)]
    assert all(isinstance(agent, CompiledAgent) for agent in table)
    python = [PythonAgent(agent.name, agent.act) for agent in table]
    seats = np.tile([[0, 1], [1, 0], [0, 0], [1, 1]], (5, 1))
    numbers = np.repeat(np.arange(5), 4)
    compiled = play_seated(FORD, table, seats, numbers, 3, num_players=2)
    stepwise = play_seated(FORD, python, seats, numbers, 3, num_players=2)
    assert compiled.games.tobytes() == stepwise.games.tobytes()
    assert compiled.games[2].tobytes() != compiled.games[3].tobytes()


def test_random_play_is_found_as_it_is() -> None:
    assert find_agent("random", "ford") == UNIFORM
