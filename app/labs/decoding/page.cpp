#include "app/labs/decoding/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"
#include "core/attention/softmax.h"
#include "core/text/printable.h"

namespace lab::decoding {
namespace {

std::vector<Readout> readouts(const Scene& scene) {
  const Model& m = scene.model;
  const Words& w = scene.w;
  const VectorD& after = m.filtered.after().probabilities;
  const auto kept = (after.array() > 0).count();
  std::vector<Readout> list;
  list.push_back({"kept", w("Kept"), kept, scene.share(kept),
                  w("Tokens that still have a probability after the last filter")});
  const auto entropy = [&list, &w](const char* id, std::string label, const VectorD& of,
                                   std::string help) {
    const double value = core::entropy<double>(of);
    list.push_back({id, std::move(label), value, w.format("{:.3f} nats", value), std::move(help)});
  };
  entropy("entropy", w("Entropy of the model"), m.filtered.before.probabilities,
          w("How uncertain the next token is before any filter"));
  entropy("entropy_after", w("After the filters"), after,
          w("The entropy of the distribution that is drawn from"));
  const auto sum = [&](const char* id, std::string label, const Text* text, std::string help) {
    if (!text) return;
    const double probability = std::exp(text->sum);
    list.push_back({id, std::move(label), probability, weight_text(probability), std::move(help)});
  };
  sum("greedy", w("Greedy's text"), m.text_of(Way::greedy), w("The probability of its whole text"));
  sum("beam", w("The beam's best"), m.text_of(Way::beam), w("The probability of its whole text"));
  sum("exact", w("The best of all"), m.text_of(Way::exact),
      w("The text with the best score among all of this many tokens, found by trying each"));
  list.push_back(
      {"distance", w("Draws against filters"), m.samples->from_filtered,
       fixed(m.samples->from_filtered, 4),
       w("Total variation distance: half the sum of the differences. 0: equal, 1: disjoint")});
  list.push_back({"branches", w("Branches examined"), m.beam->branches.size(),
                  grouped(to_index(m.beam->branches.size())),
                  w("Candidates of the beam search, over all steps")});
  return list;
}

std::string formula(const Scene& scene) {
  if (scene.p.explained == Explained::draw) {
    return "y_{t} = \\text{min} \\{ i : \\sum_{j \\le i} p_{j} > u \\}";
  }
  if (scene.p.explained == Explained::probability) {
    return "p_{i} = \\frac{\\text{exp}(z_{i} / T)}{\\sum_{j} \\text{exp}(z_{j} / T)}";
  }
  std::string below;
  switch (scene.p.penalty) {
    case LengthPenalty::Kind::none: break;
    case LengthPenalty::Kind::power: below = "L^{α}"; break;
    case LengthPenalty::Kind::gnmt: below = "((5 + L) / 6)^{α}"; break;
  }
  const std::string sum = "\\sum_{t=1}^{L} \\text{log} p(y_{t} | y_{<t})";
  return "\\text{score} = " + (below.empty() ? sum : "\\frac{" + sum + "}{" + below + "}");
}

// Sums that are not 1.
void add_sums(const Scene& scene, Page& page) {
  const auto& rules = scene.source().rules;
  if (!rules) return;
  bool off = false;
  for (std::size_t k = 0; k < rules->rules.size(); ++k) {
    const double sum = rules->rules[k].sum;
    if (std::abs(sum - 1) <= 1e-5) continue;
    off = true;
    page.note(scene.w.format(
        "Rule {}: expected probabilities that sum to 1, got {}; each was divided by this sum.",
        k + 1, significant(sum)));
  }
  if (!off) return;
  page.offer = {scene.w("Write shares"),
                scene.w("Replaces the numbers of the rules by their shares of the sum"),
                sets("rules", normalized(scene.p.rules, *rules))};
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  add_sums(scene, page);
  if (m.source->published) add_published_notes(*m.source->published, w, page);
  if (m.source->example) {
    page.note(
        m.source->published
            ? w.format("No prompt was given: the text begins with “{}”.",
                       scene.text(m.source->prompt))
            : w("No prompt was given: the text begins with an example of what the model learned."));
  }
  if (m.source->put_in > 0) page.note(w.format("Tokens of the template: {}.", m.source->put_in));
  for (const std::string& word : m.source->unknown) {
    page.note(w.format("{} is left out of the prompt: the vocabulary has no such token.",
                       core::printable(word, 40)));
  }
  if (!p.end.empty() && m.source->end < 0) {
    page.note(
        w.format("The vocabulary has no {}: no text ends with it.", core::printable(p.end, 40)));
  }
  if (!m.refused.empty()) {
    page.note(w.format("The branch ends before {}: that token cannot follow there.",
                       core::printable(m.refused, 40)));
  }
  if (m.at.size() < m.taken.size()) {
    page.note(w("The branch has ended: the bars show the choice of its last token."));
  }
}

std::string status(const Scene& scene) {
  const auto& [p, m, w] = scene;
  return w.format("tokens {} · steps {} · beam of {} · filters: {}", m.source->size(), m.steps,
                  p.width, m.filtered.steps.size()) +
         (m.source->published ? unread_text(*m.source->published, w) : "");
}

std::string source_name(const Scene& scene) {
  const auto& [p, m, w] = scene;
  if (m.source->rules) return w("these rules");
  return m.source->published ? m.source->published->name : name_of_model(p.story.file, w);
}

// Whose text they wrote stands beside the title.
void add_heads(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  const std::string whose = way_name(m.taken.empty() ? Way::greedy : Way::own, w);
  for (Figure& figure : written_figures(*m.heads, m.place, w)) {
    figure.note = figure.note.empty() ? whose : whose + " · " + figure.note;
    page.figures.push_back(std::move(figure));
  }
}

// The tokens that there are, those that have room behind the prompt, layers and heads.
void add_ranges(const Scene& scene, param::Facts& found) {
  const auto& [p, m, w] = scene;
  Parameters same = p;
  param::List list = listed(same, describe);
  FoundIn{opened_source(list), source_name(scene)}.add("token", -1, to_double(m.source->size() - 1),
                                                       found);
  FoundIn{opened_prompt(list), w("the room after the prompt")}.add(
      "steps", 1, to_double(m.source->room), found);
  if (!m.source->published) return;
  const auto& facts = m.source->published->facts();
  const FoundIn of_model{opened_source(list), source_name(scene)};
  of_model.add("layer", 1, to_double(facts.layers), found);
  of_model.add("head", 1, to_double(facts.heads), found);
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {tree_figure(scene), filters_figure(scene), texts_figure(scene),
                  samples_figure(scene)};
  if (model.heads) add_heads(scene, page);
  page.readouts = readouts(scene);
  page.formula = formula(scene);
  page.explanation = explain(scene);
  page.cards = cards("decoding", context.words);
  add_notes(scene, page);
  page.status = status(scene);
  add_ranges(scene, page.found);
  if (p.from == From::published) page.made_up = context.words(p.published.made_up());
  return page;
}

}  // namespace lab::decoding
