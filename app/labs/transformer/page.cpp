#include "app/labs/transformer/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::transformer {
namespace {

double rms(const MatrixD& x) { return std::sqrt(x.squaredNorm() / to_double(x.size())); }

// The mean over the last steps.
double late_loss(const std::vector<std::vector<double>>& scalars) {
  constexpr std::size_t kLast = 20;
  const std::size_t count = std::min(kLast, scalars.size());
  double sum = 0;
  for (std::size_t k = scalars.size() - count; k < scalars.size(); ++k) sum += scalars[k].front();
  return sum / to_double(count);
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w, norms, depths, warmups] = scene;
  const Pass& pass = scene.pass();
  const double chance = std::log(to_double(scene.texts().words.size()));
  const auto count = to_double(pass.layout.learned());
  const double embedded = rms(pass.tokens("encoder.embedded"));
  const double positions = rms(pass.tokens("encoder.placed") - pass.tokens("encoder.embedded"));
  std::vector<Readout> all = {
      {"parameters", w("Parameters"), count, grouped(pass.layout.learned()),
       w("All numbers of the drawn model that training would change")},
      {"activations", w("Tensors kept"), pass.trace.size(), grouped(to_index(pass.trace.size())),
       w("Activations of this forward pass, each under its name")},
      {"loss", w("Loss"), pass.loss, w.format("{:.3f} nats", pass.loss),
       w("Mean of -ln p of the right next token, before anything was learned")},
      {"chance", w("Loss of a guess"), chance, w.format("{:.3f} nats", chance),
       w("ln V: all words alike")},
      {"embedding_size", w("Embeddings, rms"), embedded, significant(embedded, 4),
       w("Root mean square of the embedded source, before positions")},
      {"position_size", w("Positions, rms"), positions, significant(positions, 4),
       w("Root mean square of what positions add")},
      {"encoder_size", w("Encoder's output, rms"), rms(pass.tokens("encoder.out")),
       significant(rms(pass.tokens("encoder.out")), 4), w("Root mean square")},
      {"decoder_size", w("Decoder's output, rms"), rms(pass.tokens("decoder.out")),
       significant(rms(pass.tokens("decoder.out")), 4), w("Root mean square")}};
  if (scene.warmups) {
    const auto add = [&all, &words = scene.w](const char* id, std::string label,
                                              const Trained<WarmUp>& run) {
      if (run.scalars.empty()) return;
      const double late = late_loss(run.scalars);
      if (!std::isfinite(late)) return;
      all.push_back({id, std::move(label), late, words.format("{:.3f} nats", late),
                     words("Mean of the last 20 steps")});
    };
    add("loss_warm", w("Loss with warm-up"), scene.warmups->with);
    add("loss_cold", w("Loss without warm-up"), scene.warmups->without);
  }
  constexpr std::string_view kLossIds[] = {"after",       "before",       "none",
                                           "after_alone", "before_alone", "none_alone"};
  for (std::size_t k = 0; k < depths.all.size(); ++k) {
    const Depth& d = depths.all[k];
    if (!std::isfinite(d.loss)) continue;
    all.push_back({fmt::format("loss_{}", kLossIds[k]),
                   w.format("Loss at the start, {}", variant_name(scene, kVariants[k])), d.loss,
                   significant(d.loss, 5),
                   w.format("Of the small decoder below, layers: {}", p.depth)});
  }
  return all;
}

std::string formula(const Parameters& p) {
  const std::string f = "f(\\text{x})";
  const std::string inner = p.residual ? "\\text{x} + " + f : f;
  switch (p.norm) {
    case NormPlace::after: return "\\text{y} = \\text{norm}(" + inner + ")";
    case NormPlace::before:
      return p.residual ? "\\text{y} = \\text{x} + f(\\text{norm}(\\text{x}))"
                        : "\\text{y} = f(\\text{norm}(\\text{x}))";
    case NormPlace::none: break;
  }
  return "\\text{y} = " + inner;
}

std::vector<std::string> notes(const Scene& scene) {
  std::vector<std::string> all;
  if (scene.texts().cut) {
    all.push_back(
        scene.w.format("A text has more than {0} tokens: its first {0} are used.", kMostTokens));
  }
  for (std::size_t k = 0; k < kVariants.size(); ++k) {
    if (!std::isfinite(scene.depths.all[k].loss)) {
      all.push_back(
          scene.w("Without norms, numbers leave the range of float here: those curves end."));
      break;
    }
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
Norms shown_norms(const Model& model, const Parameters& p) {
  const Index layer = std::min(p.layer, p.encoder_layers) - 1;
  const Spot spot{*model.texts, *model.pass, Block::encoder_self_norm, layer};
  return norms_of(model.pass->tokens(spot.normed() ? spot.before_norm() : spot.in_sub() + "sum"));
}

// Both learn the same text from the same start.
std::optional<WarmUps> warmups_of(const Parameters& p, const Context& context) {
  if (p.steps == 0) return std::nullopt;
  const Variant variant{p.norm, p.residual};
  const auto trained = [&](const char* name, int warmup) {
    return context.trained(name, WarmUp(variant, p.rate, warmup, p.seed), p.steps, p.steps);
  };
  return WarmUps{trained("transformer/warm", p.warmup), trained("transformer/cold", 0)};
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Words& w = context.words;
  const Model model = make_model(p, context);
  context.cancel.poll();
  Page page;
  page.formula = formula(p);
  page.cards = cards("transformer", w);
  if (model.empty()) {
    page.status = w("no token");
    page.notes = {w("There is no token to read yet: type a source.")};
    return page;
  }
  const auto depths = context.stage("depths", depths_of, small_form(p.activation), p.depth, p.seed);
  const Norms norms = shown_norms(model, p);
  const std::optional<WarmUps> warmups = warmups_of(p, context);
  const Scene scene{p, model, w, norms, *depths, warmups ? &*warmups : nullptr};
  page.status = w.format("n = {} · m = {} · d_model {} · heads {} · layers {} + {} · seed {}",
                         model.texts->n(), model.texts->m(), p.d_model, p.head_count(),
                         p.encoder_layers, p.decoder_layers, p.seed);
  page.made_up =
      w("All weights are as they are before training, drawn at random: read sizes, "
        "shapes and what flows where, not meanings.");
  page.notes = notes(scene);
  page.readouts = readouts(scene);
  page.figures = {drawing_figure(scene), tensor_figure(scene), spread_figure(scene),
                  norms_figure(scene),   depth_figure(scene),  starts_figure(scene),
                  count_figure(scene)};
  if (warmups) page.figures.insert(page.figures.end() - 2, warmup_figure(scene));
  page.explanation = explain(scene);
  return page;
}

}  // namespace lab::transformer
