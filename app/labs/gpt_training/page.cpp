#include "app/labs/gpt_training/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"

namespace lab::gpt_training {
namespace {

void add_heads(const Scene& scene, std::vector<Readout>& list) {
  using namespace core::task;  // NOLINT: the measures
  const Words& w = scene.w;
  const Milestone* last = scene.learned().milestone();
  if (!last || last->more.size() < kLookedHeads) return;
  const auto add = [&](std::string id, std::string label, LookedHeads which, std::string help) {
    list.push_back({std::move(id), std::move(label), last->more[which], fixed(last->more[which], 3),
                    std::move(help)});
  };
  add("previous_token", w("Best previous-token head"), kPreviousToken,
      w("Its mean weight on the previous token, over some sequences"));
  add("induction", w("Best induction head"), kInduction,
      w("Its mean weight on tokens that followed earlier occurrences"));
  if (scene.text()) return;
  add("right_place", w("Best head for the right place"), kRightPosition,
      w("Its mean weight on the token that determines the next one"));
}

// How long a text of one's own is in tokens.
void add_corpus(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  const auto& corpus = scene.task().corpus;
  if (!corpus || !p.own_text()) return;
  Index characters = 0;
  for (const std::uint16_t id : corpus->ids) {
    for (const char c : corpus->tokens[id]) characters += (c & 0xC0) != 0x80;
  }
  const auto tokens = std::ssize(corpus->ids);
  list.push_back({"text_tokens", w("The text, in tokens"), tokens, grouped(tokens),
                  w("The text to learn, including what is held out")});
  list.push_back({"text_characters", w("In characters"), characters, grouped(characters),
                  w("The same text in characters")});
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<Readout> list;
  if (model.score) {
    const core::task::SequenceScore& score = *model.score;
    const bool held = core::task::holds_out(scene.task());
    list.push_back({"accuracy", held ? w("Accuracy (held out)") : w("Accuracy (trained on)"),
                    score.accuracy(), percent(score.accuracy(), 1),
                    !held ? w("Tokens guessed right; none of the text is held out")
                    : score.whole
                        ? w("Sequences whose whole answer is right, never trained on")
                        : w("Predictable tokens guessed right, in sequences never trained on")});
    list.push_back({"held_loss", held ? w("Held-out loss") : w("Loss"), score.loss,
                    fixed(score.loss, 4), w("Cross-entropy per token, in nats")});
    list.push_back({"judged_loss", w("Over predictable tokens"), score.evaluated_loss,
                    fixed(score.evaluated_loss, 4),
                    w("The same over the tokens that the task counts")});
  }
  const std::int32_t next = scene.probe().next(model.place);
  if (next >= 0) {
    const double chance = scene.probe().probability(model.place, next);
    list.push_back({"probability", w.format("Probability of \"{}\"", scene.token(next)), chance,
                    fixed(chance, 4), w("For the token after the marked one")});
  }
  add_heads(scene, list);
  add_corpus(scene, list);
  list.push_back({"parameters", w("Parameters"), scene.learned().parameters(),
                  grouped(scene.learned().parameters()), w("Learned numbers")});
  return list;
}

std::vector<std::string> notes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<std::string> all;
  add_stopped_note(scene.learned(), w, all);
  add_text_notes(scene.probe(), p.text, w, all);
  if (!core::task::holds_out(scene.task()) && p.own_text()) {
    all.push_back(
        w("The text is too short to hold part of it out: the model is measured on its training "
          "text. From 2,560 tokens on, the last tenth is held out."));
  }
  const Index usual = core::task::recipe(p.task).steps;
  if (!p.own_text() && p.trains_here() && p.training.steps < usual) {
    all.push_back(w.format("This task usually takes {} steps; here it trains for {}.", usual,
                           p.training.steps));
  }
  return all;
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  return w.format("tokens: {} · layers: {} · heads per layer: {} · d_model {}",
                  scene.probe().tokens(), scene.learned().layers(), model.heads(),
                  model.form().layer.d_model) +
         " · " + w.format("step {} of {}", scene.learned().step, scene.learned().steps);
}

// What can be done with the decoder as it is now. What the program has goes by its name.
std::vector<Jump> jumps(const Scene& scene, const std::function<std::string()>& bytes) {
  const auto& [p, model, w] = scene;
  std::vector<Jump> all{
      {"gpt_inside",
       w("Look inside"),
       w("What each head of this decoder does, its logits by layer and part, and how they change "
         "when heads are knocked out"),
       {}},
      {"decoding",
       w("Let it write"),
       w("From this decoder's logits to text: filters, samples and beams"),
       {}},
      {"cache", w("Its cache"), w("What this decoder must remember while it writes"), {}}};
  for (Jump& jump : all) {
    if (p.weights() == Weights::shipped) {
      jump.sets = {{"model", std::string(recipe_name(p.task))}};
    } else {
      jump.files = {{"story_file", ".safetensors", bytes}};
    }
  }
  return all;
}

// The layers, heads, tokens and numbers that there are.
void add_ranges(const Scene& scene, param::Facts& found) {
  const auto& [p, model, w] = scene;
  Parameters same = p;
  param::List list = listed(same, describe);
  const FoundIn of_model{opened_model(list), name_of_model(p.training.file, w)};
  of_model.add("layer", 1, to_double(scene.learned().layers()), found);
  of_model.add("head", 1, to_double(model.heads()), found);
  of_model.add("dim", 0, to_double(model.width() - 1), found);
  const FoundIn of_text{opened_text(list), w("this text")};
  for (const char* id : {"place", "token"}) {
    of_text.add(id, -1, to_double(scene.probe().tokens() - 1), found);
  }
  if (const auto& corpus = scene.task().corpus; corpus && p.own_text()) {
    FoundIn{opened_corpus(list), w("the text to learn")}.add("length", 8,
                                                             to_double(corpus->longest()), found);
  }
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  // What a comparison is about stands before what one model does.
  const bool compares = model.lengths.size() > 1;
  if (compares) page.figures.push_back(lengths_figure(scene));
  for (auto* figure : {text_figure, map_figure, next_figure, maps_figure}) {
    page.figures.push_back(figure(scene));
  }
  if (model.samples) page.figures.push_back(samples_figure(scene));
  page.figures.push_back(curves_figure(scene));
  page.figures.push_back(heads_figure(scene));
  if (model.places) page.figures.push_back(places_figure(scene));
  if (!compares && !model.lengths.empty()) page.figures.push_back(lengths_figure(scene));
  page.readouts = readouts(scene);
  page.formula =
      "P(\\text{next}) = \\softmax(\\Q{y_{t}} W + b), \\quad w_{tj} = \\softmax_{j \\le "
      "t}\\left(\\frac{\\Q{q_{t}} \\cdot \\K{k_{j}}}{\\sqrt{d_{k}}}\\right)";
  page.explanation = explain(scene);
  page.cards = cards("gpt_training", context.words);
  page.notes = notes(scene);
  page.status = status(scene);
  add_ranges(scene, page.found);
  page.model = [learned = model.learned] { return story_bytes(learned); };
  page.jumps = jumps(scene, page.model);
  return page;
}

}  // namespace lab::gpt_training
