#include "app/session/strokes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/words/sentence.h"
#include "core/types.h"

namespace session {
namespace {

using At = std::array<float, 2>;

constexpr double kFineness = 1e4;

// From p to the line between a and b.
float distance(At p, At a, At b) {
  const float dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  const float along = length > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length : 0;
  const float share = std::clamp(along, 0.0f, 1.0f);
  return std::hypot(p[0] - a[0] - share * dx, p[1] - a[1] - share * dy);
}

template <class... Args>
[[noreturn]] void refuse_strokes(std::string_view reason, const Args&... args) {
  words::refuse<core::InputError>(N_("the session cannot be used: {}"),
                                  words::Sentence(reason, args...));
}

double written(float share) {
  return std::round(static_cast<double>(share) * kFineness) / kFineness;
}

bool is_point(const nlohmann::json& json) {
  return json.is_array() && json.size() == 2 &&
         std::all_of(json.begin(), json.end(), [](const auto& share) {
           return share.is_number() && std::abs(share.template get<double>()) <= kFarthestStroke;
         });
}

bool is_stroke(const nlohmann::json& json) {
  constexpr std::size_t kParts = 4;
  if (!json.is_object() || json.size() != kParts) return false;
  for (const char* name : {"place", "figure", "ink", "points"}) {
    if (!json.contains(name)) return false;
  }
  const auto &ink = json["ink"], &points = json["points"];
  return json["place"].is_string() && json["figure"].is_string() && ink.is_number_unsigned() &&
         ink.get<std::uint64_t>() < kInks && points.is_array() && !points.empty() &&
         points.size() <= kMostStrokePoints && std::all_of(points.begin(), points.end(), is_point);
}

}  // namespace

bool Strokes::operator==(const Strokes& other) const {
  return std::equal(all.begin(), all.end(), other.all.begin(), other.all.end(),
                    [](const auto& a, const auto& b) { return a == b || *a == *b; });
}

std::vector<std::shared_ptr<const Stroke>> Strokes::at(const std::string& place) const {
  std::vector<std::shared_ptr<const Stroke>> there;
  std::copy_if(all.begin(), all.end(), std::back_inserter(there),
               [&](const auto& one) { return one->place == place; });
  return there;
}

bool touches(const Stroke& stroke, At at, float reach, float aspect) {
  const auto square = [&](At point) { return At{point[0] * aspect, point[1]}; };
  const auto& points = stroke.points;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const At from = square(points[k == 0 ? 0 : k - 1]);
    if (distance(square(at), from, square(points[k])) <= reach) return true;
  }
  return false;
}

nlohmann::ordered_json to_json(const Strokes& strokes) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const auto& stroke : strokes.all) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const At& point : stroke->points) points.push_back({written(point[0]), written(point[1])});
    all.push_back({{"place", stroke->place},
                   {"figure", stroke->figure},
                   {"ink", stroke->ink},
                   {"points", std::move(points)}});
  }
  return all;
}

Strokes strokes_from(const nlohmann::json& json) {
  if (!json.is_array() || json.size() > kMostStrokes) {
    refuse_strokes(N_("\"strokes\" should be a list of at most {} objects"), kMostStrokes);
  }
  Strokes strokes;
  for (const nlohmann::json& one : json) {
    if (!is_stroke(one)) {
      refuse_strokes(
          N_("number {} of \"strokes\" should hold texts \"place\" and \"figure\", \"ink\" from "
             "0 to {} and \"points\", at least one pair of numbers from -{} to {}"),
          strokes.all.size() + 1, kInks - 1, kFarthestStroke, kFarthestStroke);
    }
    Stroke stroke{one["place"], one["figure"], one["ink"].get<int>(), {}};
    for (const nlohmann::json& point : one["points"]) {
      stroke.points.push_back({point[0].get<float>(), point[1].get<float>()});
    }
    strokes.all.push_back(std::make_shared<const Stroke>(std::move(stroke)));
  }
  return strokes;
}

}  // namespace session
