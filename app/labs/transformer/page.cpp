#include "app/labs/transformer/page.h"
#include "app/labs/shared/text/text.h"
#include "core/task/depth/letter_model.h"

namespace lab::transformer {
namespace {

// The mean over the last steps; NaN when there is none.
double late_loss(const std::vector<std::vector<double>>& scalars) {
  const std::size_t count = std::min<std::size_t>(20, scalars.size());
  double sum = 0;
  for (std::size_t k = scalars.size() - count; k < scalars.size(); ++k) sum += scalars[k].front();
  return sum / to_double(count);
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& w = scene.w;
  const auto& warmups = scene.warmups;
  const Pass& pass = scene.pass();
  const double chance = std::log(to_double(scene.texts().words.size()));
  const auto count = to_double(pass.layout.learned());
  const auto size = [&](const char* id, std::string label, Block block, Part part,
                        std::string help) -> Readout {
    const double rms = tensor(scene.spot(block), part).rms();
    return {id, std::move(label), rms, significant(rms, 4), std::move(help)};
  };
  std::vector<Readout> all = {
      {"parameters", w("Parameters"), count, grouped(pass.layout.learned()),
       w("All numbers of the drawn model that training would change")},
      {"activations", w("Tensors kept"), pass.trace.size(), grouped(to_index(pass.trace.size())),
       w("Activations of this forward pass, each under its name")},
      {"loss", w("Loss"), pass.loss, w.format("{:.3f} nats", pass.loss),
       w("Mean of -ln p of the right next token, before anything was learned")},
      {"chance", w("Loss of a guess"), chance, w.format("{:.3f} nats", chance),
       w("ln V: all words alike")},
      size("embedding_size", w("Embeddings, rms"), Block::encoder_input, Part::embedded,
           w("Root mean square of the embedded source, before positions")),
      size("position_size", w("Positions, rms"), Block::encoder_input, Part::positions,
           w("Root mean square of what positions add")),
      size("encoder_size", w("Encoder's output, rms"), Block::encoder_out, Part::result,
           w("Root mean square")),
      size("decoder_size", w("Decoder's output, rms"), Block::decoder_out, Part::result,
           w("Root mean square"))};
  if (warmups) {
    const auto add = [&](const char* id, std::string label, const Trained<WarmUp>& run) {
      const double late = late_loss(run.scalars);
      if (!std::isfinite(late)) return;
      all.push_back({id, std::move(label), late, w.format("{:.3f} nats", late),
                     w("Mean of the last 20 steps")});
    };
    add("loss_warm", w("Loss with warm-up"), warmups->with);
    add("loss_cold", w("Loss without warm-up"), warmups->without);
  }
  for (std::size_t k = 0; k < scene.depths.size(); ++k) {
    const double loss = scene.depths[k].loss;
    if (!std::isfinite(loss)) continue;
    const StackVariant& variant = core::task::kStackVariants[k];
    all.push_back({"loss_" + variant_id(variant),
                   w.format("Loss at the start, {}", variant_name(variant, w)), loss,
                   significant(loss, 5),
                   w.format("Of the small decoder below, layers: {}", scene.p.depth)});
  }
  return all;
}

std::string formula(const Parameters& p) {
  const std::string y = "\\text{y} = ", added = p.residual ? "\\text{x} + " : "";
  switch (p.norm) {
    case NormPlace::after: return y + "\\text{norm}(" + added + "f(\\text{x}))";
    case NormPlace::before: return y + added + "f(\\text{norm}(\\text{x}))";
    case NormPlace::none: break;
  }
  return y + added + "f(\\text{x})";
}

std::vector<std::string> notes(const Scene& scene) {
  std::vector<std::string> all;
  if (scene.texts().cut) {
    all.push_back(
        scene.w.format("A text has more than {0} tokens: its first {0} are used.", kMostTokens));
  }
  if (std::any_of(scene.depths.begin(), scene.depths.end(),
                  [](const auto& sizes) { return !std::isfinite(sizes.loss); })) {
    all.push_back(
        scene.w("Without norms, numbers leave the range of float here: those curves end."));
  }
  if (scene.warmups) {
    for (const auto* run : {&scene.warmups->with, &scene.warmups->without}) {
      if (run->fault.empty()) continue;
      all.push_back(scene.w.format("Training stopped after step {}: {}.", run->scalars.size() - 1,
                                   run->fault.in(scene.w)));
    }
  }
  return all;
}

// What the norms are shown on: what the first norm of this encoder layer is given.
MatrixD shown_norms(const Model& model, const Parameters& p) {
  const Index layer = std::min(p.layer, p.encoder_layers) - 1;
  const Spot spot(*model.texts, *model.pass, Block::encoder_self_norm, layer);
  return model.pass->tokens(spot.normed() ? spot.before_norm() : spot.prefix() + "sum");
}

std::vector<core::task::StackSizes> depths_of(Activation activation, int layers, int seed,
                                              const Run& run) {
  return core::task::stack_sizes(core::task::small_form(activation), layers,
                                 static_cast<std::uint64_t>(seed), run.threads, run.cancel);
}

// Both learn the same text from the same start.
std::optional<WarmUps> warmups_of(const Parameters& p, const Context& context) {
  if (p.steps == 0) return std::nullopt;
  const auto described = [&](int warmup) {
    return core::task::WarmUpFit(p.variant(), p.rate, warmup, static_cast<std::uint64_t>(p.seed));
  };
  const auto with = described(p.warmup), without = described(0);
  return WarmUps{context.trained("transformer/warm", WarmUp{with}, p.steps, p.steps),
                 context.trained("transformer/cold", WarmUp{without}, p.steps, p.steps),
                 with.text()};
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Words& w = context.words;
  const Model model = make_model(p, context);
  Page page;
  page.formula = formula(p);
  page.cards = cards("transformer", w);
  if (model.empty()) {
    page.status = w("no token");
    page.notes = {w("There is no token to read yet: type a source.")};
    return page;
  }
  const auto depths = context.stage("depths", depths_of, p.activation, p.depth, p.seed);
  const Scene scene{p, model, w, shown_norms(model, p), *depths, warmups_of(p, context)};
  page.status = w.format("n = {} · m = {} · d_model {} · heads {} · layers {} + {} · seed {}",
                         model.texts->n(), model.texts->m(), p.d_model, p.head_count(),
                         p.encoder_layers, p.decoder_layers, p.seed);
  page.made_up =
      w("All weights are as they are before training, drawn at random: read sizes, shapes and what "
        "flows where, not meanings.");
  page.notes = notes(scene);
  page.readouts = readouts(scene);
  page.figures = {drawing_figure(scene), tensor_figure(scene), spread_figure(scene),
                  norms_figure(scene),   depth_figure(scene),  starts_figure(scene),
                  count_figure(scene)};
  if (scene.warmups) page.figures.insert(page.figures.end() - 2, warmup_figure(scene));
  page.explanation = explain(scene);
  return page;
}

}  // namespace lab::transformer
