// Views as links: there and back, and what is refused.
#include "app/session/link.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "app/labs/labs.h"
#include "core/io/deflate.h"
#include "core/random.h"
#include "core/text/base64.h"

namespace link_test {

namespace {

session::Session view_of(const lab::Lab& lab, const param::Values& wanted) {
  const auto state = lab.make();
  param::assign(state->describe(), wanted);
  return {.lab = std::string(lab.id), .values = param::values(state->describe()), .views = {}};
}

session::Session back(const session::Session& session) {
  const session::Link link = session::from_link(session::to_link({session}));
  CHECK(!link.as_stop);
  CHECK(!link.language);
  CHECK(link.lesson.empty());
  return link.session;
}

std::string refusal(const std::string& text) {
  try {
    session::from_link(text);
  } catch (const core::InputError& error) {
    return words::translated(error, words::Words(words::Language::en));
  }
  return "";
}

// A value that a knob may take, others being as they are; empty: as it is.
std::string any_value(const param::Parameter& p, core::Random& random) {
  const auto below = [&](double count) {
    return static_cast<int>(random.below(static_cast<std::uint32_t>(count)));
  };
  if (std::holds_alternative<param::Flag>(p.kind)) return below(2) == 0 ? "true" : "false";
  if (std::holds_alternative<param::Integer>(p.kind) ||
      std::holds_alternative<param::Real>(p.kind)) {
    const double at = p.info.min + (p.info.max - p.info.min) * below(1000) / 1000.0;
    return fmt::format("{}", param::nearest(p, at));
  }
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    return std::string(
        choice
            ->options[static_cast<std::size_t>(below(static_cast<double>(choice->options.size())))]
            .id);
  }
  if (std::holds_alternative<param::Text>(p.kind) && std::get<param::Text>(p.kind).max_bytes > 60) {
    return below(2) == 0 ? "a+b & c=d? #1 % \"q\" 'r' \\ \n<>"
                         : "河岸 的 银行。　再次 🙂 ñ";
  }
  return "";
}

void change(lab::State& state, core::Random& random) {
  const std::size_t count = state.list().items().size();
  for (std::size_t k = 0; k < count; ++k) {
    const param::List list = state.list();
    const std::string value = random.below(3) == 0 ? any_value(list.items()[k], random) : "";
    if (!value.empty()) param::parse(list.items()[k], value);
  }
  param::settle(state.describe());
}

}  // namespace

TEST_CASE("every lab's presets and random settings come back as they went") {
  core::Random random(1);
  int readable = 0, packed = 0;
  for (const lab::Lab& lab : lab::all()) {
    CAPTURE(lab.id);
    CHECK(session::to_link({view_of(lab, {})}) == "#" + std::string(lab.id) + "?v=1");
    std::vector<session::Session> views{view_of(lab, {}),
                                        view_of(lab, param::read_settings(lab.chinese))};
    for (const lab::Preset& preset : lab.presets) views.push_back(view_of(lab, preset.values));
    for (int k = 0; k < 12; ++k) {
      const auto state = lab.make();
      change(*state, random);
      views.push_back(view_of(lab, param::values(state->describe())));
    }
    for (const session::Session& view : views) {
      const std::string link = session::to_link({view});
      CAPTURE(link);
      CHECK(back(view) == view);
      (link.find("packed=") == link.npos ? readable : packed) += 1;
      CHECK(link.find_first_of(" \"'<>\\\n") == link.npos);
    }
  }
  CHECK(readable > 100);
  CHECK(packed > 20);
}

TEST_CASE("no knob has the name of what a link says besides") {
  for (const lab::Lab& lab : lab::all()) {
    const auto state = lab.make();
    param::List list = state->list();
    for (const char* name : {"v", "lang", "lesson", "stop", "packed"}) CHECK(!list.find(name));
  }
}

TEST_CASE("few knobs are read as they stand, in letters of all scripts") {
  const lab::Lab& lab = lab::find("rotary");
  CHECK(session::to_link({view_of(lab, {{"base", "100"}})}) == "#rotary?base=100&v=1");
  const session::Session typed = view_of(lab::find("multi_head"), {{"text", "the bank 河岸。+1"}});
  CHECK(session::to_link({typed}) == "#multi_head?text=the+bank+河岸%E3%80%82%2B1&v=1");
  // As a browser has it, behind any address, without a version.
  for (const char* link : {"#multi_head?text=the%20bank%20%E6%B2%B3%e5%b2%b8%E3%80%82%2B1",
                           "https://example.org/a/?b=1#multi_head?text=the+bank+河岸。%2B1&v=1"}) {
    CHECK(session::from_link(link).session == typed);
  }
}

TEST_CASE("views, order, held pages and where it begins travel packed; strokes and files stay") {
  session::Session view = view_of(lab::find("multi_head"), {{"heads", "4"}});
  view.views["weights"] = {0.5, 3, 1, 2};
  view.figures = {{"weights"}, {"links"}};
  view.holds.all = {{"before", view_of(lab::find("multi_head"), {}).values}};
  view.holds.compared = 0;
  const std::string link = session::to_link({view});
  CHECK(link.find("packed=") != link.npos);
  CHECK(back(view) == view);
  CHECK(session::left_behind(view).empty());
  session::Session drawn = view;
  drawn.strokes.all = {std::make_shared<session::Stroke>(
      session::Stroke{.place = "x 1", .figure = "f", .points = {{0.1f, 0.2f}, {0.3f, 0.4f}}})};
  CHECK(session::to_link({drawn}) == link);
  CHECK(session::left_behind(drawn).size() == 1);
  const session::Session own = view_of(lab::find("tensors"), {{"file", "/home/me/secret.npy"}});
  const std::string without = session::to_link({own});
  CHECK(without == "#tensors?v=1");
  REQUIRE(session::left_behind(own).size() == 1);
  CHECK(session::left_behind(own)[0].in({}).find("/home/me/secret.npy") != std::string::npos);
}

TEST_CASE("a lesson, its stop and a language travel too") {
  session::Link link{.session = {.lab = "masks", .values = {}, .views = {}},
                     .language = words::Language::zh_CN,
                     .lesson = "causal",
                     .stop = 2,
                     .as_stop = true};
  CHECK(session::to_link(link) == "#masks?lesson=causal&stop=3&lang=zh_CN&v=1");
  session::Link read = session::from_link(session::to_link(link));
  CHECK(read.as_stop);
  CHECK(read.lesson == "causal");
  CHECK(read.stop == 2);
  CHECK(read.language == words::Language::zh_CN);
  // A page beside the stop's, also where it is the lab's start.
  link.as_stop = false;
  for (const param::Values& values : {param::Values{}, param::Values{{"n", "5"}}}) {
    link.session = view_of(lab::find("pooling"), values);
    read = session::from_link(session::to_link(link));
    CHECK(!read.as_stop);
    CHECK(read.lesson == "causal");
    CHECK(read.session == link.session);
  }
}

TEST_CASE("what is no link of ours is refused in one sentence, in both languages") {
  session::Session many = view_of(lab::find("multi_head"), {});
  many.views["weights"] = {0, 1, 0, 1};
  const std::string good = session::to_link({many});
  std::string damaged = good;
  const std::size_t at = good.find("packed=") + 30;
  damaged[at] = damaged[at] == 'A' ? 'B' : 'A';
  const std::string moved = "#rotary" + good.substr(good.find('?'));
  const std::pair<std::string, std::string> all[] = {
      {"https://example.org/", "expected an address with a #"},
      {"#", "expected a lab (one of"},
      {"#sofmax?n=3", "expected a lab (one of"},
      {"#rotary?base=1", "base: expected"},
      {"#rotary?bose=100", "expected a parameter (one of"},
      {"#rotary?base", "expected name=value, got \"base\""},
      {"#rotary?=3", "expected name=value"},
      {"#rotary?base=100&base=200", "it has \"base\" twice"},
      {"#rotary?base=1%0", "two hexadecimal digits after each %"},
      {"#rotary?base=%zz", "two hexadecimal digits after each %"},
      {"#rotary?v=2", "it is of version 2, and this program reads version 1"},
      {"#rotary?v=0", "\"v\" should be a whole number from 1, got \"0\""},
      {"#rotary?lang=de", "\"lang\" should be en or zh_CN, got \"de\""},
      {"#rotary?stop=2", "it has a stop and no lesson"},
      {"#rotary?lesson=averaging&stop=x", "\"stop\" should be a whole number from 1"},
      {"#tensors?file=/etc/passwd", "no link opens a file"},
      {damaged, "its packed part is damaged"},
      {"#rotary?packed=!", "its packed part is damaged"},
      {"#rotary?packed=AAAA", "its packed part is damaged"},
      {good.substr(0, good.size() - 20) + "&v=1", "its packed part is damaged"},
      {good + "&heads=2", "it has both a packed part and knobs"},
      {moved, "it begins with the lab rotary and holds one of multi_head"},
      {"#rotary?base=" + std::string(70000, '1'), "bytes long, more than 65536"}};
  const words::Words chinese(words::Language::zh_CN);
  for (const auto& one : all) {
    const std::string &link = one.first, &expected = one.second;
    CAPTURE(link.substr(0, 100));
    const std::string said = refusal(link);
    CHECK_MESSAGE(said.find(expected) != said.npos, said);
    CHECK(said.find('\n') == said.npos);
    CHECK(said.size() < 600);
    try {
      session::from_link(link);
    } catch (const core::InputError& error) {
      CHECK(words::translated(error, chinese) != said);
    }
  }
  CHECK(refusal("#rotary?packed=" +
                core::to_base64url(core::deflated(std::string(std::size_t{5} << 20, ' ')))) ==
        "the link cannot be used: its packed part holds more than 4194304 bytes");
  session::Session long_text = view_of(lab::find("multi_head"), {});
  core::Random random(3);
  for (int k = 0; k < 12; ++k) {
    std::string name;
    for (int c = 0; c < 9000; ++c) name += static_cast<char>('!' + random.below(90));
    long_text.holds.all.push_back({name, long_text.values});
  }
  CHECK_THROWS_AS(session::to_link({long_text}), core::InputError);
}

}  // namespace link_test
