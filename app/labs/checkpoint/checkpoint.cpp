#include "app/labs/checkpoint/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::checkpoint {
namespace {

void describe_model(Parameters& p, param::List& list) {
  list.group(N_("Model"));
  const std::vector<Shipped> all{Shipped::english, Shipped::chinese, Shipped::gpt2, Shipped::llama,
                                 Shipped::bloom,   Shipped::bert,    Shipped::t5};
  list.choice_of(p.shipped, all, "model", N_("Model"), shipped_help(), shipped_options(all),
                 {.active = p.shows_shipped()});
  describe_folder(p.folder, list);
}

// A folder is not known before it was opened.
bool may_have_two(const Parameters& p, const param::List& list) {
  if (p.shows_shipped()) return p.shipped == Shipped::t5;
  const auto& found = std::get<param::Name>(list.items().back().kind).names;
  return !found || found->size() > 1;
}

void describe_text(Parameters& p, param::List& list) {
  list.group(N_("Text"));
  list.text(p.text, "text", N_("Text"),
            N_("What the model reads; empty: a sentence. Without a tokenizer: token ids, separated "
               "by spaces"),
            100'000);
  list.name(p.attention, "attention", N_("Attention"),
            N_("In a model with an encoder: the decoder's self-attention, its cross-attention, or "
               "the encoder's self-attention"),
            attention_of(p), 0);
  const bool two = may_have_two(p, list);
  list.items().back().info.active = two;
  list.text(p.decoder_text, "decoder_text", N_("Decoder's text"),
            N_("The decoder's text so far, after its start token"), 100'000, {.active = two});
  describe_around(p.around, list);
}

void describe_looks(Parameters& p, param::List& list) {
  const bool heads = p.view == View::heads, places = p.view == View::positions;
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Heads: what each attends to. Next token: what the model predicts. Positions: how "
                 "positions enter, and the effect of rounding them. Precision: what a model that "
                 "has read loses with numbers rounded. Comparison: how well it guesses, beside "
                 "others. File: the contents of the folder"),
              {{"heads", N_("heads")},
               {"next", N_("next token")},
               {"positions", N_("positions")},
               {"precision", N_("precision")},
               {"comparison", N_("comparison")},
               {"file", N_("file")}},
              {.tabs = true});
  list.integer(p.layer, "layer", N_("Layer"), N_("Counted from 1; names of tensors count from 0"),
               {.min = 1, .max = double{kMostLayers}, .active = p.reads()});
  list.integer(p.head, "head", N_("Head"), N_("Counted from 1; the head shown large"),
               {.min = 1, .max = double{kMostHeads}, .active = p.reads()});
  list.integer(
      p.token, "token", N_("Token"),
      N_("The query's token, from 0; the prediction is for the token after it; -1: the last"),
      {.min = -1, .max = kMostTokens - 1.0, .slides_to = 127});
  list.integer(
      p.key, "key", N_("Key"), N_("The token whose weight is worked out, from 0; -1: none"),
      {.min = -1, .max = kMostTokens - 1.0, .slides_to = 127, .active = heads, .unpinned = -1});
  list.integer(p.rank, "rank", N_("Next token"),
               N_("Which of the likeliest tokens is worked out, from 0"),
               {.min = 0, .max = to_double(kListed) - 1, .active = p.view == View::next});
  const bool reads =
      p.shows_shipped() && (p.shipped == Shipped::english || p.shipped == Shipped::chinese);
  const bool turns = places && (!p.shows_shipped() || p.shipped == Shipped::llama || reads);
  list.choice(p.rounded, "rounded", N_("Rounded"),
              N_("Which step of rotating queries and keys is rounded to the format: the row whose "
                 "tokens are drawn"),
              {{"ids", N_("position ids")},
               {"frequencies", N_("frequencies")},
               {"products", N_("products m·θ")},
               {"tables", N_("cosines and sines")},
               {"everything", N_("all of these")}},
              {.active = turns});
  list.integer(p.offset, "offset", N_("First position"),
               N_("The position of the first token; with exact rotation only distances matter"),
               {.min = 0,
                .max = kMostOffset,
                .scale = param::Scale::log,
                .active = turns || (reads && p.view == View::precision)});
  describe_format(p.format, list, turns);
}

void describe_writing(Parameters& p, param::List& list) {
  const bool writes = p.view == View::next && !(p.shows_shipped() && p.shipped == Shipped::bert);
  list.group(N_("Continuation"));
  list.integer(p.most, "most", N_("Tokens written"),
               N_("How many tokens the model continues the text by"),
               {.min = 0, .max = kMostWritten, .active = writes});
  list.flag(p.samples, "samples", N_("Sampled"),
            N_("Draws each token by its probability; otherwise the likeliest is taken"),
            {.active = writes});
  list.real(
      p.temperature, "temperature", N_("Temperature"),
      N_("Divides the logits before a token is drawn: below 1 the likeliest is drawn more often"),
      {.min = 0.05, .max = 10, .scale = param::Scale::log, .active = writes && p.samples});
  describe_seed(p.seed, N_("Chooses the random numbers for sampling"), list, writes && p.samples);
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

Lab lab() { return from_text("checkpoint", live(describe, compute)); }

}  // namespace lab::checkpoint
