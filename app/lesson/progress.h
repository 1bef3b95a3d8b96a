// How far a person has come in each lesson, by its name; a lesson in a file by its whole path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

namespace lesson {

struct Place {
  std::size_t stop = 0;      // that is open, or was last
  std::size_t furthest = 0;  // that was ever open
  bool done = false;         // the last one was left forwards
  bool operator==(const Place&) const = default;
};

class Progress {
 public:
  const std::map<std::string, Place>& all() const { return places_; }
  // Progress in a lesson; as at the beginning where it was never opened.
  Place of(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? Place() : found->second;
  }
  bool begun(const std::string& name) const { return places_.contains(name); }
  void at(const std::string& name, std::size_t stop) {
    Place& place = places_[name];
    place.stop = stop;
    place.furthest = std::max(place.furthest, stop);
  }
  void finish(const std::string& name) { places_[name].done = true; }
  void put(const std::string& name, Place place) { places_[name] = place; }
  bool operator==(const Progress&) const = default;

 private:
  std::map<std::string, Place> places_;
};

}  // namespace lesson
