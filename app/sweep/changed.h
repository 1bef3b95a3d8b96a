// The rectangle in which two pictures of one size differ.
#pragma once

#include "app/paper/export_figure.h"

namespace sweep {

struct Changed {
  int x = 0, y = 0, width = 0, height = 0;  // no width: they are equal
  bool operator==(const Changed&) const = default;
};

// The part of `now` that differs; all of it where there is no picture before.
Changed changed(const paper::Pixels& before, const paper::Pixels& now);

// Copies that part of a picture.
paper::Pixels part_of(const paper::Pixels& whole, const Changed& part);

}  // namespace sweep
