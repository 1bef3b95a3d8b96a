// What a plot can hold.
#pragma once

#include <type_traits>
#include <variant>

#include "app/figure/marks/boxes.h"
#include "app/figure/marks/curves.h"
#include "app/figure/marks/grips.h"
#include "app/figure/marks/heatmap.h"

namespace figure {

using AnyMark = std::variant<Heatmap, Line, Band, Bars, Points, Rule, Note, Links, Arrows, Handle,
                             Table, Boxes, Interval, Diagram>;

template <class M, class Variant>
inline constexpr bool is_one_of = false;
template <class M, class... Marks>
inline constexpr bool is_one_of<M, std::variant<Marks...>> = (std::is_same_v<M, Marks> || ...);

// One of these. How each kind is copied and let go is compiled once, in mark.cpp, and not anew in
// every source that has figures.
class Mark : public AnyMark {
 public:
  template <class M>
  requires is_one_of<std::remove_cvref_t<M>, AnyMark> Mark(M&& mark)
      : AnyMark(std::in_place_type<std::remove_cvref_t<M>>, std::forward<M>(mark)) {}
  Mark(const Mark& other);
  Mark(Mark&& other) noexcept;
  Mark& operator=(const Mark& other);
  Mark& operator=(Mark&& other) noexcept;
  ~Mark();
};

}  // namespace figure
