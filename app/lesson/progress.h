// How far a person has come in each lesson, and what they answered, by its name; a lesson in a file
// by its whole path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

namespace lesson {

// The first answer to a stop's question. Without words: it was just shown.
struct Said {
  std::string words = {};
  bool right = false;
  std::string time = {};  // 2026-11-27 14:05
  bool since = false;     // asked again, it was answered rightly
  bool operator==(const Said&) const = default;
};

struct Place {
  std::size_t stop = 0;                   // that is open, or was last
  std::size_t furthest = 0;               // that was ever open
  bool done = false;                      // the last one was left forwards
  std::map<std::size_t, Said> said = {};  // by the stop
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
  // The first answer counts; of later ones it counts whether one is right.
  void say(const std::string& name, std::size_t stop, Said said) {
    const bool right = said.right;
    const auto [first, added] = places_[name].said.try_emplace(stop, std::move(said));
    if (!added && !first->second.right) first->second.since |= right;
  }
  // It is begun anew: its questions have not been answered.
  void begin_anew(const std::string& name) {
    const auto found = places_.find(name);
    if (found != places_.end()) found->second.said.clear();
  }
  void finish(const std::string& name) { places_[name].done = true; }
  void put(const std::string& name, Place place) { places_[name] = place; }
  bool operator==(const Progress&) const = default;

 private:
  std::map<std::string, Place> places_;
};

}  // namespace lesson
