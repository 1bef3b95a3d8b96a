#include "app/lesson/text/answer.h"

#include "app/figure/layout.h"
#include "app/lesson/text/text.h"
#include "app/param/match.h"

namespace lesson {
namespace {

using Does = Expression::Does;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Element> clicked_right(const Click& click, const Sight& sight) {
  std::vector<Element> all = elements(click.of.is, sight);
  std::erase_if(all, [](const Element& one) { return std::isnan(one.value); });
  if (click.which == Click::Which::named) return elements(click.of.is, sight);
  const bool largest = click.which == Click::Which::largest;
  double best = largest ? -kInfinity : kInfinity;
  for (const Element& one : all) {
    best = largest ? std::max(best, one.value) : std::min(best, one.value);
  }
  std::erase_if(all, [&](const Element& one) { return !near(one.value, best, 0, false); });
  return all;
}

std::vector<Element> marked_right(const MarkAll& mark, const Sight& sight) {
  std::vector<Element> all = elements(mark.of.is, sight);
  const double with = number(mark.with.is, sight);
  std::erase_if(all, [&](const Element& one) { return !compares(one.value, mark.compares, with); });
  return all;
}

bool contains(const std::vector<Element>& all, const Element& one) {
  return std::any_of(all.begin(), all.end(), [&](const Element& e) { return e.same_place(one); });
}

const figure::Plot& drawn_plot(const Draw& draw, const Sight& sight) {
  const figure::Plot* plot = find_plot(*sight.page, draw.line.is.id);
  if (!plot)
    words::refuse<core::InputError>(N_("expected a line that the plot has, got {}"),
                                    to_text(draw.line.is));
  return *plot;
}
const figure::Line& drawn_line(const Draw& draw, const Sight& sight) {
  const figure::Line* line =
      line_of(drawn_plot(draw, sight), draw.line.is.at.front().number.value_or(-1));
  if (!line)
    words::refuse<core::InputError>(N_("expected a line that the plot has, got {}"),
                                    to_text(draw.line.is));
  return *line;
}

// Whether a known mistake is this answer.
bool made(const Mistake& mistake, const Question& q, const Answer& answer, const Sight& sight) {
  if (const auto* e = std::get_if<Expression>(&mistake.answer)) {
    const auto& asked = std::get<TypeNumber>(q.kind);
    return answer.number && near(*answer.number, number(*e, sight), asked.within, asked.percent);
  }
  if (const auto* r = std::get_if<Reference>(&mistake.answer)) {
    const std::vector<Element> meant = elements(*r, sight);
    return std::any_of(answer.elements.begin(), answer.elements.end(),
                       [&](const Element& one) { return contains(meant, one); });
  }
  const auto& asked = std::get<Draw>(q.kind);
  return answer.curve.size() > 1 && drawn_shape(answer.curve, drawn_plot(asked, sight).y) ==
                                        std::get<std::string>(mistake.answer);
}

bool is_right(const Question& q, const Answer& answer, const Sight& sight) {
  return std::visit(
      param::Match{
          [&](const Choose& asked) {
            return answer.option && *answer.option < asked.options.size() &&
                   asked.options[*answer.option].right;
          },
          [&](const TrueOrFalse& asked) { return answer.truth && *answer.truth == asked.truth; },
          [&](const TypeNumber& asked) {
            return answer.number &&
                   near(*answer.number, number(asked.value.is, sight), asked.within, asked.percent);
          },
          [&](const Click& asked) {
            return answer.elements.size() == 1 &&
                   contains(clicked_right(asked, sight), answer.elements.front());
          },
          [&](const MarkAll& asked) {
            const std::vector<Element> right = marked_right(asked, sight);
            return right.size() == answer.elements.size() &&
                   std::all_of(right.begin(), right.end(),
                               [&](const Element& one) { return contains(answer.elements, one); });
          },
          [&](const Draw& asked) {
            const figure::Plot& plot = drawn_plot(asked, sight);
            return drawn_off(answer.curve, drawn_line(asked, sight), plot.x, plot.y) <=
                   asked.within;
          }},
      q.kind);
}

// As high as it is drawn, but for a factor.
double height_on(const figure::Axis& y, double value) {
  return y.scale == figure::AxisScale::log ? std::log(value) : value;
}

// The line's points, with the edges of a staircase halfway along the axis.
std::vector<std::array<double, 2>> as_drawn(const figure::Line& line, const figure::Axis& x) {
  std::vector<std::array<double, 2>> curve;
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    if (!std::isfinite(line.y[k])) continue;
    if (line.steps && !curve.empty() && curve.back()[1] != line.y[k]) {
      const auto [before, height] = curve.back();
      const double middle = x.scale == figure::AxisScale::log ? std::sqrt(before * line.x[k])
                                                              : (before + line.x[k]) / 2;
      curve.push_back({middle, height});
      curve.push_back({middle, line.y[k]});
    }
    curve.push_back({line.x[k], line.y[k]});
  }
  return curve;
}

}  // namespace

// What it does over its span, where it does one thing: its end against its beginning, in shares of
// the axis' height.
std::string drawn_shape(const std::vector<std::array<double, 2>>& curve, const figure::Axis& y) {
  const double whole = std::abs(height_on(y, y.hi) - height_on(y, y.lo));
  double lo = kInfinity, hi = -kInfinity;
  for (const auto& [x, at] : curve) {
    const double height = height_on(y, at);
    lo = std::min(lo, height), hi = std::max(hi, height);
  }
  if (hi - lo < whole / 10) return "flat";
  const double change = height_on(y, curve.back()[1]) - height_on(y, curve.front()[1]);
  if (change > (hi - lo) * 0.7) return "rising";
  return change < -(hi - lo) * 0.7 ? "falling" : "";
}

double drawn_off(const std::vector<std::array<double, 2>>& curve, const figure::Line& line,
                 const figure::Axis& x, const figure::Axis& y) {
  if (curve.size() < 2) return kInfinity;
  figure::Line drawn;
  for (const auto& [at, value] : curve) drawn.x.push_back(at), drawn.y.push_back(value);
  constexpr int kPlaces = 200;
  const auto height = [&y](double value) { return height_on(y, value); };
  const double whole = std::abs(height(y.hi) - height(y.lo));
  double sum = 0;
  int both = 0, there = 0;
  for (int k = 0; k <= kPlaces; ++k) {
    const double share = static_cast<double>(k) / kPlaces;
    const double at = x.scale == figure::AxisScale::log ? x.lo * std::pow(x.hi / x.lo, share)
                                                        : x.lo + (x.hi - x.lo) * share;
    const double truth = value_at(line, at);
    if (!std::isfinite(truth)) continue;
    ++there;
    const double value = value_at(drawn, at);
    if (!std::isfinite(value)) continue;
    ++both;
    // A line that leaves the axes cannot be followed there.
    const double shown = std::clamp(truth, std::min(y.lo, y.hi), std::max(y.lo, y.hi));
    sum += std::abs(height(value) - height(shown));
  }
  if (there == 0 || both * 5 < there * 4) return kInfinity;
  return 100 * sum / both / whole;
}

std::vector<Element> right_elements(const Question& q, const Sight& sight) {
  if (const auto* click = std::get_if<Click>(&q.kind)) return clicked_right(*click, sight);
  if (const auto* mark = std::get_if<MarkAll>(&q.kind)) return marked_right(*mark, sight);
  return {};
}

Answer right_answer(const Question& q, const Sight& sight) {
  Answer answer;
  std::visit(
      param::Match{[&](const Choose& asked) {
                     for (std::size_t k = 0; k < asked.options.size(); ++k) {
                       if (asked.options[k].right) answer.option = k;
                     }
                   },
                   [&](const TrueOrFalse& asked) { answer.truth = asked.truth; },
                   [&](const TypeNumber& asked) { answer.number = number(asked.value.is, sight); },
                   [&](const Click& asked) {
                     answer.elements = clicked_right(asked, sight);
                     if (answer.elements.size() > 1) answer.elements.resize(1);
                   },
                   [&](const MarkAll& asked) { answer.elements = marked_right(asked, sight); },
                   [&](const Draw& asked) {
                     answer.curve = as_drawn(drawn_line(asked, sight), drawn_plot(asked, sight).x);
                   }},
      q.kind);
  if (answer.empty())
    words::refuse<core::InputError>(N_("expected an answer that the page has, got none"));
  return answer;
}

Verdict grade(const Question& q, const Answer& answer, const Sight& sight) {
  Verdict verdict{is_right(q, answer, sight), {}};
  if (verdict.right) return verdict;
  const auto* typed = std::get_if<TypeNumber>(&q.kind);
  if (answer.percent && typed && std::abs(number(typed->value.is, sight)) > 1) {
    Answer of_a_hundred = answer;
    of_a_hundred.percent = false;
    *of_a_hundred.number *= 100;
    const Verdict other = grade(q, of_a_hundred, sight);
    if (other.right || !other.said.empty()) return other;
  }
  if (const auto* choose = std::get_if<Choose>(&q.kind)) {
    if (answer.option && *answer.option < choose->options.size()) {
      verdict.said = choose->options[*answer.option].said;
    }
    return verdict;
  }
  for (const Mistake& mistake : q.mistakes) {
    if (!made(mistake, q, answer, sight)) continue;
    verdict.said = mistake.said;
    break;
  }
  return verdict;
}

std::string answer_text(const Question& q, const Answer& answer, const Sight& sight,
                        const words::Words& w) {
  if (const auto* choose = std::get_if<Choose>(&q.kind)) {
    if (!answer.option) return {};
    return plain(text_of(choose->options.at(*answer.option).text, sight, w));
  }
  if (answer.truth) return *answer.truth ? w("True") : w("False");
  if (!answer.number) return {};
  const auto& asked = std::get<TypeNumber>(q.kind);
  // The page's own text where that is what was asked for.
  const bool truth = *answer.number == number(asked.value.is, sight);
  if (!truth) {
    return answer.percent ? figure::number_text(100 * *answer.number, 6) + " %"
                          : figure::number_text(*answer.number, 6);
  }
  const std::string shown = text_of(asked.value.is, 0, sight, w);
  // With no more digits than an answer is held to; units and powers stay as they are.
  constexpr std::size_t kMostLetters = 6;
  const bool fraction = shown.find('.') != std::string::npos &&
                        shown.find_first_not_of("-.0123456789") == std::string::npos;
  const bool long_one = asked.within > 0 && fraction && shown.size() > kMostLetters;
  return long_one && std::abs(*answer.number) < 1000 ? figure::number_text(*answer.number) : shown;
}

std::optional<Reference> asked_about(const Question& q) {
  if (const auto* click = std::get_if<Click>(&q.kind)) return click->of.is;
  if (const auto* mark = std::get_if<MarkAll>(&q.kind)) return mark->of.is;
  if (const auto* draw = std::get_if<Draw>(&q.kind)) return draw->line.is;
  return {};
}

}  // namespace lesson
