"""A leak kit for any environment of PettingZoo with hidden information: paired worlds and a statistical attack.

    from riverbed_env.testing.leaks import Follow, paired_worlds_test, random_moments

    report = paired_worlds_test(make_env, twin, follow=Follow(knows=what_an_agent_knows))

`paired_worlds_test` compares worlds that differ only in what an agent may not know, by all that reaches it, and plays
on in both; `paired_games_test` does so with games built in pairs. `attack` trains classifiers on what reaches an agent
and compares them with the exact posterior of hidden facts; `gather` collects the samples.
"""

from .attack import AttackReport, attack
from .channels import Channels, aec_channels, as_aec, names_of
from .compare import Difference, differences
from .copies import copy_env
from .following import Disclosure, Follow, Step, any_legal
from .models import Linear, Model, Trees
from .report import BlindnessError, Leak, NoTwinError, Report, SideEffectError, TwinError
from .samples import Samples, Secret, gather
from .worlds import compare_worlds, hidden_differences, paired_games_test, paired_worlds_test, random_moments

__all__ = [
    "AttackReport",
    "BlindnessError",
    "Channels",
    "Difference",
    "Disclosure",
    "Follow",
    "Leak",
    "Linear",
    "Model",
    "NoTwinError",
    "Report",
    "Samples",
    "Secret",
    "SideEffectError",
    "Step",
    "Trees",
    "TwinError",
    "aec_channels",
    "any_legal",
    "as_aec",
    "attack",
    "compare_worlds",
    "copy_env",
    "differences",
    "gather",
    "hidden_differences",
    "names_of",
    "paired_games_test",
    "paired_worlds_test",
    "random_moments",
]
