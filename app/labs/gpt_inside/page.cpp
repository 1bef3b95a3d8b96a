#include "app/labs/gpt_inside/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"

namespace lab::gpt_inside {
namespace {

std::vector<Readout> readouts(const Scene& scene, const std::optional<CircuitMap>& map) {
  const auto& [p, model, w] = scene;
  std::vector<Readout> list;
  const auto add_share = [&](const char* id, std::string label, double value, std::string help) {
    list.push_back({id, std::move(label), value, percent(value, 2), std::move(help)});
  };
  if (p.maps()) {
    if (const auto share = map ? highest_here(scene, *map) : std::nullopt) {
      add_share("highest_here", w.format("Pairs highest at distance {}", map->options.distance),
                *share,
                w.format("The token pairs whose score in this map is highest at this distance, "
                         "among the distances 0 to {} that its sequences have",
                         distances_of(model.story.task()) - 1));
    }
    return list;
  }
  if (!model.opened) {
    const bool held = core::task::holds_out(model.story.task());
    add_share("accuracy", held ? w("Accuracy (held out)") : w("Accuracy (trained on)"),
              model.after.changed->score.accuracy(),
              held ? w.format("On {} sequences never trained on, with the changed model, over the "
                              "tokens that the task counts",
                              kHeldOut)
                   : w.format("On {} sequences it was trained on, for none of its text was held "
                              "out, with the changed model",
                              kHeldOut));
    add_share("accuracy_before", w("Accuracy, unchanged"), model.before.changed->score.accuracy(),
              w("The same for the unchanged model"));
  }
  const double loss = scene.reading().mean_loss;
  list.push_back({"loss", w("Loss of the text"), loss, w.format("{:.4f} nats", loss),
                  w("Cross-entropy per token, where the next token is known")});
  const double logit = model.logit(scene.side());
  list.push_back({"logit", w.format("Logit of {}", scene.quoted(model.wanted)), logit,
                  fixed(logit, 4), w("At the chosen token, as the figures show it")});
  add_share("probability", w.format("Probability of {}", scene.quoted(model.wanted)),
            model.probability(scene.side()), w("Softmax of all logits there"));
  const auto& scores =
      (*scene.side().scores)[to_size(model.place.layer)][to_size(model.place.head)];
  list.push_back(
      {"induction",
       model.opened ? w.format("Induction of head {} in other texts", head_name(model.place))
                    : w.format("Induction score of head {}", head_name(model.place)),
       scores.induction.mean, fixed(scores.induction.mean),
       w("The share of its weight on tokens that followed earlier occurrences of this one")});
  return list;
}

// What stands for W_E where an earlier head lies between.
std::string entering(const std::optional<core::task::HeadIndex>& through) {
  return through ? "W_{E} W_{V}^{1} W_{O}^{1}" : "W_{E}";
}

std::string circuit_formula(const Scene& scene, const CircuitMap& map) {
  const core::task::CircuitOptions& options = map.options;
  switch (scene.p.circuit) {
    case Circuit::qk:
      return "\\frac{" + entering(options.query_through) + " \\Q{W}_{Q} \\K{W}_{K}^{⊤} " +
             (options.key_through ? "W_{O}^{1⊤} W_{V}^{1⊤} W_{E}^{⊤}" : "W_{E}^{⊤}") +
             "}{\\sqrt{d_{k}}}";
    case Circuit::ov: return entering(options.value_through) + " \\V{W}_{V} W_{O} W_{U}";
    case Circuit::direct: break;
  }
  return "W_{E} W_{U}";
}

std::string formula(const Scene& scene, const std::optional<CircuitMap>& map) {
  if (map) return circuit_formula(scene, *map);
  if (scene.p.view == View::stream) {
    return "x_{L} = x_{0} + \\sum_{l} \\left( \\sum_{h} A_{l,h} \\V{V}_{l,h} W_{O}^{l,h} + b_{l} + "
           "\\text{FFN}_{l} \\right)";
  }
  return "A_{h} = \\text{softmax}\\left(\\frac{\\Q{Q}_{h} \\K{K}_{h}^{⊤}}{\\sqrt{d_{k}}}\\right)";
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  if (model.opened) add_published_notes(*model.opened, w, page);
  if (p.maps()) {
    if (model.story.layers() > 2) {
      page.note(
          w("Maps are shown for models of one or two layers: with more, there are too many paths "
            "to tell apart."));
    } else if (model.form().layer.feed_forward.width > 0) {
      page.note(w("The feed-forward networks are left out of the maps: they are not linear."));
    }
    return;
  }
  if (p.over() && !model.over) {
    page.note(w("No held-out texts came with this model: the heads are those of the text."));
  }
  if (p.past() && !scene.past()) {
    page.note(w("Of its training no step was kept: the heads are those of now."));
  }
  if (p.view == View::circuits) {
    page.note(
        w.format("Circuit maps would have {0} by {0} cells here: they are shown for the small "
                 "models trained here.",
                 grouped(model.subject.vocabulary)));
  }
  if (const auto why = scene.reading().why_no_parts(); p.view == View::stream && !why.empty()) {
    page.note(why.in(w));
  }
  add_text_notes(*model.text, p.text, w, page.notes);
  if (model.wanted_unknown || model.against_unknown) {
    page.note(w.format("The model has no token for {}: left out.",
                       quoted({model.wanted_unknown ? p.wanted : p.against})));
  }
}

void add_figures(const Scene& scene, const std::optional<Shares>& shares,
                 const std::optional<CircuitMap>& map, Page& page) {
  auto& figures = page.figures;
  if (map) {
    figures.push_back(circuit_figure(scene, *map));
    if (scene.model.story.layers() == 2) figures.push_back(composition_figure(scene));
    return;
  }
  if (scene.model.over) {
    figures = over_figures({*scene.model.opened, *scene.model.over, *scene.model.before.scores,
                            scene.model.place, scene.w});
    return;
  }
  if (scene.past()) {
    figures.push_back(became_figure(scene));
    figures.push_back(history_figure(scene));
    return;
  }
  figures.push_back(text_figure(scene));
  if (scene.p.view != View::stream) {
    if (scene.model.opened) figures.push_back(next_figure(scene));
    figures.push_back(sheet_figure(scene));
    figures.push_back(map_figure(scene));
  } else {
    figures.push_back(lens_figure(scene));
    if (shares) figures.push_back(shares_figure(scene, *shares));
  }
  if (scene.p.maps()) return;
  figures.push_back(ablation_figure(scene));
  figures.push_back(change_figure(scene));
  if (scene.p.heads()) figures.push_back(scores_figure(scene));
}

param::Names names_of_heads(const Model& model) {
  auto names = std::make_shared<std::vector<param::Named>>();
  for (const HeadIndex& at : model.places()) names->push_back({head_name(at)});
  return names;
}

// The heads, tokens and parts that there are.
void add_ranges(const Scene& scene, const std::optional<Shares>& shares, param::Facts& found) {
  const auto& [p, model, w] = scene;
  Parameters same = p;
  param::List list = listed(same, describe);
  const FoundIn of_model{opened_decoder(list),
                         model.opened ? model.opened->name : name_of_model(p.model.file, w)};
  of_model.add("layer", 1, to_double(model.subject.layers), found);
  of_model.add("head", 1, to_double(model.subject.heads), found);
  found["knocked"] = {of_model.of, names_of_heads(model), {}, of_model.in};
  if (shares) of_model.add("part", 0, to_double(shares->of_parts.size() - 1), found);
  if (p.maps()) {
    of_model.add("through", 0, to_double(model.subject.heads), found);
    of_model.add("distance", 0, to_double(model.form().positions.longest - 1), found);
    for (const char* id : {"row", "col"}) {
      of_model.add(id, 0, to_double(model.subject.vocabulary - 1), found);
    }
    return;  // without the text
  }
  const FoundIn of_text{opened_text(list), w("this text")};
  for (const char* id : {"token", "key", "hidden", "swap_first", "swap_second"}) {
    of_text.add(id, -1, to_double(scene.tokens() - 1), found);
  }
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Subject& of = model.subject;
  return w.format("tokens: {} · layers: {} · heads in each: {} · d_model {} · {} parameters",
                  scene.tokens(), of.layers, of.heads, of.width, grouped(of.parameters)) +
         (model.opened ? unread_text(*model.opened, w) : "");
}

// The model and this text in a part of the lab of published models.
Jump checkpoint_jump(const Scene& scene, std::string part, std::string label, std::string help) {
  const Parameters& p = scene.p;
  const HeadIndex& at = scene.model.place;
  Jump jump{.lab = "checkpoint",
            .label = std::move(label),
            .help = std::move(help),
            .sets = {{"view", std::move(part)},
                     {"layer", std::to_string(at.layer + 1)},
                     {"head", std::to_string(at.head + 1)}}};
  if (p.published.folder.empty()) {
    jump.sets.emplace_back("model", shipped_folder(p.published.shipped));
  } else {
    jump.sets.emplace_back("folder", p.published.folder);
  }
  if (!p.published.around) jump.sets.emplace_back("around", "false");
  if (!p.text.empty()) jump.sets.emplace_back("text", p.text);
  return jump;
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Words& w = context.words;
  const Scene scene{p, model, w};
  std::optional<Shares> shares;
  std::optional<CircuitMap> map;
  if (p.view == View::stream) shares = shares_of(scene);
  if (p.maps()) map = circuit_map(scene);
  Page page;
  add_figures(scene, shares, map, page);
  page.readouts = readouts(scene, map);
  page.formula = formula(scene, map);
  page.explanation = explain(scene, shares, map);
  page.cards = cards("gpt_inside", w);
  add_notes(scene, page);
  page.status = status(scene);
  add_ranges(scene, shares, page.found);
  if (!p.of_folder()) {
    page.model = [story = model.story] { return story_bytes(story); };
  } else {
    page.made_up = w(p.published.made_up());
    page.jumps.push_back(
        checkpoint_jump(scene, "next", w("What it writes"),
                        w("The next words after this text, and what every head attends to while "
                          "they are written")));
    page.jumps.back().figure = "continuation";
    if (!model.opened->comparison) return page;
    page.jumps.push_back(checkpoint_jump(
        scene, "comparison", w("How good it is"),
        w("How well the model guesses texts that it did not learn from, beside others")));
  }
  return page;
}

}  // namespace lab::gpt_inside
