// What both explanations of a picked number are written with: that of a tensor and of a gradient.
#pragma once

#include "app/labs/transformer/page.h"
#include "core/model/pass_terms.h"

namespace lab::transformer {

class PickedCell {
 protected:
  PickedCell(const Scene& scene, Tensor tensor)
      : scene_(scene),
        w_(scene.w),
        spot_(scene.picked_spot()),
        t_(std::move(tensor)),
        i_(scene.row(t_.of(0))),
        j_(scene.col(t_.of(0))),
        d_(scene.w) {}

  const Pass& pass() const { return spot_.pass; }
  Scheme scheme() const { return pass().form.positions.scheme; }
  Index head() const { return t_.of_heads ? scene_.head() : 0; }
  double value() const { return t_.of(head())(i_, j_); }
  std::string cell(std::string_view letter) const {
    return fmt::format("{}[{},{}]", letter, i_, j_);
  }
  MatrixD tokens(const std::string& name) const { return pass().tokens(name); }
  double own(Part part) const { return tensor(spot_, part).of(0)(i_, j_); }
  std::string in_part(std::string_view name) const { return spot_.prefix() + std::string(name); }
  void products(Numbers left, Numbers right, Color left_color = Role::text,
                Color right_color = Role::text) {
    d_.products({.left = std::move(left),
                 .right = std::move(right),
                 .left_color = left_color,
                 .right_color = right_color,
                 .digits = 0});
  }

  const Scene& scene_;
  const Words& w_;
  Spot spot_;
  Tensor t_;
  Index i_, j_;
  Derivation d_;
};

}  // namespace lab::transformer
