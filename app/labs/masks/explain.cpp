// Why a pair is kept or not, what its weight is made of, and how far its information has come.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

using figure::Role;
using figure::Span;

constexpr std::size_t kMostKeys = 16;  // of a row that are written out; beyond, the strongest
constexpr std::size_t kStrongestKeys = 11;
constexpr Index kMostTerms = 32;  // of q·k that are written out; beyond, the first few
constexpr Index kFirstTerms = 12;

class Explainer {
 public:
  explicit Explainer(const Scene& scene)
      : scene_(scene), words_(scene.w), i_(scene.model.query), j_(scene.model.key.value_or(0)) {}

  Explanation explained() && {
    if (!scene_.model.key) return empty_row();
    Explanation result;
    const bool kept = scene_.kept();
    result.title = kept ? words_.format("Why query {} sees key {}", i_, j_)
                        : words_.format("Why query {} does not see key {}", i_, j_);
    kept_or_not();
    if (kept) {
      weight();
    } else {
      lines_.push_back({fmt::format("w[{},{}]", i_, j_), {{"= 0", Role::accent}}});
      lines_.push_back({"", {sentence(words_("Not small but absent: it is not computed."))}});
    }
    if (scene_.model.reached) reach();
    result.lines = std::move(lines_);
    return result;
  }

 private:
  Explanation empty_row() {
    return {
        words_.format("Query {} sees nothing", i_),
        {{"w", {{"= 0", Role::accent}}},
         {"",
          {sentence(words_.format(
              "No key is kept in row {}: its weights and its output are exactly 0. Softmax of no "
              "numbers is not defined; filling in a large negative number would give 1/n instead.",
              i_))}}}};
  }

  Span verdict(bool yes) const {
    return {yes ? words_("yes") : words_("no"), yes ? Role::good : Role::bad,
            figure::TextStyle::mono_bold};
  }

  // The verdict of one item.
  bool item(std::size_t k, const std::string& letter) {
    const Model& model = scene_.model;
    const param::StackItem& item = scene_.p.stack[k];
    const auto& alone = model.composition->parts[k].alone;
    const PatternInputs inputs = pattern_inputs(scene_.p, *model.content);
    const Reason why = reason(item, i_, j_, inputs, *alone, words_);
    lines_.push_back({letter, {plain(item_name(item, words_))}});
    Span said = verdict(why.kept);
    said.style = figure::TextStyle::mono;
    said.text += ": " + why.because;
    lines_.push_back({"", {std::move(said)}});
    return why.kept;
  }

  void kept_or_not() {
    const Model& model = scene_.model;
    if (scene_.p.turns()) {
      const std::size_t k = scene_.p.item_of(scene_.p.layers);
      lines_.push_back(
          {"",
           {sentence(words_.format("Layers take turns: layer {} has the mask of item {}.",
                                   scene_.p.layers, k + 1))}});
      if (model.composition->parts[k].alone) item(k, std::string(1, static_cast<char>('a' + k)));
      return;
    }
    std::string formula;
    Explanation::Line numbers{"", {plain("= ")}};
    bool sum = true, first = true;
    for (std::size_t k = 0; k < scene_.p.stack.size(); ++k) {
      if (!model.composition->parts[k].alone) {
        lines_.push_back(
            {"",
             {sentence(words_.format("{} is left out", item_name(scene_.p.stack[k], words_)))}});
        continue;
      }
      const std::string letter(1, static_cast<char>('a' + k));
      const bool kept = item(k, letter);
      const Join join = join_of(scene_.p.stack[k]);
      if (!first) {
        const std::string between = fmt::format(" {} ", words_(join_name(join)));
        formula += between;
        numbers.right.push_back(dim(between));
        sum = join == Join::unite       ? sum || kept
              : join == Join::intersect ? sum && kept
                                        : sum && !kept;
      } else {
        sum = kept;
      }
      first = false;
      formula += letter;
      numbers.right.push_back(verdict(kept));
    }
    if (first) sum = true;
    if (scene_.p.stack.size() > 1 && !first) {
      lines_.push_back({words_("kept"), {plain("= " + formula)}});
      lines_.push_back({"", {sentence(words_("joined from the left, one after the other"))}});
      lines_.push_back(std::move(numbers));
    } else if (first) {
      lines_.push_back(
          {"", {sentence(words_("Nothing is left of the mask: every pair is kept."))}});
    }
    lines_.push_back({words_("kept"), {plain("= "), verdict(sum)}});
  }

  // Softmax over the kept keys, in double.
  void weight() {
    const Row& row = *scene_.model.row;
    const auto at = static_cast<std::size_t>(
        std::lower_bound(row.keys.begin(), row.keys.end(), static_cast<std::int32_t>(j_)) -
        row.keys.begin());
    const double exponential = std::exp(row.scores[at] - row.max);
    lines_.push_back({fmt::format("w[{},{}]", i_, j_),
                      {{fmt::format("= {:.4g}", row.weights[at]), Role::accent}}});
    lines_.push_back({"", {plain("= exp(s - max) / Σ exp")}});
    lines_.push_back(
        {"",
         {plain(fmt::format("= exp({} - {}) / Σ exp", fixed(row.scores[at]), fixed(row.max)))}});
    lines_.push_back({"", {plain(fmt::format("= {} / {}", fixed(exponential), fixed(row.sum)))}});
    normaliser(row, at);
    score(row.scores[at]);
  }

  void normaliser(const Row& row, std::size_t shown) {
    std::vector<std::size_t> written(row.keys.size());
    for (std::size_t k = 0; k < written.size(); ++k) written[k] = k;
    if (written.size() > kMostKeys) {
      std::partial_sort(written.begin(), written.begin() + static_cast<long>(kStrongestKeys),
                        written.end(), [&](std::size_t a, std::size_t b) {
                          if ((a == shown) != (b == shown)) return a == shown;
                          return row.scores[a] > row.scores[b];
                        });
      written.resize(kStrongestKeys);
      std::sort(written.begin(), written.end());
    }
    std::vector<double> terms;
    double rest = row.sum;
    for (const std::size_t k : written) {
      terms.push_back(std::exp(row.scores[k] - row.max));
      rest -= terms.back();
    }
    const std::size_t more = row.keys.size() - written.size();
    if (more > 0) terms.push_back(std::max(0.0, rest));
    const PrintedSum printed = printed_sum(terms);
    lines_.push_back({"Σ exp", {plain("= " + printed.sum)}});
    for (std::size_t k = 0; k < written.size(); ++k) {
      const bool own = written[k] == shown;
      lines_.push_back({"",
                        {dim(k == 0 ? "  " : "+ "),
                         {printed.parts[k], own ? Role::accent : Role::text},
                         {"  " + scene_.name(row.keys[written[k]]), own ? Role::key : Role::dim}}});
    }
    if (more > 0) {
      lines_.push_back({"",
                        {dim("+ "), plain(printed.parts.back()),
                         dim("  " + words_.format("… {} more keys", more))}});
    }
  }

  void score(double scaled) {
    const Parameters& p = scene_.p;
    const Content& content = *scene_.model.content;
    const Index d = content.Q.cols(), written = d > kMostTerms ? kFirstTerms : d;
    std::vector<double> terms;
    double rest = 0;
    for (Index c = 0; c < d; ++c) {
      const double product =
          static_cast<double>(content.Q(i_, c)) * static_cast<double>(content.K(j_, c));
      if (c < written) {
        terms.push_back(product);
      } else {
        rest += product;
      }
    }
    if (written < d) terms.push_back(rest);
    const PrintedSum printed = printed_sum(terms);
    const bool cooled = p.temperature != 1;
    lines_.push_back({"s", {plain(cooled ? "= q·k / √d / T" : "= q·k / √d")}});
    lines_.push_back({"",
                      {plain(fmt::format("= {} / √{}", printed.sum, d)),
                       plain(cooled ? fmt::format(" / {}", p.temperature) : std::string()),
                       plain(" = " + fixed(scaled))}});
    lines_.push_back({"q·k", {plain("= " + printed.sum)}});
    for (Index c = 0; c < written; ++c) {
      lines_.push_back({"",
                        {dim(c == 0 ? "  " : "+ "),
                         {fmt::format("({:.2f})", content.Q(i_, c)), Role::query},
                         {fmt::format("({:.2f})", content.K(j_, c)), Role::key},
                         dim(" → "),
                         plain(printed.parts[static_cast<std::size_t>(c)])}});
    }
    if (written < d) {
      lines_.push_back({"",
                        {dim("+ "), dim(words_.format("… {} more terms", d - written)), dim(" → "),
                         plain(printed.parts.back())}});
    }
  }

  // Through which tokens the key's information came: from the last layer back to the first.
  std::vector<Index> path(int layers) const {
    const core::Reach& reach = scene_.model.reached->reach;
    const auto masks = layer_masks(scene_.p, *scene_.model.composition);
    std::vector<Index> tokens{i_};
    for (int layer = layers; layer > 0; --layer) {
      const auto there = [&](Index token) {
        return layer == 1 ? token == j_
                          : reach.after[static_cast<std::size_t>(layer - 2)](token, j_);
      };
      const Index at = tokens.back();
      if (scene_.p.residual && there(at)) {
        tokens.push_back(at);
        continue;
      }
      std::vector<std::int32_t> keys;
      masks[static_cast<std::size_t>(layer - 1) % masks.size()]->keys_into(at, keys);
      const auto next = std::find_if(keys.begin(), keys.end(), there);
      if (next == keys.end()) break;  // cannot be: the pair is connected
      tokens.push_back(*next);
    }
    return tokens;
  }

  void reach() {
    const float first = scene_.model.reached->first(i_, j_);
    if (core::is_masked(first)) {
      lines_.push_back({"",
                        {sentence(words_.format("Key {} does not reach query {} within {} layers.",
                                                j_, i_, kMostLayers))}});
      return;
    }
    const int layers = static_cast<int>(first);
    if (layers == 0) return;
    lines_.push_back({"",
                      {sentence(words_.format("Key {} first reaches query {} after layer {}:", j_,
                                              i_, layers))}});
    Explanation::Line line{"", {}};
    const std::vector<Index> tokens = path(layers);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      if (k > 0) line.right.push_back(dim(" ← "));
      const Role role = k == 0 ? Role::query : k + 1 == tokens.size() ? Role::key : Role::text;
      line.right.push_back({fmt::format("{}", tokens[k]), role});
    }
    lines_.push_back(std::move(line));
  }

  const Scene& scene_;
  const words::Words& words_;
  Index i_, j_;
  Lines lines_;
};

}  // namespace

Explanation explain(const Scene& scene) { return Explainer(scene).explained(); }

}  // namespace lab::masks
