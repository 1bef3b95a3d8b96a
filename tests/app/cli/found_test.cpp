// Settings beyond what was opened, in every lab that opens something.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cli_rig.h"

namespace found_test {

using namespace cli_rig;  // NOLINT: as words are given

namespace {

const std::string kLlama =
    "folder=" + std::string(ATTNSCOPE_SOURCE_DIR) + "/tests/reference/checkpoints/llama-dynamic";

const std::vector<std::string> kStory = {"from=trained"};

// `set` is refused with these settings, and with which words.
struct Beyond {
  std::string lab;
  std::vector<std::string> with;
  std::string set, why;
};

const std::vector<Beyond>& all() {
  static const std::vector<Beyond> kAll = {
      {"checkpoint", {"model=gpt2"}, "layer=9", "an integer from 1 to 3 in gpt2, got 9"},
      {"checkpoint", {kLlama}, "head=9", "an integer from 1 to 4 in llama-dynamic, got 9"},
      {"checkpoint", {"text=a cat"}, "token=9", "an integer from -1 to 2 in this text, got 9"},
      {"checkpoint", {"model=gpt2"}, "key=500", "an integer from -1 to 24 in this text, got 500"},
      {"checkpoint",
       {"model=gpt2", "view=next"},
       "most=256",
       "an integer from 0 to 104 in this text, got 256"},
      {"checkpoint",
       {"model=t5", "attention=cross", "decoder_text=The dog"},
       "token=9",
       "an integer from -1 to 4 in this text, got 9"},
      {"gpt_inside", {}, "layer=3", "an integer from 1 to 2 in this model, got 3"},
      {"gpt_inside", {"model=sort"}, "layer=2", "an integer from 1 to 1 in this model, got 2"},
      {"gpt_inside", {}, "head=9", "an integer from 1 to 1 in this model, got 9"},
      {"gpt_inside", {}, "token=200", "an integer from -1 to 47 in this text, got 200"},
      {"gpt_inside", {}, "key=48", "an integer from -1 to 47 in this text, got 48"},
      {"gpt_inside", {}, "hidden=200", "an integer from -1 to 47 in this text, got 200"},
      {"gpt_inside", {}, "swap_first=90", "an integer from -1 to 47 in this text, got 90"},
      {"gpt_inside",
       {"swap_first=1"},
       "swap_second=90",
       "an integer from -1 to 47 in this text, got 90"},
      {"gpt_inside", {"view=stream"}, "part=77", "an integer from 0 to 4 in this model, got 77"},
      {"gpt_inside",
       {},
       "knocked=2.1 3.1 otter",
       "any of 1.1, 2.1 in this model, got \"3.1 otter\""},
      {"gpt_inside",
       {"view=circuits"},
       "row=127",
       "an integer from 0 to 34 in this model, got 127"},
      {"gpt_inside", {"view=circuits"}, "col=99", "an integer from 0 to 34 in this model, got 99"},
      {"gpt_inside", {"view=circuits"}, "through=8", "an integer from 0 to 1 in this model, got 8"},
      {"gpt_inside",
       {"view=circuits", "model=addition"},
       "distance=64",
       "an integer from 0 to 12 in this model, got 64"},
      {"gpt_inside",
       {"from=published", "published=gpt2"},
       "knocked=9.1",
       "any of 1.1, 1.2, 1.3, 1.4, 2.1, 2.2, 2.3, 2.4, 3.1, 3.2, 3.3, 3.4 in gpt2, got 9.1"},
      {"gpt_inside",
       {"from=published", kLlama},
       "layer=9",
       "an integer from 1 to 2 in llama-dynamic, got 9"},
      {"gpt_inside",
       {"from=published", "published=gpt2"},
       "token=200",
       "an integer from -1 to 24 in this text, got 200"},
      {"cache", {}, "layer=9", "an integer from 1 to 4 in english, got 9"},
      {"cache", {"text=a cat"}, "token=9", "an integer from 0 to 2 in this text, got 9"},
      {"cache", kStory, "layer=3", "an integer from 1 to 2 in this model, got 3"},
      {"cache", kStory, "head=9", "an integer from 1 to 1 in this model, got 9"},
      {"cache", kStory, "token=127", "an integer from 0 to 47 in this text, got 127"},
      {"cache",
       {"from=trained", "explain=weight"},
       "key=21",
       "an integer from 0 to 20 in the cache, got 21"},
      {"cache",
       {"view=eviction", "from=trained", "model=addition"},
       "window=50",
       "an integer from 1 to 13 in this model, got 50"},
      {"cache",
       {"view=eviction", "from=trained", "model=addition", "window=10"},
       "sinks=4",
       "an integer from 0 to 3 in this model, got 4"},
      {"cache", {"view=tiles"}, "tile=999", "an integer from 0 to 63 in this walk, got 999"},
      {"gpt_training", {}, "layer=3", "an integer from 1 to 2 in this model, got 3"},
      {"gpt_training", {}, "head=2", "an integer from 1 to 1 in this model, got 2"},
      {"gpt_training", {}, "place=100", "an integer from -1 to 47 in this text, got 100"},
      {"gpt_training", {}, "token=100", "an integer from -1 to 47 in this text, got 100"},
      {"gpt_training",
       {"explain=number"},
       "dim=63",
       "an integer from 0 to 31 in this model, got 63"},
      {"gpt_training",
       {"task=own", "made=own", "corpus=the cat sat on the mat and so", "steps=1", "step=1"},
       "length=128",
       "an integer from 8 to 28 in the text to learn, got 128"},
      {"translation", {}, "layer=3", "an integer from 1 to 1 in this model, got 3"},
      {"translation", {}, "head=8", "an integer from 1 to 2 in this model, got 8"},
      {"translation", {}, "row=40", "an integer from 0 to 10 in this text, got 40"},
      {"translation", {"part=encoder"}, "row=60", "an integer from 0 to 14 in this text, got 60"},
      {"translation", {}, "token=50", "an integer from -1 to 14 in this text, got 50"},
      {"translation",
       {"explain=number"},
       "dim=255",
       "an integer from 0 to 31 in this tensor, got 255"},
      {"alignment", {}, "row=40", "an integer from 0 to 10 in this text, got 40"},
      {"alignment", {}, "token=50", "an integer from -1 to 14 in this text, got 50"},
      {"alignment",
       {"explain=context"},
       "dim=127",
       "an integer from 0 to 47 in this model, got 127"},
      {"alignment",
       {"explain=state", "states=forward"},
       "number=24",
       "an integer from 0 to 23 in this model, got 24"},
      {"alignment",
       {"weights=here", "task=reversal", "letters=6", "shortest=4", "longest=4", "batch=16",
        "hidden=16", "width=16", "beside=false", "steps=1", "step=1"},
       "stage=199",
       "an integer from 0 to 23 in this step, got 199"},
      {"documents", {}, "at_sentence=40", "an integer from 0 to 6 in this text, got 40"},
      {"documents",
       {"at_sentence=2"},
       "at_word=40",
       "an integer from 0 to 6 in this sentence, got 40"},
      {"documents",
       {"text=The food was good."},
       "deleted=1.1 9.9 x",
       "any of 1.1, 1.2, 1.3, 1.4 in this text, got \"9.9 x\""},
      {"documents", {}, "dim=31", "an integer from 0 to 15 in this model, got 31"},
      {"documents",
       {"explain=state"},
       "number=31",
       "an integer from 0 to 15 in this model, got 31"},
      {"decoding", {}, "token=5", "an integer from -1 to 4 in these rules, got 5"},
      {"decoding", {"from=model"}, "token=900", "an integer from -1 to 38 in this model, got 900"},
      {"decoding",
       {"from=published", "published=gpt2"},
       "token=5000",
       "an integer from -1 to 456 in gpt2, got 5000"},
      {"decoding",
       {"from=model", "model=addition", "prompt=123+456=57"},
       "steps=6",
       "an integer from 1 to 3 in the room after the prompt, got 6"},
  };
  return kAll;
}

std::vector<std::string> words_of(const Beyond& one, const std::string& out) {
  std::vector<std::string> words{"export", one.lab, "-o", out};
  for (const std::string& setting : one.with) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), {"--set", one.set});
  return words;
}

}  // namespace

TEST_CASE("a setting beyond what was opened is refused with what there is, in every lab") {
  const Folder folder;
  const std::string out = folder / "o.json";
  for (const Beyond& one : all()) {
    CAPTURE(one.lab);
    CAPTURE(one.set);
    const std::vector<std::string> words = words_of(one, out);
    const std::string id = one.set.substr(0, one.set.find('='));
    CHECK(run(words) == 2);
    CHECK(said(words) == "attnscope: " + id + ": expected " + one.why + "\n");
  }
  CHECK(!fs::exists(out));
}

}  // namespace found_test
