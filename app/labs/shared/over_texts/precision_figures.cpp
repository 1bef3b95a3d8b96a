// What a model that has read loses when some of its numbers are rounded, by format.
#include "app/labs/shared/over_texts/over_texts.h"
#include "app/labs/shared/parts.h"

namespace lab {
namespace {

namespace published = core::checkpoint;
using published::RoundedCase, published::RoundedPart, published::ScaleGroup;

constexpr double kBreaks = 0.1;  // nats a token

std::string part_name(RoundedPart part, const Words& w) {
  switch (part) {
    case RoundedPart::ids: return w("position ids");
    case RoundedPart::tables: return w("cosines and sines");
    case RoundedPart::weights: return w("weights");
    case RoundedPart::activations: return w("activations");
    case RoundedPart::cache: return w("keys and values");
  }
  return {};
}

// Which numbers share a scale; of a row of weights it is a channel, else a token.
std::string group_name(const RoundedCase& one, const Words& w) {
  if (one.part == RoundedPart::ids || one.part == RoundedPart::tables) return w("not scaled");
  switch (one.group) {
    case ScaleGroup::tensor: return w("a scale per tensor");
    case ScaleGroup::row:
      return one.part == RoundedPart::weights ? w("a scale per channel") : w("a scale per token");
    case ScaleGroup::block: break;
  }
  return w.format("a scale per {} numbers", published::kScaleBlock);
}

figure::Table table_of(const PrecisionView& view) {
  figure::Table table{.columns = {{view.w("rounded"), 1.7F}}};
  for (const auto& format : published::rounded_formats()) {
    table.columns.push_back({format.name, 1, 1});
  }
  for (const RoundedCase& one : published::rounded_cases()) {
    table.rows.push_back({{{part_name(one.part, view.w), Role::text, TextStyle::label},
                           {group_name(one, view.w), Role::dim, TextStyle::small}}});
  }
  return table;
}

// The parts that break, each with the first format at which it does whatever shares a scale.
std::string breaking(const PrecisionView& view) {
  const Words& w = view.w;
  std::string text;
  const auto& cases = published::rounded_cases();
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const std::size_t at = published::breaks_at(view.precision.losses[c], kBreaks);
    if (at == published::rounded_formats().size()) continue;
    const bool scaled = cases[c].part != RoundedPart::ids && cases[c].part != RoundedPart::tables;
    const std::string part = part_name(cases[c].part, w);
    text += (text.empty() ? "" : w("; ")) +
            w.format("{}: {}", scaled ? w.format("{}, {}", part, group_name(cases[c], w)) : part,
                     published::rounded_formats()[at].name);
  }
  return text.empty() ? w("none") : text;
}

Figure losses_figure(const PrecisionView& view) {
  const Words& w = view.w;
  figure::Table table = table_of(view);
  const auto& losses = view.precision.losses;
  for (std::size_t c = 0; c < losses.size(); ++c) {
    for (const auto& one : losses[c]) {
      const bool number = std::isfinite(one.rise), broken = !(one.rise <= kBreaks);
      table.rows[c].push_back(
          {{number ? fmt::format("{:+.3f}", one.rise) : w("no number"),
            broken ? Role::bad : Role::text, broken ? TextStyle::mono_bold : TextStyle::mono},
           {percent(one.changed, 0), Role::dim, TextStyle::mono_small}});
    }
  }
  for (std::size_t k = 0; k < published::rounded_formats().size(); ++k) {
    figure::Table::Quantity rise{.name = fmt::format("rise of the loss with {} (nats)",
                                                     published::rounded_formats()[k].name)};
    for (const auto& row : losses) rise.values.push_back(row[k].rise);
    table.numbers.push_back(std::move(rise));
  }
  Figure figure =
      new_figure("precision", w("Where it breaks"), {.height = 90 + 40 * to_float(losses.size())});
  figure.note = w.format("{} texts", view.precision.texts);
  figure.caption = w.format(
      "By how many nats a token the loss over the first {} tokens of {} held-out texts rises; "
      "below it, the share of likeliest next tokens that change. For formats of up to 8 bits the "
      "largest number of a group is scaled to the format's largest. Position ids begin at {}. The "
      "first format, from the left, that loses more than {} nats: {}.",
      kPrecisionTokens, view.precision.texts, view.offset, kBreaks, breaking(view));
  return with_table(std::move(figure), std::move(table));
}

Figure next_words_figure(const PrecisionView& view) {
  const Words& w = view.w;
  figure::Table table = table_of(view);
  const published::RoundedNext& next = view.next;
  for (std::size_t c = 0; c < next.rounded.size(); ++c) {
    for (const std::int32_t id : next.rounded[c]) {
      const bool same = id == next.exact;
      table.rows[c].push_back(
          {{view.opened.shown(id), same ? Role::dim : Role::bad, TextStyle::mono}});
    }
  }
  Figure figure = new_figure("next_words", w("The next word, rounded"),
                             {.height = 90 + 40 * to_float(next.rounded.size())});
  figure.caption = w.format(
      "The likeliest token after this text; with nothing rounded it is \"{}\". Red: another one.",
      view.opened.shown(next.exact));
  return with_table(std::move(figure), std::move(table));
}

}  // namespace

std::vector<Figure> precision_figures(const PrecisionView& view) {
  return {losses_figure(view), next_words_figure(view)};
}

}  // namespace lab
