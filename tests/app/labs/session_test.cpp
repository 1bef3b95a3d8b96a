#include "app/labs/session.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace {

// A lab of this test's own: one parameter of each kind, one whose range depends on another.
struct Knobs {
  int heads = 8;
  int width = 64;
  double temperature = 1;
  bool bias = false;
  enum class Mask { none, causal } mask = Mask::none;
  std::string text = "the river bank";
};

void describe(Knobs& k, param::List& list) {
  list.integer(k.heads, "heads", "Heads", "", {.min = 1, .max = 16});
  list.integer(k.width, "width", "Width", "",
               {.min = static_cast<double>(k.heads), .max = 256, .step = static_cast<double>(1)});
  list.real(k.temperature, "temperature", "Temperature", "", {.min = 0.01, .max = 10});
  list.flag(k.bias, "bias", "Bias", "");
  list.choice(k.mask, "mask", "Mask", "", {{"none", "None"}, {"causal", "Causal"}});
  list.text(k.text, "text", "Text", "", 2'000'000);
}

lab::Page compute(const Knobs&, const lab::Context&) { return {}; }

const lab::Lab& find(std::string_view id) {
  static const lab::Lab knobs{.id = "knobs",
                              .title = "Knobs",
                              .question = "?",
                              .chapter = lab::Chapter::attention,
                              .about = "",
                              .sources = {},
                              .presets = {},
                              .make = lab::live(describe, compute)};
  if (id != knobs.id) throw core::InputError("there is no such lab: expected knobs");
  return knobs;
}

std::string refusal(const std::string& text) {
  try {
    lab::from_json(text, find);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

std::string value(const lab::Session& session, std::string_view id) {
  for (const auto& [name, text] : session.values) {
    if (name == id) return text;
  }
  return "(missing)";
}

TEST_CASE("a session comes back as it went, whatever the text") {
  std::string text = "河岸 🙂 \"quotes\" \\ <&> \n\t 再次";
  SUBCASE("short") {}
  SUBCASE("a megabyte") {
    while (text.size() < 1'000'000) text += "the river bank 河岸 ";
  }
  const lab::Session session{"knobs",
                             {{"heads", "4"},
                              {"width", "32"},
                              {"temperature", "0.1"},
                              {"bias", "true"},
                              {"mask", "causal"},
                              {"text", text}},
                             {{"weights", {0.1, 1e-300, -3, 1e9}}, {"a \"b\"", {0, 1, 2, 3}}}};
  const lab::Session back = lab::from_json(lab::to_json(session, find), find);
  CHECK(back.lab == "knobs");
  CHECK(back.values.size() == 6);
  CHECK(value(back, "text") == text);
  CHECK(value(back, "heads") == "4");
  CHECK(value(back, "mask") == "causal");
  CHECK(value(back, "temperature") == "0.1");
  CHECK(back.views == session.views);
  CHECK(lab::to_json(back, find) == lab::to_json(session, find));
}

TEST_CASE("what an older session lacks keeps its default") {
  const lab::Session s =
      lab::from_json(R"({"attnscope":1,"lab":"knobs","values":{"heads":2}})", find);
  CHECK(value(s, "heads") == "2");
  CHECK(value(s, "width") == "64");
  CHECK(s.views.empty());
  const lab::Session none = lab::from_json(R"({"attnscope":1,"lab":"knobs"})", find);
  CHECK(value(none, "heads") == "8");
}

TEST_CASE("refusals say what is wrong in one sentence") {
  const std::string head = R"({"attnscope":1,"lab":"knobs",)";
  CHECK(refusal("").find("not a JSON object") != std::string::npos);
  CHECK(refusal("[1]").find("not a JSON object") != std::string::npos);
  CHECK(refusal(std::string(100'000, '[')).find("not a JSON object") != std::string::npos);
  CHECK(refusal("{}").find("version") != std::string::npos);
  CHECK(refusal(R"({"attnscope":2,"lab":"knobs"})").find("expected version 1, got 2") !=
        std::string::npos);
  CHECK(refusal(R"({"attnscope":1})").find("\"lab\"") != std::string::npos);
  CHECK(refusal(R"({"attnscope":1,"lab":"other"})").find("expected knobs") != std::string::npos);
  CHECK(refusal(head + R"("values":[]})").find("\"values\"") != std::string::npos);
  CHECK(refusal(head + R"("values":{"haeds":3}})").find("\"haeds\"") != std::string::npos);
  CHECK(refusal(head + R"("values":{"heads":99}})").find("heads") != std::string::npos);
  CHECK(refusal(head + R"("values":{"heads":"many"}})").find("heads") != std::string::npos);
  CHECK(refusal(head + R"("values":{"mask":null}})").find("mask") != std::string::npos);
  CHECK(refusal(head + R"("views":[]})").find("\"views\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[1,2,3]}})").find("\"w\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[1,1,2,3]}})").find("\"w\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[0,null,2,3]}})").find("\"w\"") != std::string::npos);
}

TEST_CASE("a session cut anywhere is refused, never worse") {
  const std::string whole =
      lab::to_json({"knobs", {{"text", "河岸 🙂"}}, {{"w", {0, 1, 2, 3}}}}, find);
  CHECK(refusal(whole).empty());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CHECK_FALSE(refusal(whole.substr(0, length)).empty());
  }
}

TEST_CASE("a value that was never allowed is not written") {
  CHECK_THROWS_AS(lab::to_json({"knobs", {{"heads", "99"}}, {}}, find), core::InputError);
}

}  // namespace
