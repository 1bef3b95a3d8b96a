#include "app/labs/decoding/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::decoding {
namespace {

using param::Scale;

std::vector<Preset> search_presets() {
  return {
      {"letters", N_("Five letters, a beam of two"),
       N_("The textbook example. Greedy and the beam agree on A B, 0.4 · 0.4 = 0.16, and no text "
          "of two letters is likelier. After B the letters B and D tie. E has probability 0: no "
          "branch leads there."),
       ""},
      {"greedy", N_("What greedy misses"),
       N_("A is likelier than B, but what follows A is open and what follows B is nearly certain: "
          "greedy ends at 0.175, the beam at 0.36. The first step looked best and was not."),
       "rules=A:0.5 B:0.4 C:0.1; A > A:0.35 B:0.35 C:0.3; B > A:0.9 B:0.05 C:0.05"},
      {"pruned", N_("The branch that fell out too early"),
       N_("C falls out at step 1, and with it C A, 0.19, the likeliest of all texts. A beam of two "
          "ends at 0.16; one of three finds it. Click C to see what would have come."),
       "rules=A:0.4 B:0.3 C:0.2 D:0.1 E:0; A > A:0.1 B:0.4 C:0.3 D:0.2 E:0; B > A:0.5 B:0.2 C:0.1 "
       "D:0.2 E:0; C > A:0.95 B:0.05 | taken=C"},
      {"short", N_("Sums favour the short"),
       N_("Each further token makes the sum smaller, so the text that ends at once wins: 0.3 "
          "against 0.126 for three good words. Set the length penalty to L^α and the long one "
          "wins."),
       "rules=the:0.7 .:0.3; the > cat:0.6 dog:0.4; cat > sat:0.6 ran:0.4; dog > sat:0.5 ran:0.5; "
       "sat > .:0.5 again:0.5; ran > .:0.5 again:0.5; again > .:1 | end=. | steps=5 | width=4"},
      {"length", N_("A length penalty"),
       N_("The same with sums divided by L^0.8: a longer text now has the better score, and the "
          "best one begins with the. Click it: score, sum, length and penalty at the side."),
       "rules=the:0.7 .:0.3; the > cat:0.6 dog:0.4; cat > sat:0.6 ran:0.4; dog > sat:0.5 ran:0.5; "
       "sat > .:0.5 again:0.5; ran > .:0.5 again:0.5; again > .:1 | end=. | steps=5 | width=4 | "
       "penalty=power | alpha=0.8"},
      {"wide", N_("The wider beam writes less"),
       N_("A beam of one or two drops the empty text, 0.25, for its beginnings are likelier, and "
          "writes a whole sentence, 0.225. From three on the empty text stays and wins: more "
          "search, less text. Turn the width."),
       "rules=we:0.75 .:0.25; we > go:0.5 run:0.5; go > home:0.6 far:0.4; run > home:0.5 far:0.5; "
       "home > .:1; far > .:1 | end=. | steps=4 | width=3"},
      {"circle", N_("Greedy goes round in circles"),
       N_("The likeliest follower of each word leads back to it: the way of the way of the. A "
          "penalty on what was written breaks the circle: raise its θ from 1 to 2."),
       "rules=the=2 a=1; the > way=3 end=2; way > of=3 .=1; of > the=3 a=2; a > "
       "end=3 way=1; end > .=1; . > .=1 | end=. | steps=9 | filters=repetition penalty=1 | "
       "width=1"},
  };
}

std::vector<Preset> filter_presets() {
  return {
      {"temperature_first", N_("Temperature first: one token"),
       N_("Logits 3, 2, 1. T = 0.5 sharpens them, then the likeliest has 0.87 alone and top-p 0.8 "
          "keeps no other."),
       "rules=A=3 B=2 C=1 | filters=temperature t=0.5; top_p p=0.8 | explain="
       "probability | stage=2 | token=1"},
      {"temperature_last", N_("Temperature last: two tokens"),
       N_("The same two filters, the other way round: top-p sees 0.67 and 0.24 and keeps both. "
          "Published programs differ in this order; the knob is a list."),
       "rules=A=3 B=2 C=1 | filters=top_p p=0.8; temperature t=0.5 | explain="
       "probability | stage=1 | token=1"},
      {"boundary", N_("A sum of exactly p"),
       N_("0.5 + 0.25 is exactly 0.75. The paper's set is complete there, two tokens; the "
          "library's form, which it had until 2022, keeps a third. Turn the form."),
       "rules=A:0.5 B:0.25 C:0.125 D:0.125 | filters=top_p p=0.75 | explain=probability | stage=1 "
       "| "
       "token=2"},
      {"shares", N_("Shares of what was left"),
       N_("Top-k first cuts D, and the others share out its 0.1: A and B now reach 0.75, and C is "
          "cut too. Move top-p to the top and C stays."),
       "filters=top_k k=3; top_p p=0.75 | explain=probability | stage=2 | token=2"},
      {"open_or_sure", N_("One k for all places"),
       N_("After x the model is sure, after y it is open. Top-k 3 keeps three tokens in both; "
          "top-p 0.9 keeps one after x and five after y. Type y as the prompt."),
       "rules=a:0.2 b:0.2 c:0.2 d:0.2 e:0.2; x > a:0.92 b:0.02 c:0.02 d:0.02 e:0.02; y > a:0.24 "
       "b:0.2 c:0.2 d:0.18 e:0.18 | prompt=x | filters=top_p p=0.9; top_k k=3 | steps=1 | explain="
       "probability | stage=1"},
      {"hot", N_("High temperature, and a floor"),
       N_("At T = 3 alone a token of 0.02 rises to 0.089. Min-p, asked first, has already cut what "
          "is below a tenth of the likeliest; asked last it no longer finds anything to cut."),
       "rules=a:0.5 b:0.3 c:0.1 d:0.04 e:0.03 f:0.02 g:0.01 | filters=min_p p=0.1; temperature t=3 "
       "| "
       "steps=1 | explain=probability | stage=1 | token=3"},
      {"rewarded", N_("A penalty that rewards"),
       N_("B was written, and its logit is -1. Divided by 1.5 it rises to -0.67: as the paper "
          "writes the penalty, B becomes likelier. The library's form multiplies, -1.5."),
       "rules=A=1 B=-1 C=-2 | prompt=B | filters=repetition penalty=1.5 | steps=1 | "
       "explain=probability | stage=1 | token=1"},
  };
}

std::vector<Preset> sample_presets() {
  return {
      {"draws", N_("Many draws against the distribution"),
       N_("A hundred draws miss the probabilities by 0.02 to 0.11, with seeds 0 to 9. Raise their "
          "number to 10,000: 0.004 to 0.013. From seed to seed it varies; the mean shrinks about "
          "as 1/√N, here to an eighth."),
       "samples=100 | filters=temperature t=1 | explain=draw | steps=3"},
      {"same_seed", N_("The same seed, the same text"),
       N_("Four samples in the table: sample 1 of a seed is the same text whenever it is asked "
          "for. Turn the seed and back; the draw at the side says which number chose the token."),
       "rules=the:0.5 a:0.5; the > cat:0.5 dog:0.3 bird:0.2; a > cat:0.2 dog:0.3 bird:0.5; cat > "
       "sat:0.5 ran:0.5; dog > sat:0.2 ran:0.8; bird > sat:0.6 ran:0.4; sat > .:1; ran > .:1 | "
       "end=. | steps=4 | filters=temperature t=1 | seed=7 | explain=draw"},
      {"one_third", N_("Numbers that do not sum to one"),
       N_("Typed as counts, 3, 2 and 1: each is divided by their sum, 6, and the page says so. "
          "Write shares, beside the note, puts the shares into the rule."),
       "rules=A:3 B:2 C:1 | filters=temperature t=1 | explain=probability | stage=0 | token=0"},
  };
}

std::vector<Preset> model_presets() {
  return {
      {"english", N_("What greedy misses in a trained model"),
       N_("A small decoder of characters. b is the likeliest letter because two words begin with "
          "it, and they must share it: greedy's ball, 0.17, is less likely than the beam's cup, "
          "0.20. The bars show the letters after the space."),
       "from=model | prompt=Where is the | steps=6 | width=3 | taken=␣ | filters=temperature t=1; "
       "top_p p=0.9 | explain=probability | stage=2"},
      {"chinese", N_("A decoder of Chinese"),
       N_("Here a character is a whole word or a good part of one: a few of them are open, the "
          "others follow almost surely. Click along the tree and watch the bars narrow."),
       "from=model | model=text_chinese | prompt=那把 | steps=6 | width=3 | filters=temperature "
       "t=1; "
       "top_p p=0.9 | explain=probability | stage=2"},
      {"sum", N_("One right answer"),
       N_("The decoder that adds, digits backwards: 018 + 921 = 939. Greedy, beam and samples "
          "agree, "
          "for one text has nearly all of the probability. Chance helps only where there is a "
          "choice."),
       "from=model | model=addition | prompt=810+129= | steps=5 | filters=temperature t=1"},
      {"hot_sum", N_("One right answer, at T = 6"),
       N_("The same sum drawn from flattened distributions: nearly half of the draws miss the "
          "first digit, while greedy and beam stay right. What was learned is still there; chance "
          "passes it by."),
       "from=model | model=addition | prompt=810+129= | steps=5 | filters=temperature t=6 | "
       "explain="
       "probability | stage=1"},
      {"brackets", N_("The beam closes early"),
       N_("Any well-formed brackets would do. The beam's best closes what is open and stops: the "
          "shortest text has the largest sum. Most samples go on."),
       "from=model | model=brackets | prompt=(([ | steps=10 | width=3 | filters=temperature t=1"},
  };
}

std::vector<Preset> published_presets() {
  return {
      {"folder", N_("A published model writes"),
       N_("The layout of GPT-2 with random weights: its own tokenizer cuts the prompt, and its own "
          "pass with a cache of keys and values says how likely each of 457 tokens is. 32 of them "
          "are drawn. Choose a folder of your own."),
       "from=published | prompt=The dog sat on the | steps=5 | width=3 | filters=temperature t=1; "
       "top_p p=0.9 | explain=probability | stage=2"},
      {"folder_sure", N_("From open to nearly sure"),
       N_("The layout of LLaMA: no token has as much as 0.03. At T = 0.1 logits are ten times as "
          "large: two of 451 tokens have more than nine tenths together, and top-p 0.9 keeps "
          "these two."),
       "from=published | published=llama | prompt=the cat | steps=4 | width=2 | "
       "filters=temperature t=0.1; top_p p=0.9 | explain=probability | stage=1"},
      {"folder_repeats", N_("Greedy repeats itself"),
       N_("The layout of BLOOM writes one token ten times. A repetition penalty on what the text "
          "already has must be strong enough to break the run: with θ = 1.2 another token comes "
          "nine times, with 2 none comes twice."),
       "from=published | published=bloom | prompt=The dog sat on the | steps=10 | width=1 | "
       "filters=repetition penalty=1 | explain=branch"},
  };
}

std::vector<Preset> presets() {
  std::vector<Preset> all = search_presets();
  for (auto&& more : {filter_presets(), sample_presets(), model_presets(), published_presets()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// Whether a filter has two forms.
bool has_forms(const Parameters& p) {
  const auto filters = p.filter_list();
  return std::any_of(filters.begin(), filters.end(), [](const Filter& filter) {
    return filter.kind == Filter::Kind::top_k || filter.kind == Filter::Kind::top_p ||
           filter.kind == Filter::Kind::repetition;
  });
}

void describe_source(Parameters& p, param::List& list) {
  const bool by_hand = p.by_hand();
  list.group(N_("Distribution"));
  list.choice(p.from, "from", N_("Probabilities"),
              N_("Of the next token: from rules that are written by hand, from a small decoder "
                 "that was trained, or from a published model"),
              {{"rules", N_("by hand")},
               {"model", N_("of a model")},
               {"published", N_("of a published model")}});
  list.text(p.rules, "rules", N_("Rules"),
            N_("Tokens with their probabilities, A:0.4 B:0.6, or logits, A=2 B=-1; after a "
               "semicolon what follows a token, A > A:0.1 B:0.9. The longest context that fits "
               "decides; a rule without one holds elsewhere"),
            4096, {.active = by_hand});
  describe_story_model(p.story, list, p.from == From::model);
  describe_published(p.published, list, p.from == From::published);
  list.group(N_("Text"));
  list.text(p.prompt, "prompt", N_("Prompt"),
            N_("What stands before: tokens apart by spaces, or for a model any text; without one a "
               "model begins with an example of its task, a published one with a sentence"),
            100'000);
  list.text(p.end, "end", N_("End"),
            N_("The token after which nothing is written; empty: none, or the model's own"), 64);
}

void describe_filters(Parameters& p, param::List& list) {
  list.group(N_("Filters"));
  list.stack(p.filters, "filters", N_("Filters"),
             N_("What is done to the distribution before a token is chosen, from the top down: "
                "each works on what the last one left"),
             filter_catalogue(), kMostFilters);
  list.choice(
      p.form, "form", N_("Form"),
      N_("Where Hugging Face transformers differs from the paper. Top-k: ties with the last "
         "are kept; top-p: one token more at a sum of exactly p, until 2022; penalty: "
         "negative logits are multiplied"),
      {{"paper", N_("as the paper")}, {"library", N_("as the library")}}, {.active = has_forms(p)});
}

void describe_search(Parameters& p, param::List& list) {
  const bool penalty = p.penalty != LengthPenalty::Kind::none;
  list.group(N_("Search"));
  list.integer(p.steps, "steps", N_("Steps"), N_("Tokens that each way writes at most"),
               {.unit = N_("tokens"), .min = 1, .max = kMostSteps, .plays = 1});
  list.integer(p.width, "width", N_("Beam width"),
               N_("Branches that live on after each step; 1 is greedy search"),
               {.min = 1, .max = kMostWidth});
  list.choice(p.penalty, "penalty", N_("Length penalty"),
              N_("What a branch's sum is divided by: nothing, a power of its length L, or that of "
                 "Google's translation system, ((5 + L) / 6)^α"),
              {{"none", N_("none")}, {"power", N_("L^α")}, {"gnmt", N_("GNMT")}});
  list.real(p.alpha, "alpha", N_("α"), N_("How much length counts; 1 with L^α is the mean"),
            {.min = -2, .max = 3, .active = penalty});
  list.flag(p.penalised, "penalised", N_("At every step"),
            N_("Scores decide at every step which branches live; otherwise sums do, and scores "
               "only in the end"),
            {.active = penalty});
  list.flag(p.beam_filters, "beam_filters", N_("Filters in the beam"),
            N_("The search goes by the distributions after the filters, and not by the model's"));
  list.integer(p.shown, "shown", N_("Drawn of each"),
               N_("Of each branch so many of the likeliest next tokens are drawn, whatever became "
                  "of them"),
               {.min = 1, .max = kMostShown});
}

void describe_looks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.text(p.taken, "taken", N_("Your branch"),
            N_("Tokens apart by spaces, of a published model their numbers; a click in the tree "
               "takes a branch"),
            1024);
  describe_explained(
      p.explained,
      {{"probability", N_("probability")}, {"branch", N_("branch")}, {"draw", N_("draw")}}, list);
  list.integer(
      p.token, "token", N_("Token picked"),
      N_("By its place in the vocabulary, from 0; -1: the likeliest after the filters. A "
         "click on a bar chooses it"),
      {.min = -1, .max = to_double(kMostVocabulary) - 1, .slides_to = 999, .unpinned = -1});
  list.integer(p.stage, "stage", N_("After filter"),
               N_("Whose number is taken apart: 0 is the model's own"),
               {.min = 0,
                .max = to_double(p.filters.size()),
                .active = p.explained == Explained::probability});
  list.group(N_("Draws"));
  describe_seed(p.seed, N_("The same seed draws the same tokens"), list);
  list.integer(p.samples, "samples", N_("Draws"), N_("How often the next token is drawn"),
               {.unit = N_("draws"), .min = 1, .max = kMostSamples, .scale = Scale::log});
  list.integer(p.draw, "draw", N_("Draw picked"), N_("Which draw is taken apart, from 0"),
               {.min = 0,
                .max = to_double(p.samples - 1),
                .active = p.explained == Explained::draw && p.samples > 1});
}

}  // namespace

const std::shared_ptr<const param::Catalogue>& filter_catalogue() {
  // In the order of Filter::Kind.
  static const auto all = std::make_shared<const param::Catalogue>(param::Catalogue{
      {},
      {{"temperature",
        N_("Temperature"),
        N_("Divides the logits by T: below 1 sharper, above 1 flatter"),
        {{"t", N_("T"), N_("The temperature"), 5, 1000, 70, Scale::log, 100}}},
       {"top_k",
        N_("Top-k"),
        N_("Keeps the k likeliest"),
        {{"k", N_("k"), N_("How many are kept"), 1, 200, 3, Scale::log}}},
       {"top_p",
        N_("Top-p"),
        N_("Keeps the fewest of the likeliest whose probabilities reach p: the nucleus"),
        {{"p", N_("p"), N_("What their sum reaches"), 0, 1000, 900, Scale::linear, 1000}}},
       {"min_p",
        N_("Min-p"),
        N_("Keeps what is at least p times as likely as the likeliest"),
        {{"p", N_("p"), N_("The share of the likeliest"), 0, 1000, 100, Scale::linear, 1000}}},
       {"repetition",
        N_("Repetition penalty"),
        N_("Divides the logits of what the text already has"),
        {{"penalty", N_("θ"), N_("1 changes nothing"), 10, 1000, 120, Scale::log, 100}}}}});
  return all;
}

std::string opened_source(param::List& list) {
  return values_of(list, {"from", "rules", "model", "story_file", "published", "folder"});
}

std::string opened_prompt(param::List& list) {
  return opened_source(list) + values_of(list, {"prompt", "around"});
}

void describe(Parameters& p, param::List& list) {
  describe_source(p, list);
  describe_filters(p, list);
  describe_search(p, list);
  describe_looks(p, list);
  list.found_ranges({"token"}, opened_source(list));
  list.found_ranges({"steps"}, opened_prompt(list));
  if (p.from == From::published) {
    list.essential({"from", "published", "folder", "prompt", "filters", "steps", "width"});
  } else {
    list.essential({"from", "rules", "model", "prompt", "filters", "steps", "width", "seed"});
  }
}

Lab lab() {
  return {
      .id = "decoding",
      .title = N_("Decoding"),
      .question = N_("How do probabilities become a text?"),
      .chapter = Chapter::gpt,
      .about = N_("A model only says how likely each next token is; which one is written is "
                  "decided here. Greedy, beam search and samples grow one tree, filters cut and "
                  "reshape what is drawn from, in the order of their list. Click a box of the tree "
                  "to take that branch, drag the bars to change the model."),
      .sources = {papers::lowerre_1976.at(N_("the beam")),
                  papers::wu_2016.at(N_("section 7, eq. 14 (length penalty)")),
                  papers::fan_2018.at(N_("section 5.4 (top-k)")),
                  papers::holtzman_2020.at(N_("section 3.1 (top-p)")),
                  papers::nguyen_2024.at(N_("min-p")),
                  papers::keskar_2019.at(N_("section 4.1 (repetition penalty)")),
                  papers::stahlberg_2019.at(N_("what exact search finds"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::decoding
