// Figures as a style wants them, before they are laid out.
#pragma once

#include <vector>

#include "app/figure/layout.h"
#include "app/figure/paper_look.h"
#include "app/paper/style/style.h"

namespace paper {

struct Styled {
  std::vector<figure::Figure> figures;
  figure::Views views;  // limits are what of a plot is shown
  figure::PaperLook look;
};

// `points_a_unit`: of the layout. Throws core::InputError, in one sentence, where the figures have
// nothing that a choice is about, and where a tick would not be seen.
Styled styled(std::vector<figure::Figure> figures, const figure::Views& views, const Style& style,
              double points_a_unit);

}  // namespace paper
