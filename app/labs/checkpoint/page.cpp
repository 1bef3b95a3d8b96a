#include "app/labs/checkpoint/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"
#include "core/attention/softmax.h"
#include "core/text/printable.h"

namespace lab::checkpoint {
namespace {

using core::checkpoint::Kind;

// Bytes of long tokens are shown in the text alone.
std::string token_text(const Scene& scene, std::int32_t id) {
  constexpr std::size_t kRoom = 12;
  const std::string bytes = scene.model.opened->bytes(id);
  return bytes.empty() || bytes.size() > kRoom ? fmt::format("{}", id)
                                               : scene.w.format("{} ({})", id, bytes);
}

void add_next_readouts(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  const VectorD& logits = *model.said;
  const auto now = core::decode::Distribution::of_logits(logits);
  const auto order = core::decode::likeliest(now.probabilities, kListed);
  const std::int32_t id = order[std::min(to_size(p.rank), order.size() - 1)];
  const std::string name = scene.name(id);
  list.push_back({"probability", w.format("Probability of \"{}\"", name), now.probabilities(id),
                  percent(now.probabilities(id), 3), w("Softmax of all logits there")});
  list.push_back({"logit", w.format("Logit of \"{}\"", name), logits(id), fixed(logits(id), 5),
                  w("Last norm and head, as the file has them")});
  const double entropy = core::entropy(now.probabilities);
  list.push_back({"entropy", w("Entropy"), entropy, w.format("{:.4f} nats", entropy),
                  w("How undecided it is: 0 certain, the logarithm of the vocabulary at most")});
  if (!model.continuation) return;
  const auto written = to_double(model.continuation->tokens.size());
  list.push_back({"written", w("Tokens written"), written, fmt::format("{}", written),
                  w("Of the continuation")});
}

void add_head_readouts(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  const auto& all = *model.statistics;
  const auto layer = to_size(model.place.layer), head = to_size(model.place.head);
  if (layer >= all.size() || head >= all[layer].size()) return;
  const HeadStatistics& s = all[layer][head];
  const auto add = [&](const char* id, std::string label, double value, std::string help) {
    if (std::isnan(value)) return;  // no token had a choice
    list.push_back({id, std::move(label), value, fixed(value, 4), std::move(help)});
  };
  if (!model.place.cross) {
    add("previous", w.format("Head {} on the token before", scene.head_name()), s.previous,
        w("Its mean weight there, over the tokens that see more than one"));
  }
  add("first", w.format("Head {} on the first token", scene.head_name()), s.first,
      w("Its mean weight there, over the tokens that see more than one"));
  add("head_entropy", w.format("Entropy of head {}", scene.head_name()), s.entropy_share,
      w("Its mean over the tokens that see more than one, by that of equal weights: 1: every token "
        "alike, 0: one token alone"));
  if (!model.key || !model.attending()) return;
  const double weight = to_double(model.attending()->weights[head](model.query, *model.key));
  add("weight", w("The pinned weight"), weight, w("After softmax"));
}

void add_rounding_readouts(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  const Rounding::Change& change = model.rounding->changes[to_size(p.rounded)];
  list.push_back({"changed", w("Tokens that predict another next one"), change.tokens_changed,
                  fmt::format("{}", change.tokens_changed),
                  w("Their likeliest next token differs from that with exact rotations")});
  list.push_back({"largest_change", w("Largest change of a logit"), change.largest,
                  change.finite ? significant(change.largest, 5) : w("no number"),
                  w("Of the tokens of the table and all of the vocabulary")});
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<Readout> list;
  const double n = to_double(model.tokens->ids.size());
  list.push_back({"tokens", w("Tokens"), n, fmt::format("{}", n), w("Of the text")});
  const std::int32_t id = model.query_ids()[to_size(model.query)];
  list.push_back({"id", w.format("Token {}: \"{}\"", model.query, scene.name(id)), id,
                  token_text(scene, id), w("Its id, and the bytes of text that it stands for")});
  list.push_back({"parameters", w("Parameters"), model.facts().parameters,
                  short_count(to_double(model.facts().parameters)),
                  w("Numbers of the file that are read, tied ones once")});
  if (p.view == View::heads && model.statistics) add_head_readouts(scene, list);
  if (p.view == View::next && model.said) add_next_readouts(scene, list);
  if (model.rounding) add_rounding_readouts(scene, list);
  return list;
}

std::string formula(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& positions = model.positions();
  if (p.view == View::comparison) return "\\frac{1}{\\text{bytes}} \\sum_{t} -\\log_{2} P(t)";
  if (p.view == View::next) return "P(t) = \\text{softmax}(\\text{norm}(x) W_{U})_{t}";
  const auto weight = [](const std::string& score) {
    return "w_{mn} = \\text{softmax}_{n}\\left(" + score + "\\right)";
  };
  if (model.place.cross) return weight("\\Q{q}_{m} \\K{k}_{n}");
  if (positions.rotary) {
    return weight("\\frac{(R_{m} \\Q{q}_{m}) (R_{n} \\K{k}_{n})}{\\sqrt{d}}");
  }
  if (positions.slopes.size() > 0) {
    return weight("\\frac{\\Q{q}_{m} \\K{k}_{n}}{\\sqrt{d}} - s_{h} (m - n)");
  }
  if (!positions.buckets.empty()) return weight("\\Q{q}_{m} \\K{k}_{n} + b_{h}(n - m)");
  return weight("\\frac{\\Q{q}_{m} \\K{k}_{n}}{\\sqrt{d}}");
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  add_published_notes(*model.opened, w, page);
  const auto& put_in = model.tokens->put_in;
  if (const auto count = std::count(put_in.begin(), put_in.end(), 1); count > 0) {
    page.note(w.format("Tokens of the template: {}.", count));
  }
  if (model.reading && model.reading->only) {
    page.note(
        w.format("The weights of all layers would take too much memory for this text: those of "
                 "layer {} alone are kept.",
                 *model.reading->only + 1));
  }
  if (p.view == View::next && !model.said) {
    page.note(w("The file has no head: the model predicts no token."));
  }
  if (p.view == View::precision && !model.precision) {
    page.note(w("No held-out texts came with this model: nothing is rounded."));
  }
  if (p.view == View::positions && !model.positions().rotary) {
    page.note(w("Nothing is rotated here, so there is no table to round."));
  } else if (model.rounding && model.rounding->offsets.empty()) {
    page.note(w("The model is too large for a curve over positions to be computed on the way."));
  }
  // Only what was read: the other pages do not read all.
  if (!model.said) return;
  for (const auto& one : model.opened->model->weights().not_finite()) {
    page.note(
        w.format("NaN or infinite numbers of {}: {}.", core::printable(one.tensor), one.count));
  }
}

void add_figures(const Scene& scene, Page& page) {
  const Model& model = scene.model;
  const auto add = [&page](std::vector<Figure> all) {
    for (Figure& figure : all) page.figures.push_back(std::move(figure));
  };
  switch (scene.p.view) {
    case View::heads:
      page.figures.push_back(text_figure(scene));
      page.figures.push_back(sheet_figure(scene));
      if (model.attending()) page.figures.push_back(map_figure(scene));
      if (model.statistics) page.figures.push_back(statistics_figure(scene));
      page.jumps = decoder_jumps(scene);
      if (auto jump = tensors_jump(scene)) page.jumps.push_back(std::move(*jump));
      return;
    case View::next:
      page.figures.push_back(text_figure(scene));
      if (model.said) page.figures.push_back(next_figure(scene));
      if (model.lens) page.figures.push_back(lens_figure(scene));
      if (model.continuation && !model.continuation->tokens.empty()) {
        page.figures.push_back(continuation_figure(scene));
      }
      if (model.written_heads) {
        add(written_figures(*model.written_heads, model.place, scene.w));
      }
      if (model.reading->trace.pooled.size() > 0) page.figures.push_back(pooled_figure(scene));
      page.jumps = decoder_jumps(scene);
      return;
    case View::positions:
      add(position_figures(scene));
      add(rounding_figures(scene));
      page.jumps = jumps(scene);
      return;
    case View::precision:
      page.figures.push_back(text_figure(scene));
      if (model.precision) {
        add(precision_figures(
            {*model.opened, *model.precision, *model.rounded_next, scene.p.offset, scene.w}));
      }
      return;
    case View::comparison:
      if (model.opened->comparison) return;  // its figures come with its readouts
      [[fallthrough]];
    case View::file: add(file_figures(scene)); return;
  }
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  return w.format("{} · {} · tokens: {} · layers: {} · heads in each: {}", model.opened->name,
                  model.facts().name, model.tokens->ids.size(), model.layers(),
                  model.facts().heads) +
         unread_text(*model.opened, w);
}

std::string attention_name(std::string_view id, const Words& w) {
  if (id == "cross") return w("decoder on encoder");
  return id == "encoder" ? w("encoder") : w("decoder");
}

// The attentions to choose from.
param::Facts names(const Parameters& p, const Model& model, const Words& w) {
  if (p.shows_shipped() && p.shipped != Shipped::t5) return {};
  auto all = std::make_shared<std::vector<param::Named>>();
  for (const std::string_view id : attentions(model.facts())) {
    all->push_back({std::string(id), attention_name(id, w)});
  }
  return {{"attention", {attention_of(p), std::move(all)}}};
}

// The layers, heads and tokens that there are.
void add_ranges(const Scene& scene, param::Facts& found) {
  const auto& [p, model, w] = scene;
  Parameters same = p;
  const param::Facts names = found;
  param::List list = listed(same, describe, names);
  const FoundIn of_model{opened_model(list), model.opened->name};
  of_model.add("head", 1, to_double(model.facts().heads), found);
  const Index listed_tokens = std::min(kListed, model.facts().vocabulary);
  of_model.add("rank", 0, to_double(listed_tokens - 1), found);
  const FoundIn of_stack{opened_stack(list), model.opened->name};
  of_stack.add("layer", 1, to_double(model.layers()), found);
  const FoundIn of_text{opened_text(list), w("this text")};
  of_text.add("token", -1, to_double(model.queries() - 1), found);
  of_text.add("key", -1, to_double(model.keys() - 1), found);
  if (model.room()) of_text.add("most", 0, to_double(*model.room()), found);
}

Page page_of(const Parameters& p, const Model& model, const Words& w) {
  const Scene scene{p, model, w};
  Page page;
  add_figures(scene, page);
  page.readouts = readouts(scene);
  if (p.view == View::comparison) add_comparison(*model.opened, w, page);
  page.formula = formula(scene);
  if (model.reading && model.reading->whole) page.explanation = explain(scene);
  page.cards = cards("checkpoint", w);
  add_notes(scene, page);
  page.status = status(scene);
  if (p.shows_shipped()) page.made_up = w(made_up_weights(p.shipped));
  page.found = names(p, model, w);
  add_ranges(scene, page.found);
  return page;
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  Partly partly;
  if (context.publish && p.view == View::heads) {
    partly.show = [&](const Model& so_far) { context.publish(page_of(p, so_far, context.words)); };
  }
  const Model model = make_model(p, context, partly);
  if (!model.fault.empty()) {
    Page page;
    page.found = names(p, model, context.words);
    page.fault = model.fault;
    return page;
  }
  context.cancel.poll();
  return page_of(p, model, context.words);
}

}  // namespace lab::checkpoint
