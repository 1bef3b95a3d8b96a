// Lines of a lecture's pen. Each belongs to a place of the lecture and to a figure there, and is
// kept with the session.
#pragma once

#include <array>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace session {

struct Stroke {
  // "averaging 3": a lesson, a file's name or the program's, and its stop, counted from 0; or a lab
  // whose page is shown.
  std::string place = {};
  std::string figure = {};  // on the page there
  int ink = 0;
  std::vector<std::array<float, 2>> points = {};  // shares of the figure's width and height
  bool operator==(const Stroke&) const = default;
};

// Shared, since each step of undo keeps a list of nearly the same ones.
struct Strokes {
  std::vector<std::shared_ptr<const Stroke>> all = {};
  bool operator==(const Strokes& other) const;
  bool empty() const { return all.empty(); }
  std::vector<std::shared_ptr<const Stroke>> at(const std::string& place) const;
};

inline constexpr int kInks = 3;
inline constexpr std::size_t kMostStrokes = 2000, kMostStrokePoints = 20000;
inline constexpr float kFarthestStroke = 100;  // a share: beside small figures there is much room

// Whether a stroke comes nearer than `reach` to a point; all in shares of the height of a picture
// that is `aspect` times as wide as high.
bool touches(const Stroke& stroke, std::array<float, 2> at, float reach, float aspect);

// [{"place":"averaging 3","figure":"data","ink":0,"points":[[0.1,0.5],[0.9,0.5]]}], rounded to a
// ten-thousandth of the figure.
nlohmann::ordered_json to_json(const Strokes& strokes);
// Reads such a list. Throws core::InputError in one sentence for anything else.
Strokes strokes_from(const nlohmann::json& json);

}  // namespace session
