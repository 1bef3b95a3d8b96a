#include "app/labs/pick.h"

namespace lab {
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
  return param::print(points);
}

}  // namespace

void apply(const param::Describe& describe, const figure::Pick& pick) {
  param::Values exact = pick.exact;
  if (pick.point) {
    param::List list = describe();
    exact.emplace_back(pick.point->param, after(*pick.point, list.find(pick.point->param)));
  }
  param::assign_near(describe, exact, pick.near);
}

}  // namespace lab
