#include "app/labs/gpt_training/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/model/pair_task.h"
#include "app/labs/shared/papers.h"

namespace lab::gpt_training {
namespace {

using core::task::Story;

void describe_task(Parameters& p, param::List& list) {
  list.group(N_("Task"));
  list.choice(p.task, "task", N_("Task"),
              N_("What is to be learned: sequences whose next token can be known, or lines of "
                 "text"),
              recipe_options(true), {.active = p.training.file.empty()});
  list.text(
      p.corpus, "corpus", N_("Text to learn"),
      N_("Typed or pasted; Ctrl+Enter begins a line. The last tenth of a long one is held out"),
      kMostCorpusTyped, {.active = p.own_text() && p.corpus_file.empty()});
  list.file(p.corpus_file, "corpus_file", N_("Text from a file"),
            N_("Plain text in UTF-8, at most 64 MiB; empty: the typed one. Drop the file on the "
               "window"),
            ".txt .md", {.active = p.own_text()});
  list.choice(
      p.unit, "unit", N_("Tokens"),
      N_("What one token of your text is: a character, or byte pairs that are trained on the "
         "text itself"),
      {{"characters", N_("characters")}, {"pairs", N_("byte pairs")}}, {.active = p.own_text()});
  list.integer(p.vocabulary, "vocabulary", N_("Vocabulary"),
               N_("How many tokens byte pairs may become; 256 are the bytes alone"),
               {.min = 256,
                .max = 4096,
                .scale = param::Scale::log,
                .active = p.own_text() && p.unit == OwnUnit::pairs});
  describe_weights(p.training, "story_file", p.ships(), list);
}

void describe_look(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.integer(
      p.example, "example", N_("Example"),
      N_("A sequence of the task, by its number; where it has any, one that was never trained "
         "on"),
      {.min = 0, .max = kExamples - 1.0, .active = p.text.empty()});
  list.text(p.text, "text", N_("Your text"),
            N_("What is read; empty: the example. Any text of the task's own tokens"),
            kMostTextBytes);
  list.integer(p.place, "place", N_("Place"),
               N_("The token that looks, from 0; -1: the last. A click on a token chooses it"),
               {.min = -1, .max = to_double(kMostProbe) - 1, .plays = 3});
  list.integer(p.layer, "layer", N_("Layer"), N_("Of the map that is shown large"),
               {.min = 1, .max = kMostLayers});
  list.integer(p.head, "head", N_("Head"), N_("Of the map that is shown large"),
               {.min = 1, .max = kMostHeads});
  list.integer(p.token, "token", N_("Looked at"),
               N_("The token whose weight is taken apart, from 0; -1: none"),
               {.min = -1, .max = to_double(kMostProbe) - 1, .unpinned = -1});
  describe_explained(
      p.explained,
      {{"weight", N_("weight")}, {"number", N_("a number of q")}, {"token", N_("the next token")}},
      list);
  list.integer(p.dim, "dim", N_("Number of q"), N_("Which of the head's numbers, from 0"),
               {.min = 0, .max = 63, .active = p.explained == Explained::number});
  list.integer(p.sample_seed, "sample_seed", N_("Seed of samples"),
               N_("Chooses the texts that are drawn"), {.min = 0, .max = 999});
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Of what is drawn: logits are divided by it"), {.min = 0.1, .max = 3});
}

// What of the task can be chosen by hand.
void describe_own_task(Parameters& p, bool by_hand, param::List& list) {
  const Story story = core::task::recipe(p.task).task.story;
  const auto [letters, symbols, range, length] = knobs_of(story);
  const bool drawn = by_hand && symbols;
  OwnKnobs& own = p.own;
  list.integer(own.symbols, "symbols", N_("Symbols"), N_("How many different ones there are"),
               {.min = 4, .max = 62, .active = drawn});
  list.flag(own.repeats, "repeats", N_("Repeats"), N_("A symbol may come more than once"),
            {.active = by_hand && letters});
  // Without repeats there cannot be more than there are symbols.
  const bool scarce = drawn && !(letters && own.repeats);
  const double most = scarce ? std::min(40, own.symbols) : 40;
  list.integer(
      own.shortest, "shortest", N_("Shortest"),
      N_("The shortest that is trained on: symbols until they come again, symbols that are "
         "read, or pairs of brackets"),
      {.min = 1, .max = most, .active = by_hand && range});
  list.integer(own.longest, "longest", N_("Longest"), N_("The longest that is trained on"),
               {.min = to_double(std::min<double>(own.shortest, most)),
                .max = most,
                .active = by_hand && range});
  list.integer(own.depth, "depth", N_("Depth"), N_("How many brackets are open at once at most"),
               {.min = 1, .max = 12, .active = by_hand && story == Story::brackets});
  list.integer(own.length, "length", N_("Length"), N_("Tokens of a whole sequence"),
               {.min = 8, .max = 128, .active = by_hand && length});
  const bool sums = by_hand && story == Story::addition;
  list.integer(own.digits, "digits", N_("Digits"), N_("Of each number"),
               {.min = 1, .max = 6, .active = sums});
  list.flag(own.lowest_first, "lowest_first", N_("Lowest digit first"),
            N_("All numbers are written backwards: carries then go from left to right"),
            {.active = sums});
}

void describe_model(Parameters& p, param::List& list) {
  const bool filed = !p.training.file.empty();
  list.group(N_("Model"));
  list.choice(p.made, "made", N_("Model"),
              N_("The smallest one that learns the task as a rule, or one made by hand"),
              {{"recommended", N_("recommended")}, {"own", N_("by hand")}}, {.active = !filed});
  const bool by_hand = p.by_hand();
  OwnKnobs& own = p.own;
  list.integer(own.layers, "layers", N_("Layers"), N_("One on another"),
               {.min = 1, .max = kMostLayers, .active = by_hand});
  list.integer(own.heads, "heads", N_("Heads"), N_("In every layer"),
               {.min = 1, .max = kMostHeads, .active = by_hand});
  list.choice(own.key_heads, "key_heads", N_("Key heads"),
              N_("As many heads of keys and values as of queries, half as many, or one that all "
                 "queries' heads share"),
              {{"all", N_("all")}, {"half", N_("half")}, {"one", N_("one")}},
              {.active = by_hand && own.heads > 1});
  describe_layer({own.d_head, own.d_ff, own.norm_first}, 64, 512, list, by_hand);
  describe_positions(own.positions, all_schemes(), list, by_hand);
  list.stack(own.mask, "mask", N_("Mask"),
             N_("What a token may look at of what stands before it: patterns joined from the top"),
             masks::model_catalogue(), kMostMaskItems, {.active = by_hand});
  list.flag(own.tied, "tied", N_("Tied output"),
            N_("The output layer is the table of the embeddings"), {.active = by_hand});
  list.real(own.dropout, "dropout", N_("Dropout"),
            N_("The share of each part's numbers that a step leaves out"),
            {.min = 0, .max = 0.5, .step = 0.01, .active = by_hand});
  describe_own_task(p, by_hand, list);
  list.flag(p.one_layer, "one_layer", N_("One layer beside"),
            N_("The same with one layer, trained alike"), {.active = p.trains_here()});
}

std::vector<Preset> presets() {
  return {
      {"induction", N_("Induction, as trained before"),
       N_("A random sequence again and again. In the first layer a head looks at the token before; "
          "in the second one looks at the token that followed the last time this one came: what "
          "stood there comes now."),
       ""},
      {"watch", N_("Watch it learn"),
       N_("From nothing, beside the same with one layer. Press play under Step: for a hundred "
          "steps nothing seems to happen, then both heads rise together and the loss falls. In one "
          "layer no such head comes to be."),
       "weights=here | one_layer=true"},
      {"slower", N_("The same rise, slower"),
       N_("A third of the rate: with this seed the rise begins later and takes longer, and can be "
          "watched."),
       "weights=here | made=own | rate=0.003 | steps=600 | step=600"},
      {"no_induction", N_("A network beside it, and no induction head"),
       N_("Learned positions and a feed-forward network: more parameters, and with nine of the "
          "seeds 0 to 9 no head has come to look behind the last time after twice as many steps. "
          "With RoPE one does with all ten; without the network with five, and with this seed "
          "most repeats are right by another way, which the induction score does not see."),
       "weights=here | made=own | positions=learned | d_ff=64 | steps=500 | step=500"},
      {"diagonal", N_("Copying draws a diagonal"),
       N_("One length, learned positions: each written letter looks at the letter that it copies, "
          "by its place."),
       "task=copy"},
      {"backwards", N_("Reversing draws the other one"),
       N_("From right to left. Neither needs to know which letters they are."), "task=reverse"},
      {"longer", N_("Longer than trained: copying"),
       N_("Trained alike on one to ten symbols, three times each. ALiBi still copies four of five "
          "texts of twenty symbols. RoPE copies twelve, most of fifteen, and none of twenty. "
          "Sinusoids fail at eleven, and T5's biases in two of three trainings; learned positions "
          "have no rows there, and without positions ten are too many already."),
       "task=copy_any_length"},
      {"longer_backwards", N_("Longer than trained: reversing"),
       N_("The other way round the order is another. T5's biases reverse four of five texts of "
          "fifteen symbols after training on at most ten, RoPE half or more of them, ALiBi fewer "
          "than half. At twenty no scheme has more than one in ten right, at thirty none."),
       "task=reverse_any_length"},
      {"sorting", N_("Sorting needs no positions"),
       N_("This model has none, and sorts lists twice as long as any it was trained on: what comes "
          "next is the next larger letter, wherever it stands."),
       "task=sort"},
      {"sums", N_("Addition, the lowest digit first"),
       N_("Written backwards, so that carries go along with the writing: all that a digit of the "
          "sum needs has been read or written before it."),
       "task=addition"},
      {"brackets", N_("Brackets"),
       N_("Of two kinds: what closes has to be of the kind that was opened last and is not closed "
          "yet."),
       "task=brackets"},
      {"highest_first", N_("Addition as it is written"),
       N_("The highest digit first: the sum's first digit hangs on carries that come from the "
          "right. It is learned all the same, with this seed more than nine of ten sums after 600 "
          "steps: each token sees all digits of both numbers."),
       "weights=here | task=addition | made=own | layers=2 | heads=4 | d_head=16 | d_ff=128 | "
       "positions=learned | lowest_first=false | rate=0.005 | cosine=true | batch=128 | steps=600 "
       "| step=600"},
      {"one_layer_brackets", N_("Brackets in one layer"),
       N_("One layer closes most brackets as they were opened, and with this seed fewer than two "
          "layers do after as many steps: compare with layers at 2."),
       "weights=here | task=brackets | made=own | layers=1 | positions=learned | batch=64 | "
       "steps=300 | step=300"},
      {"repeats", N_("Letters that come twice"),
       N_("Sorting again with one head and no positions, but a letter may come more than once and "
          "has to be written as often. To find the next larger one is easy, to count is not: with "
          "this seed less than a third of the lists are right, where without repeats about nine of "
          "ten are. That is luck, too: from some seeds it does not learn even that."),
       "weights=here | task=sort | made=own | layers=1 | d_head=64 | positions=none | batch=64 | "
       "steps=300 | step=300 | symbols=12 | shortest=1 | longest=10 | repeats=true"},
      {"number", N_("Behind one number of a query"),
       N_("A query is the token's vector times a matrix: one number of it, taken apart at the side "
          "into its products."),
       "explain=number | place=20 | dim=3"},
      {"english", N_("English"),
       N_("Lines made by rules, character by character. Samples at the side: do he and she agree "
          "with the name?"),
       "task=text_english"},
      {"chinese", N_("Chinese"),
       N_("Names with 他 or 她, nouns with their measure words: find the head that looks back at "
          "the name."),
       "task=text_chinese"},
      {"own", N_("Your own text"),
       N_("Paste any text under \"Text to learn\", or drop a file on the window. This one is "
          "short: with this seed it is known by heart after 300 steps, which says nothing about "
          "other texts."),
       "task=own | steps=300 | step=300"},
      {"pairs", N_("The same in byte pairs"),
       N_("Pairs of bytes that stand together often have become tokens: \" cat\" is one, and the "
          "text has two tokens where it had five. Fewer tokens to look back at, more to choose "
          "from."),
       "task=own | unit=pairs | vocabulary=512 | steps=300 | step=300"},
      {"window", N_("Through a window of four"),
       N_("A mask of the mask workbench: each token sees itself and the four before it. What an "
          "induction head would look at stands at least seven back, since no period is shorter "
          "than eight: there can be none, and its score is 0. Two layers reach eight back all the "
          "same: with periods of eight alone they hand the right token on, without such a head."),
       "weights=here | made=own | mask=local window=4 | steps=400 | step=400"},
      {"shared_keys", N_("Four heads that share one of keys"),
       N_("Multi-query attention: queries of four heads, one head of keys and values. With this "
          "seed induction is learned all the same, with more than 99 of 100 repeats right."),
       "weights=here | made=own | heads=4 | d_head=16 | key_heads=one | rate=0.005 | steps=400 | "
       "step=400"},
  };
}

}  // namespace

std::string opened_corpus(param::List& list) {
  return values_of(list, {"task", "corpus", "corpus_file", "unit", "vocabulary", "story_file"});
}

std::string opened_model(param::List& list) {
  return opened_corpus(list) +
         values_of(list, {"weights", "made", "layers", "heads", "key_heads", "d_head", "d_ff",
                          "norm_first", "positions", "tied", "mask", "symbols", "repeats",
                          "shortest", "longest", "length", "depth", "digits", "lowest_first"});
}

std::string opened_text(param::List& list) {
  return opened_model(list) + values_of(list, {"example", "text"});
}

void describe(Parameters& p, param::List& list) {
  describe_task(p, list);
  describe_look(p, list);
  describe_model(p, list);
  const bool by_hand = p.by_hand();
  describe_training(p.training, p.trains_here(),
                    {.batch = N_("Sequences that a step learns from"),
                     .seed = N_("Chooses the numbers that training begins with, and its sequences"),
                     .smoothing = false,
                     .most_batch = 128,
                     .most_steps = kMostStorySteps,
                     .given = !by_hand},
                    list);
  const std::string corpus = opened_corpus(list), model = opened_model(list);
  const std::string text = opened_text(list);
  list.found_ranges({"length"}, corpus);
  list.found_ranges({"layer", "head", "dim"}, model);
  list.found_ranges({"place", "token"}, text);
  list.essential({"task", "corpus", "weights", "example", "text", "place", "steps", "step"});
}

Lab lab() {
  return {.id = "gpt_training",
          .title = N_("A GPT learns"),
          .question = N_("What does a decoder have to find out before it can guess what comes?"),
          .chapter = Chapter::gpt,
          .about = N_("A small decoder reads a sequence and guesses each next token. It was "
                      "trained before, or is trained here while you watch. In some tasks heads "
                      "find their work suddenly: see the curves, then the maps."),
          .sources = {papers::radford_2019.at(N_("section 2.3: where the norms stand")),
                      papers::radford_2018.at(N_("section 4.1: GELU, learned positions")),
                      papers::olsson_2022.at(N_("induction heads and their score"))},
          .presets = presets(),
          .make = live(describe, compute)};
}

}  // namespace lab::gpt_training
