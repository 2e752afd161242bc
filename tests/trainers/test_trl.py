"""TRL finds the game's tool and its types, and its own trainer learns from games; run by `make trainers`."""

from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("trl")

from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from trainers.players import choices
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, set_seed
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from riverbed_lab.seat_env.trl import SeatTools

FACTORY = partial(SeatTools, players=4, opponents="simple")
SMALL = partial(SeatTools, game="river_rats_v0", players=2, opponents="simple", reward="worth", worlds=2, moves=1)

# What the model may say, and how likely: choices 1 and 2 as calls of the tool, and the end of its turn.
CALL = '<tool_call>\n{{"name": "act", "arguments": {{"choice": {number}}}}}\n</tool_call>'
END = "<|im_end|>"
LIKED = {CALL.format(number=1): 30.0, CALL.format(number=2): 30.0, END: 26.0}


def test_the_tool_is_named_and_typed() -> None:
    schema = get_json_schema(FACTORY().act)["function"]
    assert schema["name"] == "act"
    assert schema["parameters"]["properties"]["choice"]["type"] == "integer"
    assert schema["parameters"]["required"] == ["choice"]


def test_a_game_by_calls_of_its_tool_has_the_reward_of_its_end() -> None:
    tools = FACTORY(reward="win")
    asked = tools.reset(index=5, prompt="ignored")
    assert tools.get_reward() == -1  # not over
    while numbers := choices(asked):
        assert "isn't among the numbers" in tools.act(0)
        asked = tools.act(numbers[0])
    assert tools.get_reward() in (0, 1)
    with pytest.raises(ValueError, match="over"):
        tools.act(1)


def tokenizer() -> PreTrainedTokenizerFast:
    """Bytes, and a token for each thing that the model may say."""
    signs = {sign: number for number, sign in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    raw = Tokenizer(models.BPE(vocab=signs, merges=[]))
    raw.pre_tokenizer, raw.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token=END, pad_token="<|pad|>")
    made.add_tokens(list(LIKED))
    made.chat_template = qwen3_chat_template
    return made


def test_two_steps_of_grpo_learn_from_games_that_the_model_plays_by_its_tool(tmp_path: Path) -> None:
    set_seed(0)
    words = tokenizer()
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "max_position_embeddings": 1 << 16}
    config = Qwen2Config(vocab_size=len(words), num_attention_heads=1, num_key_value_heads=1, **sizes)
    liked = {(words.convert_tokens_to_ids(word),): more for word, more in LIKED.items()}
    how = GRPOConfig(
        output_dir=str(tmp_path),
        max_steps=2,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=2000,
        generation_kwargs={"sequence_bias": liked},
        report_to=[],
        use_cpu=True,
        save_strategy="no",
        logging_steps=1,
    )
    asked = Dataset.from_dict({"prompt": [[{"role": "user", "content": "Play."}]] * 4, "index": range(4)})
    model = Qwen2ForCausalLM(config)
    trainer = GRPOTrainer(model, args=how, train_dataset=asked, processing_class=words, environment_factory=SMALL)
    before = model.lm_head.weight.detach().clone()
    trainer.train()
    steps = [each for each in trainer.state.log_history if "reward" in each]
    assert len(steps) == 2
    assert all(each["tools/call_frequency"] > 0 for each in steps)
    assert any(each["reward_std"] > 0 and each["grad_norm"] > 0 for each in steps)
    assert not before.equal(model.lm_head.weight)
