#include "sound_page.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "../figure/fake_measure.h"
#include "app/figure/formula.h"

namespace contract {

namespace {

void check_picks(const Lab& lab, const Page& page) {
  const auto state = lab.make();
  const auto exists = [&](const std::string& id) {
    CAPTURE(id);
    CHECK((id.empty() || state->list().find(id) != nullptr));
  };
  const auto assignable = [&](const figure::Assignments& picks) {
    for (const auto& [id, value] : picks) exists(id);
  };
  const auto paintable = [&](const std::string& id) {
    if (id.empty()) return;
    param::List list = state->list();
    const Parameter* p = list.find(id);
    CHECK((p && std::holds_alternative<param::Painted>(p->kind)));
  };
  const auto points_of = [&](const std::string& id) {
    exists(id);
    const param::List list = state->list();
    for (const auto& p : list.items()) {
      CHECK((p.info.id != id || std::holds_alternative<param::Points>(p.kind)));
    }
  };
  const auto places = [&](const std::string& id) {
    exists(id);
    const param::List list = state->list();
    for (const auto& p : list.items()) CHECK((p.info.id != id || param::number(p).has_value()));
  };
  for (const auto& figure : page.figures) {
    for (const auto& plot : figure.plots) {
      assignable(plot.click);
      places(plot.x_param);
      places(plot.y_param);
      points_of(plot.points_param);
      for (const auto& mark : plot.marks) {
        if (const auto* map = std::get_if<figure::Heatmap>(&mark)) {
          exists(map->row_param);
          exists(map->col_param);
          assignable(map->also);
          paintable(map->paint_param);
          CHECK(map->brush >= 1);
        } else if (const auto* handle = std::get_if<figure::Handle>(&mark)) {
          places(handle->x_param);
          places(handle->y_param);
          points_of(handle->points_param);
          assignable(handle->also);
        } else if (const auto* table = std::get_if<figure::Table>(&mark)) {
          for (const auto& pick : table->picks) assignable(pick);
        } else if (const auto* links = std::get_if<figure::Links>(&mark)) {
          exists(links->left_param);
          exists(links->right_param);
        } else if (const auto* bars = std::get_if<figure::Bars>(&mark)) {
          for (const auto& pick : bars->picks) assignable(pick);
        } else if (const auto* points = std::get_if<figure::Points>(&mark)) {
          for (const auto& pick : points->picks) assignable(pick);
          points_of(points->points_param);
        }
      }
    }
  }
}

}  // namespace

void check_page(const Lab& lab, const Page& page) {
  std::set<std::string> figures, plots, readouts;
  for (const auto& figure : page.figures) {
    CAPTURE(figure.id);
    CHECK(figures.insert(figure.id).second);
    CHECK_FALSE(figure.title.empty());
    CHECK_FALSE(figure.caption.empty());
    CHECK((figure.span >= 1 && figure.span <= 12));
    CHECK_FALSE(figure.plots.empty());
    for (const auto& plot : figure.plots) {
      CAPTURE(plot.id);
      CHECK(plots.insert(plot.id).second);
      CHECK_FALSE(plot.marks.empty());
      CHECK(std::isfinite(plot.x.lo + plot.x.hi + plot.y.lo + plot.y.hi));
      CHECK(plot.x.lo < plot.x.hi);
      CHECK(plot.y.lo < plot.y.hi);
    }
  }
  for (const auto& readout : page.readouts) {
    CAPTURE(readout.id);
    CHECK(readouts.insert(readout.id).second);
    CHECK(std::isfinite(readout.value));
    CHECK_FALSE(readout.text.empty());
    CHECK_FALSE(readout.help.empty());
  }
  const FakeOptions fake;
  CHECK(figure::formula_size(page.formula, fake.options).x > 0);
  CHECK_FALSE(page.status.empty());
  check_picks(lab, page);
}

}  // namespace contract
