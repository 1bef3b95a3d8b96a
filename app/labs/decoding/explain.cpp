// The picked probability through the filters, the score of a branch, and a draw, down to what they
// are made of.
#include "app/labs/decoding/page.h"

namespace lab::decoding {
namespace {

constexpr std::size_t kMostTerms = 12;

std::string number_of(double value) { return significant(value, 6); }

class Explainer {
 public:
  explicit Explainer(const Scene& scene)
      : scene_(scene), m_(scene.model), w_(scene.w), lines_(scene.w) {}

  Explanation probability() {
    const std::string name = scene_.token(m_.token);
    Explanation out{w_.format("The probability of {}: {}", name, scene_.stage_name(m_.stage)), {}};
    if (m_.stage == 0) {
      first();
    } else {
      filter();
    }
    out.lines = lines_.take();
    return out;
  }

  Explanation branch() {
    const Text* best = m_.text_of(Way::beam);
    const bool own = !m_.taken.empty();
    const Ids& ids = own ? m_.taken : best->ids;
    Explanation out{own ? w_.format("Your branch: {}", scene_.text(ids))
                        : w_.format("The beam's best: {}", scene_.text(ids)),
                    {}};
    sum_of(ids);
    explain_branch_outcome(ids);
    out.lines = lines_.take();
    return out;
  }

  Explanation draw() {
    const VectorD& p = m_.filtered.after().probabilities;
    const double u =
        core::decode::draw_number(sample_seed(scene_.p.seed, m_.draw), to_index(m_.at.size()));
    const std::int32_t id = core::decode::inverse_cdf(p, u);
    Explanation out{w_.format("Draw {}: {}", m_.draw + 1, scene_.token(id)), {}};
    lines_.about("u", u, 6);
    lines_.say(
        w_("A number from 0 to 1 that follows from the seed, the draw and the position in the "
           "text. The first token at which the cumulative probability exceeds u is drawn."));
    cumulative(p, id);
    lines_.line("", {accented(w_.format("{}: the first above u", scene_.token(id)))});
    out.lines = lines_.take();
    return out;
  }

 private:
  const Distribution& before() const { return m_.distribution(m_.stage - 1); }
  double p_before(std::int32_t id) const { return before().probabilities(id); }
  std::string p_name() const { return fmt::format("p({})", scene_.token(m_.token)); }

  // --- the model's own

  void first() {
    const Rules::Rule* rule = scene_.rule();
    if (rule && !rule->logits) return written(*rule);
    softmax_of(m_.filtered.before.logits, 1);
  }

  void written(const Rules::Rule& rule) {
    const auto entry = std::find_if(rule.entries.begin(), rule.entries.end(),
                                    [this](const auto& e) { return e.token == m_.token; });
    if (entry == rule.entries.end()) {
      lines_.picked(p_name(), "0").say(w_("The rule does not name it: its probability is 0."));
      return;
    }
    const std::string value = number_of(entry->value);
    if (rule.sum == 1) {
      lines_.picked(p_name(), value);
      lines_.say(rule.context.empty()
                     ? w_("By the rule without a context.")
                     : w_.format("By the rule after “{}”.", scene_.text(rule.context)));
      return;
    }
    const double p = m_.filtered.before.probabilities(m_.token);
    lines_.about_picked(p_name(), weight_text(p)).about(value + " / " + number_of(rule.sum));
    std::vector<Derivation::Term> terms;
    for (const Rules::Entry& each : rule.entries) {
      terms.push_back({number_of(each.value), scene_.token(each.token)});
    }
    lines_.is("Σ", "≈ " + number_of(rule.sum)).terms(terms);
  }

  void softmax_of(const VectorD& logits, double temperature) {
    SoftmaxRow row;
    row.scores.assign(logits.begin(), logits.end());
    row.picked = to_size(m_.token);
    row.name = [this](std::size_t id) { return scene_.token(static_cast<std::int32_t>(id)); };
    for (const double logit : logits) row.allowed.push_back(std::isfinite(logit));
    row.temperature = temperature;
    row.score = "z";
    row.in_full = true;
    lines_.softmax(p_name(), row);
    const Rules::Rule* rule = scene_.rule();
    if (rule && !rule->logits)
      lines_.say(w_("z: the logarithm of the probability before this filter."));
  }

  // --- filters

  void filter() {
    const Filter& filter = m_.filtered.steps[to_size(m_.stage - 1)].filter;
    if (!(p_before(m_.token) > 0)) {
      lines_.picked(p_name(), "0").say(w_("It had no probability before this filter."));
      return;
    }
    switch (filter.kind) {
      case Filter::Kind::temperature: return softmax_of(before().logits, filter.value);
      case Filter::Kind::top_k: rank(filter); break;
      case Filter::Kind::top_p: nucleus(filter); break;
      case Filter::Kind::min_p: threshold(filter); break;
      case Filter::Kind::repetition: return repetition(filter);
    }
    shared_out();
  }

  void rank(const Filter& filter) {
    const auto order = core::decode::by_probability(before().probabilities);
    const auto rank = std::find(order.begin(), order.end(), m_.token) - order.begin() + 1;
    const auto k = to_index(filter.value);
    lines_.say(w_.format("Top-k keeps the {} likeliest; {} is number {}.", k,
                         scene_.token(m_.token), rank));
    const bool kept = m_.distribution(m_.stage).probabilities(m_.token) > 0;
    if (kept && rank > k) {
      lines_.say(w_("It is as likely as the last of these, and the library's form keeps it."));
    }
  }

  // The probabilities summed up, the likeliest first, as far as the nucleus reaches.
  void nucleus(const Filter& filter) {
    lines_.say(w_.format(filter.form == Filter::Form::paper
                             ? N_("Top-p keeps the likeliest until their sum reaches {}.")
                             : N_("Top-p, as in early versions of the library, keeps a token as "
                                  "long as the sum before it is not above {}."),
                         number_of(filter.value)));
    double sum = 0;
    for (const std::int32_t id :
         core::decode::likeliest(before().probabilities, to_index(kMostTerms))) {
      const bool kept = m_.distribution(m_.stage).probabilities(id) > 0;
      if (!kept) break;
      add_up(sum, p_before(id), id);
      sum += p_before(id);
    }
  }

  void threshold(const Filter& filter) {
    const double largest = before().probabilities.maxCoeff(), least = filter.value * largest;
    lines_.is(w_("least"), fmt::format("≈ {} · {}", number_of(filter.value), number_of(largest)))
        .about(number_of(least));
    lines_.say(m_.distribution(m_.stage).probabilities(m_.token) > 0
                   ? w_.format("{} is at least that.", number_of(p_before(m_.token)))
                   : w_.format("{} is below it.", number_of(p_before(m_.token))));
  }

  void repetition(const Filter& filter) {
    const Ids text = scene_.source().text(m_.at);
    const bool there = std::find(text.begin(), text.end(), m_.token) != text.end();
    const double z = before().logits(m_.token);
    if (!there) {
      lines_.say(w_.format("{} was not written yet: its logit stays.", scene_.token(m_.token)));
    } else {
      const bool times = filter.form == Filter::Form::library && z < 0;
      const std::string value = number_of(filter.value);
      lines_
          .is(fmt::format("z({})", scene_.token(m_.token)),
              fmt::format("≈ {} {} {}", fixed(z, 6), times ? "·" : "/", value))
          .about(times ? z * filter.value : z / filter.value, 5);
      if (z < 0 && !times && filter.value > 1) {
        lines_.say(
            w_("A negative logit divided by more than 1 rises: here the penalty rewards. The "
               "library multiplies instead."));
      }
    }
    softmax_of(m_.distribution(m_.stage).logits, 1);
  }

  // What was kept shares out what was cut.
  void shared_out() {
    const VectorD& after = m_.distribution(m_.stage).probabilities;
    if (!(after(m_.token) > 0)) {
      lines_.picked(p_name(), "0").say(w_("Cut: it stays in the figure with a cross."));
      return;
    }
    double kept = 0;
    std::vector<Derivation::Term> terms;
    double rest = 0;
    Index more = 0;
    for (const std::int32_t id : core::decode::by_probability(before().probabilities)) {
      if (!(after(id) > 0)) continue;
      kept += p_before(id);
      if (terms.size() < kMostTerms || id == m_.token) {
        terms.push_back({number_of(p_before(id)), scene_.token(id)});
      } else {
        rest += p_before(id);
        ++more;
      }
    }
    if (more > 0) terms.push_back({number_of(rest), w_.format("… more tokens: {}", more)});
    lines_.about_picked(p_name(), weight_text(after(m_.token)))
        .about(number_of(p_before(m_.token)) + " / " + number_of(kept));
    lines_.is(w_("Σ kept"), "≈ " + number_of(kept)).terms(terms);
  }

  void add_up(double sum, double p, std::int32_t id) {
    const std::string left = scene_.token(id);
    if (sum == 0) {
      lines_.is(left, "≈ " + number_of(p));
    } else {
      lines_.is(left,
                fmt::format("≈ {} + {} ≈ {}", number_of(sum), number_of(p), number_of(sum + p)));
    }
  }

  // By the order of the vocabulary up to what was drawn.
  void cumulative(const VectorD& p, std::int32_t drawn) {
    double sum = 0;
    std::int32_t first = drawn;
    for (std::size_t left = kMostTerms; first > 0 && left > 0; --first) left -= p(first - 1) > 0;
    for (std::int32_t id = 0; id <= drawn; ++id) {
      if (!(p(id) > 0)) continue;
      if (id >= first) add_up(sum, p(id), id);
      sum += p(id);
    }
  }

  // --- a branch

  void sum_of(const Ids& ids) {
    double sum = 0;
    std::vector<Derivation::Term> terms;
    Ids path;
    for (const std::int32_t id : ids) {
      path.push_back(id);
      const Node& node = m_.tree.nodes[to_size(m_.tree.find(path))];
      terms.push_back({fixed(node.log_probability, 5),
                       fmt::format("≈ ln {}  {}", number_of(std::exp(node.log_probability)),
                                   scene_.token(id))});
      sum += node.log_probability;
    }
    const auto length = to_index(ids.size());
    const LengthPenalty penalty = scene_.p.length_penalty();
    lines_.begin(w_("score"), w_("Σ log p / penalty"));
    lines_.about_result(sum / penalty.at(length), 4);
    lines_.about("Σ log p", sum, 5).terms(terms);
    lines_.is("p", fmt::format("≈ exp({})", fixed(sum, 5))).about(weight_text(std::exp(sum)));
    penalty_of(penalty, length);
    if (penalty.kind != LengthPenalty::Kind::none) {
      lines_.is(w_("score"),
                fmt::format("≈ {} / {}", fixed(sum, 5), number_of(penalty.at(length))));
      lines_.about(sum / penalty.at(length), 4);
    }
  }

  void penalty_of(const LengthPenalty& penalty, Index length) {
    const std::string name = w_("penalty"), alpha = number_of(penalty.alpha);
    switch (penalty.kind) {
      case LengthPenalty::Kind::none:
        lines_.begin(name, "1").say(w_("No length penalty: the score is the sum."));
        return;
      case LengthPenalty::Kind::power:
        lines_.begin(name, fmt::format("{}^{}", length, bracketed(alpha)));
        break;
      case LengthPenalty::Kind::gnmt:
        lines_.begin(name, fmt::format("((5 + {}) / 6)^{}", length, bracketed(alpha)));
        break;
    }
    lines_.about(number_of(penalty.at(length)));
  }

  void explain_branch_outcome(const Ids& ids) {
    const Node& node = m_.tree.nodes[to_size(m_.tree.find(ids))];
    if (node.branch < 0) {
      lines_.say(
          w_("The search never reached it: an earlier token had been dropped, or it was not among "
             "the likeliest there."));
      return;
    }
    lines_.say(outcome_text(scene_, m_.beam->branches[to_size(node.branch)]));
  }

  const Scene& scene_;
  const Model& m_;
  const Words& w_;
  Derivation lines_;
};

}  // namespace

Explanation explain(const Scene& scene) {
  Explainer explainer(scene);
  switch (scene.p.explained) {
    case Explained::probability: return explainer.probability();
    case Explained::branch: return explainer.branch();
    case Explained::draw: break;
  }
  return explainer.draw();
}

}  // namespace lab::decoding
