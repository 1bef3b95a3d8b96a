// The rectangle in which two pictures of one size differ.
#pragma once

#include "app/page/export_figure.h"

namespace sweep {

struct Changed {
  int x = 0, y = 0, width = 0, height = 0;  // no width: they are equal
  bool operator==(const Changed&) const = default;
};

// Of `now`, all of it where there is no picture before.
Changed changed(const page::Pixels& before, const page::Pixels& now);

// That part of a picture.
page::Pixels part_of(const page::Pixels& whole, const Changed& part);

}  // namespace sweep
