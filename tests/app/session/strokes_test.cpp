// The pen's strokes: what the eraser touches, and how a session keeps them.
#include "app/session/strokes.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/session/session.h"

namespace strokes_test {

session::Strokes drawn() {
  session::Strokes strokes;
  strokes.all.push_back(std::make_shared<const session::Stroke>(
      session::Stroke{"averaging 3", "data", 2, {{0.1f, 0.5f}, {0.9f, -0.25f}}}));
  strokes.all.push_back(std::make_shared<const session::Stroke>(
      session::Stroke{"softmax", "weights", 0, {{1.5f, 0.5f}}}));
  return strokes;
}

std::string refusal(const std::string& strokes) {
  try {
    session::from_json(R"({"attnscope":1,"lab":"softmax","values":{},"strokes":)" + strokes + "}");
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a stroke is touched between its points, and a wide picture's shares are longer") {
  const session::Stroke line{"a", "f", 0, {{0.1f, 0.5f}, {0.9f, 0.5f}}};
  CHECK_FALSE(session::touches(line, {0.5f, 0.56f}, 0.05f, 2));
  CHECK(session::touches(line, {0.5f, 0.54f}, 0.05f, 2));
  const session::Stroke dot{"a", "f", 0, {{0.5f, 0.5f}}};
  CHECK(session::touches(dot, {0.54f, 0.5f}, 0.05f, 1));
  CHECK_FALSE(session::touches(dot, {0.54f, 0.5f}, 0.05f, 2));
  CHECK(drawn().at("averaging 3").size() == 1);
  CHECK(drawn().at("averaging").empty());
}

TEST_CASE("a session keeps strokes with their place, figure and colour") {
  session::Session session = session::from_json(R"({"attnscope":1,"lab":"softmax"})");
  CHECK(session.strokes.empty());
  CHECK(session::to_json(session).find("strokes") == std::string::npos);
  const session::Session without = session;
  session.strokes = drawn();
  CHECK_FALSE(session == without);
  const session::Session back = session::from_json(session::to_json(session));
  CHECK(back.strokes == drawn());
  CHECK(back == session);
  CHECK(back.strokes.all[0]->figure == "data");
  CHECK(back.strokes.all[0]->points[1][1] == -0.25f);
}

TEST_CASE("damaged strokes are refused in one sentence") {
  const std::string said =
      "the session cannot be used: number 1 of \"strokes\" should hold texts \"place\" and "
      "\"figure\", \"ink\" from 0 to 2 and \"points\", at least one pair of numbers from -100 to "
      "100";
  const std::string good = R"([{"place":"a","figure":"f","ink":1,"points":[[0.1,2]]}])";
  CHECK(refusal(good) == "");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {R"("ink":1)", R"("ink":3)"},
           {R"("ink":1)", R"("ink":-1)"},
           {R"("ink":1)", R"("ink":1.5)"},
           {R"("ink":1)", R"("ink":18446744073709551615)"},
           {R"("place":"a")", R"("place":7)"},
           {R"("figure":"f",)", ""},
           {R"("figure":"f")", R"("figure":"f","width":3)"},
           {"[[0.1,2]]", "[]"},
           {"[[0.1,2]]", "[[0.1]]"},
           {"[[0.1,2]]", R"([[0.1,"2"]])"},
           {"[[0.1,2]]", "[[0.1,null]]"},
           {"[[0.1,2]]", "[[0.1,1e9]]"},
           {"[[0.1,2]]", "7"}}) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    CAPTURE(bad);
    CHECK(refusal(bad) == said);
  }
  CHECK(refusal("[7]") == said);
  CHECK(refusal("{}") ==
        "the session cannot be used: \"strokes\" should be a list of at most 2000 objects");
  std::string many = "[";
  for (std::size_t k = 0; k <= session::kMostStrokes; ++k) many += (k > 0 ? ",7" : "7");
  CHECK(refusal(many + "]") == refusal("{}"));
}

}  // namespace strokes_test
