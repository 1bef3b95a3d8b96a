#include "app/session/pick.h"

#include <doctest/doctest.h>

#include <cmath>

namespace pick_test {

using figure::PointEdit;
using Kind = PointEdit::Kind;

namespace {

struct Live {
  param::PointList keys{{0, 0}, {1, 1}};
  int query = 0;
  param::Describe describe = [this] {
    param::List list;
    list.points({&keys, 3, -2, 2, -1, 1}, "keys", "Keys", "");
    list.integer(query, "query", "Query", "", {.max = 5});
    return list;
  };
};

std::string refusal(const Live& live, const figure::Pick& pick) {
  try {
    session::apply(live.describe, pick);
  } catch (const core::InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a point is added, moved and taken away, always inside of what is permitted") {
  Live live;
  session::apply(live.describe, {{{"query", "2"}}, {}, PointEdit{Kind::add, "keys", 0, 9, -0.25}});
  CHECK(live.keys == param::PointList{{0, 0}, {1, 1}, {2, -0.25}});
  CHECK(live.query == 2);
  session::apply(live.describe, {{}, {{"query", 4.4}}, PointEdit{Kind::move, "keys", 1, -0.1, -7}});
  CHECK(live.keys == param::PointList{{0, 0}, {-0.1, -1}, {2, -0.25}});
  CHECK(live.query == 4);
  session::apply(live.describe, {{}, {}, PointEdit{Kind::remove, "keys", 0}});
  CHECK(live.keys == param::PointList{{-0.1, -1}, {2, -0.25}});
  session::apply(live.describe, {{}, {}, PointEdit{Kind::move, "keys", 0, std::nan(""), 1e300}});
  CHECK(live.keys == param::PointList{{-2, 1}, {2, -0.25}});
}

TEST_CASE("what cannot be done to points is said in a sentence and changes nothing") {
  Live live;
  live.keys.push_back({2, 1});
  const param::PointList before = live.keys;
  CHECK(refusal(live, {{{"query", "3"}}, {}, PointEdit{Kind::add, "keys", 0, 1, 1}}) ==
        "keys: expected at most 3 points such as 0.5,1 with x from -2 to 2 and y from -1 to 1, got "
        "4 points");
  CHECK(refusal(live, {{}, {}, PointEdit{Kind::remove, "keys", 3}}) ==
        "keys: expected one of its 3 points, got number 3");
  CHECK(refusal(live, {{}, {}, PointEdit{Kind::move, "query", 0}}) ==
        "expected a points parameter, got query");
  CHECK(refusal(live, {{}, {}, PointEdit{Kind::add, "none", 0}}) ==
        "expected a points parameter, got none");
  CHECK(live.keys == before);
  CHECK(live.query == 0);
}

TEST_CASE("numbers that move together keep their difference, at the ends of their ranges too") {
  int m = 0, n = 0;
  const param::Describe describe = [&] {
    param::List list;
    list.integer(m, "m", "m", "", {.min = 0, .max = 1000});
    list.integer(n, "n", "n", "", {.min = 0, .max = 800});
    return list;
  };
  const auto shifted = [&](double by) {
    m = 1, n = 2;  // where the knobs stand by now says nothing
    session::apply(describe, {{}, {}, {}, figure::Shift{{{"m", 500}, {"n", 460}}, by}});
    CHECK(m - n == 40);
    return m;
  };
  CHECK(shifted(0) == 500);
  CHECK(shifted(17.4) == 517);
  CHECK(shifted(-17.6) == 482);
  CHECK(shifted(1e9) == 840);
  CHECK(shifted(-1e9) == 40);
  Live live;
  CHECK(refusal(live, {{}, {}, {}, figure::Shift{{{"keys", 0}}, 1}}) ==
        "expected a number parameter, got keys");
  CHECK(refusal(live, {{}, {}, {}, figure::Shift{{{"none", 0}}, 1}}) ==
        "expected a number parameter, got none");
  CHECK(live.query == 0);
}

}  // namespace pick_test
