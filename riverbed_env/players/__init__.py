"""Who sits in the seats: agents, saved policies, lineups, and the arena they play in."""

from riverbed_env.core.features import FeatureSet
from riverbed_env.core.transcript import say

from .agents import UNIFORM, Agent, CompiledAgent, PythonAgent
from .arena import Arena
from .features import advice, feature_names, find_feature_set
from .installed import agent_parameters, list_agents
from .lineups import Lineups, lineups
from .policies import PolicyConfig, SavedPolicy, load_policy, save_policy
from .specs import find_agent

__all__ = [
    "UNIFORM",
    "Agent",
    "Arena",
    "CompiledAgent",
    "FeatureSet",
    "Lineups",
    "PolicyConfig",
    "PythonAgent",
    "SavedPolicy",
    "advice",
    "agent_parameters",
    "feature_names",
    "find_agent",
    "find_feature_set",
    "lineups",
    "list_agents",
    "load_policy",
    "save_policy",
    "say",
]
