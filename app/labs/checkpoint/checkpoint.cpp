#include "app/labs/checkpoint/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::checkpoint {
namespace {

std::vector<Preset> presets() {
  return {
      {"heads", N_("Every head of a folder"),
       N_("The layout of GPT-2 with random weights: three layers of four heads. Choose a folder of "
          "your own and type a text; the heads of the first layer appear while the last is "
          "computed."),
       ""},
      {"weight", N_("A weight taken apart"),
       N_("Four query heads of the LLaMA layout read two key heads: head 3 reads key head 2. The "
          "numbers of q and k are those after their turn, and the weight follows from them."),
       "model=llama | layer=2 | head=3 | token=9 | key=3"},
      {"half_character", N_("Half a character"),
       N_("In this small vocabulary each character of this text is two or three tokens, none of "
          "which can be read alone: each shows its bytes."),
       "text=猫坐在垫子 | token=0"},
      {"next", N_("What it says next"),
       N_("The likeliest tokens, and what each layer would have said. The weights are random: the "
          "probabilities follow from them exactly and mean nothing."),
       "view=next"},
      {"sampled", N_("Drawn, not chosen"),
       N_("The same text goes on by chance: temperature 1.5, seed 7. The same seed writes the same "
          "text, with the cache as without it."),
       "model=llama | view=next | samples=true | temperature=1.5 | seed=7"},
      {"ten_thousand", N_("Ten thousand positions away"),
       N_("The text stands at position 10,000 and ids are bfloat16: 64 of them are one number "
          "there. Rounded cosines and sines change logits by less than a twentieth of that."),
       "model=llama | view=positions"},
      {"first_positions", N_("The same at the beginning"),
       N_("From position 0 on all ids of a short text are bfloat16 numbers: rounding them changes "
          "nothing at all, to the last bit of every logit. Where it stands decides."),
       "model=llama | view=positions | offset=0"},
      {"float16", N_("Ids that are infinite"),
       N_("float16 ends at 65,504: at 70,000 every id is infinite, its cosine is no number, and "
          "there are no logits left. Tables in float16 do no harm."),
       "model=llama | view=positions | offset=70000 | format=float16"},
      {"stretched", N_("Stretched fourfold"),
       N_("yarn, factor 4, as config.json says: the slow pairs of eight are four times slower, the "
          "fast ones as they were. The buttons open other labs with these numbers."),
       "model=llama | view=positions | rounded=everything | offset=4096"},
      {"own_format", N_("A format of your own"),
       N_("One sign, four exponent and three mantissa bits, with infinities: ids end at 240, and "
          "at "
          "250 there are no logits left. Without special values the format reaches 480, and there "
          "are."),
       "model=llama | view=positions | offset=250 | format=custom"},
      {"alibi", N_("Six slopes"),
       N_("The layout of BLOOM: 6 is no power of two, so the last two slopes are the first and the "
          "third of eight heads. Open ALiBi under rounding to see what they lose."),
       "model=bloom | view=positions | head=5"},
      {"penalty", N_("A penalty by distance"),
       N_("Of head 5, whose slope of 1/2 is the steepest, a weight is taken apart: b is minus "
          "the slope times the distance."),
       "model=bloom | head=5 | token=12 | key=10"},
      {"masked", N_("A word that is hidden"),
       N_("The layout of BERT: every token sees every other, and what could stand in the place of "
          "[MASK] is a probability for each token of its vocabulary."),
       "model=bert | view=next | token=4"},
      {"buckets", N_("Buckets of distance"),
       N_("The layout of T5: nothing is turned, each head adds a number by distance. To one side "
          "all distances from 91 tokens on are one in the encoder, from 113 on in the decoder."),
       "model=t5 | view=positions"},
      {"cross", N_("One text looks at another"),
       N_("The decoder of the T5 layout looks at the encoder's text. Scores are not divided by √d, "
          "and positions do nothing here."),
       "model=t5 | attention=cross | layer=2 | head=3 | decoder_text=The dog | token=2 | key=4"},
      {"file", N_("What is in the file"),
       N_("Types of numbers, tied weights, and the tensors and settings that nothing reads: "
          "config.json and the headers tell all of it."),
       "view=file"},
  };
}

void describe_model(Parameters& p, param::List& list) {
  list.group(N_("Model"));
  list.choice(p.shipped, "model", N_("Small model"),
              N_("Layouts of published models with random weights, which travel with the program"),
              {{"gpt2", N_("GPT-2")},
               {"llama", N_("LLaMA")},
               {"bloom", N_("BLOOM")},
               {"bert", N_("BERT")},
               {"t5", N_("T5")}},
              {.active = p.shows_shipped()});
  list.file(p.folder, "folder", N_("Folder"),
            N_("A model as it is downloaded: config.json, model.safetensors or its shards, and the "
               "files of its tokenizer. The folder, or a file in it; drop it on the window"),
            kPublishedEndings);
}

// Of a folder it is not known before it was opened.
bool may_have_two(const Parameters& p, const param::List& list) {
  if (p.shows_shipped()) return p.shipped == Shipped::t5;
  const auto& found = std::get<param::Name>(list.items().back().kind).names;
  return !found || found->size() > 1;
}

void describe_text(Parameters& p, param::List& list) {
  list.group(N_("Text"));
  list.text(p.text, "text", N_("Text"),
            N_("What the model reads; empty: a sentence. Without a tokenizer numbers of tokens, "
               "with spaces between them"),
            100'000);
  list.name(p.attention, "attention", N_("Attention"),
            N_("Of a model with an encoder: the decoder's, that of the decoder on the encoder, or "
               "the encoder's"),
            attention_of(p), 0);
  const bool two = may_have_two(p, list);
  list.items().back().info.active = two;
  list.text(p.decoder_text, "decoder_text", N_("Decoder's text"),
            N_("What the decoder has written so far, after the token that it begins with"), 100'000,
            {.active = two});
  describe_around(p.around, list);
}

void describe_looks(Parameters& p, param::List& list) {
  const bool heads = p.view == View::heads, places = p.view == View::positions;
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Heads: where each one looks. Next: what the model says. Positions: how it knows "
                 "where tokens stand, and what rounding that does. File: what the folder holds"),
              {{"heads", N_("heads")},
               {"next", N_("next token")},
               {"positions", N_("positions")},
               {"file", N_("file")}},
              {.tabs = true});
  list.integer(p.layer, "layer", N_("Layer"), N_("Counted from 1; names of tensors count from 0"),
               {.min = 1, .max = double{kMostLayers}, .active = p.view != View::file});
  list.integer(p.head, "head", N_("Head"), N_("Counted from 1; the one that is shown large"),
               {.min = 1, .max = double{kMostHeads}, .active = p.view != View::file});
  list.integer(p.token, "token", N_("Token"),
               N_("The token that looks, from 0, and behind which the next one is said; -1: the "
                  "last"),
               {.min = -1, .max = kMostTokens - 1.0, .slides_to = 127});
  list.integer(
      p.key, "key", N_("Looked at"), N_("The token whose weight is taken apart, from 0; -1: none"),
      {.min = -1, .max = kMostTokens - 1.0, .slides_to = 127, .active = heads, .unpinned = -1});
  list.integer(p.rank, "rank", N_("Next token"),
               N_("Which of the likeliest is taken apart, from 0"),
               {.min = 0, .max = to_double(kListed) - 1, .active = p.view == View::next});
  const bool turns = places && (!p.shows_shipped() || p.shipped == Shipped::llama);
  list.choice(p.rounded, "rounded", N_("Rounded"),
              N_("What of the turns of queries and keys is rounded to the format: the row whose "
                 "tokens are drawn"),
              {{"ids", N_("position ids")},
               {"frequencies", N_("frequencies")},
               {"products", N_("products m·θ")},
               {"tables", N_("cosines and sines")},
               {"everything", N_("all of these")}},
              {.active = turns});
  list.integer(
      p.offset, "offset", N_("First position"),
      N_("Where the first token of the text stands; exactly turned, only distances matter"),
      {.min = 0, .max = kMostOffset, .scale = param::Scale::log, .active = turns});
  describe_format(p.format, list, turns);
}

void describe_writing(Parameters& p, param::List& list) {
  const bool writes = p.view == View::next && !(p.shows_shipped() && p.shipped == Shipped::bert);
  list.group(N_("Continuation"));
  list.integer(p.most, "most", N_("Tokens written"), N_("How far the model goes on with the text"),
               {.min = 0, .max = kMostWritten, .active = writes});
  list.flag(p.samples, "samples", N_("By chance"),
            N_("Draws each token by its probability; otherwise the likeliest is taken"),
            {.active = writes});
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Divides the logits before a token is drawn: below 1 the likeliest is drawn more "
               "often"),
            {.min = 0.05, .max = 10, .scale = param::Scale::log, .active = writes && p.samples});
  describe_seed(p.seed, N_("Chooses the numbers by which tokens are drawn"), list,
                writes && p.samples);
}

}  // namespace

std::string attention_of(const Parameters& p) {
  return p.shows_shipped() ? std::string(shipped_folder(p.shipped)) : p.folder;
}

std::string opened_model(param::List& list) { return values_of(list, {"model", "folder"}); }

std::string opened_stack(param::List& list) {
  return values_of(list, {"model", "folder", "attention"});
}

std::string opened_text(param::List& list) {
  return values_of(list, {"model", "folder", "attention", "text", "decoder_text", "around"});
}

void describe(Parameters& p, param::List& list) {
  describe_model(p, list);
  describe_text(p, list);
  describe_looks(p, list);
  describe_writing(p, list);
  const std::string model = opened_model(list), stack = opened_stack(list);
  const std::string text = opened_text(list);
  list.found_ranges({"head", "rank"}, model);
  list.found_ranges({"layer"}, stack);
  list.found_ranges({"token", "key", "most"}, text);
  if (p.view == View::positions) {
    list.essential({"model", "folder", "text", "layer", "head", "offset", "rounded"});
  } else {
    list.essential({"model", "folder", "text", "layer", "head", "token", "key"});
  }
}

Lab lab() {
  return {.id = "checkpoint",
          .title = N_("A published model"),
          .question = N_("What do the heads of a downloaded model do with my text?"),
          .chapter = Chapter::yours,
          .about = N_("A folder as it is downloaded is opened with its own tokenizer, and its "
                      "weights stay as they were published. Its heads, its next tokens and a "
                      "continuation are computed here, and its positions open other labs with its "
                      "own numbers. Without a folder small models with random weights stand in."),
          .sources = {papers::nostalgebraist_2020.at(N_("the logit lens")),
                      papers::su_2021.at(N_("section 3.2.2, eqs. 14 and 15")),
                      papers::press_2022.at(N_("section 3")),
                      papers::raffel_2020.at(N_("section 2.1: buckets of distance"))},
          .presets = presets(),
          .make = live(describe, compute)};
}

}  // namespace lab::checkpoint
