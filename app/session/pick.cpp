#include "app/session/pick.h"

#include <algorithm>
#include <limits>

namespace session {
namespace {

// The text of the points after the edit.
std::string after(const figure::PointEdit& edit, const param::Parameter* parameter) {
  using Kind = figure::PointEdit::Kind;
  const auto* kind = parameter ? std::get_if<param::Points>(&parameter->kind) : nullptr;
  if (!kind) words::refuse<core::InputError>(N_("expected a points parameter, got {}"), edit.param);
  param::PointList points = *kind->value;
  if (edit.kind != Kind::add && edit.index >= points.size()) {
    words::refuse<core::InputError>(N_("{}: expected one of its {} points, got number {}"),
                                    edit.param, points.size(), edit.index);
  }
  const auto at = points.begin() + static_cast<std::ptrdiff_t>(edit.index);
  switch (edit.kind) {
    case Kind::add: points.push_back(param::nearest(*kind, edit.x, edit.y)); break;
    case Kind::move: *at = param::nearest(*kind, edit.x, edit.y); break;
    case Kind::remove: points.erase(at); break;
  }
  return param::serialize(points);
}

// Where numbers that move together come to stand: as far as the one goes that is first at the end
// of its range.
param::Numbers after(const figure::Shift& shift, param::List list) {
  double by = shift.by, lo = -std::numeric_limits<double>::infinity(), hi = -lo;
  const auto number = [&list](const std::string& id) -> const param::Parameter& {
    const param::Parameter* found = list.find(id);
    if (!found || !param::number(*found)) {
      words::refuse<core::InputError>(N_("expected a number parameter, got {}"), id);
    }
    return *found;
  };
  for (const auto& [id, from] : shift.from) {
    const param::Info& info = number(id).info;
    lo = std::max(lo, info.min - from), hi = std::min(hi, info.max - from);
  }
  by = std::max(lo, std::min(by, hi));
  if (!shift.from.empty()) {
    const auto& [id, from] = shift.from.front();
    by = param::nearest(number(id), from + by) - from;
  }
  param::Numbers near;
  for (const auto& [id, from] : shift.from) near.emplace_back(id, from + by);
  return near;
}

}  // namespace

void apply(const param::Describe& describe, const figure::Pick& pick) {
  param::Values exact = pick.exact;
  if (pick.point) {
    param::List list = describe();
    exact.emplace_back(pick.point->param, after(*pick.point, list.find(pick.point->param)));
  }
  param::Numbers near = pick.near;
  if (pick.shift) {
    const param::Numbers together = after(*pick.shift, describe());
    near.insert(near.end(), together.begin(), together.end());
  }
  param::assign_near(describe, exact, near);
}

}  // namespace session
