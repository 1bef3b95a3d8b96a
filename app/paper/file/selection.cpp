#include "app/paper/file/selection.h"
#include "app/words/sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/text/printable.h"

namespace paper {
namespace {

using figure::Figure;
using figure::Plot;

constexpr float kLeastHeight = 320;

std::optional<Figure> find(const lab::Page& page, const std::string& id) {
  for (const Figure& figure : page.figures) {
    if (figure.id == id) return figure;
  }
  for (const Figure& figure : page.figures) {
    for (const Plot& plot : figure.plots) {
      if (plot.id == id) return alone(figure, plot);
    }
  }
  return std::nullopt;
}

words::Sentence known(const lab::Page& page) {
  std::vector<std::string> ids;
  for (const Figure& figure : page.figures) {
    ids.push_back(figure.id);
    for (const Plot& plot : figure.plots) {
      if (plot.id != figure.id) ids.push_back(plot.id);
    }
  }
  return words::listed(ids);
}

}  // namespace

Figure alone(const Figure& figure, const Plot& plot) {
  Figure one = figure;
  const int plots = static_cast<int>(figure.plots.size());
  const int columns = figure.columns > 0 ? std::min(figure.columns, plots) : plots;
  one.plots = {plot};
  one.columns = 1;
  one.span = std::clamp(figure.span / columns, 3, 12);
  if (plot.thumbnail) one.height = std::max(one.height, kLeastHeight);
  Plot& left = one.plots.front();
  left.thumbnail = left.selected = false;
  // The sheet's title alone would promise the others.
  if (plot.thumbnail && !plot.title.empty()) {
    one.title += " · " + plot.title;
    left.title.clear();
  }
  one.footer.clear();
  return one;
}

std::vector<Figure> select(const lab::Page& page, const std::vector<std::string>& ids) {
  if (ids.empty() && page.figures.empty()) {
    words::refuse<core::InputError>(N_("this page has no figures to export"));
  }
  if (ids.empty()) return page.figures;
  std::vector<Figure> chosen;
  for (const std::string& id : ids) {
    std::optional<Figure> figure = find(page, id);
    if (!figure) {
      words::refuse<core::InputError>(
          N_("there is no figure \"{}\" on this page: expected one of {}"), core::printable(id),
          known(page));
    }
    chosen.push_back(std::move(*figure));
  }
  return chosen;
}

}  // namespace paper
