#include "app/state/desk/player.h"

#include <doctest/doctest.h>

#include <cmath>

namespace player_test {

TEST_CASE("a player takes as many steps as time has passed for") {
  state::Player player;
  CHECK(player.advance(10, false) == 0);
  CHECK(player.gesture().empty());
  CHECK(std::isinf(player.seconds_to_step(false)));
  player.start("query", 20);
  CHECK(player.id() == "query");
  CHECK(player.gesture() == "play.query");
  CHECK(player.seconds_to_step(false) == doctest::Approx(0.05));
  CHECK(player.advance(0.03, false) == 0);
  CHECK(player.seconds_to_step(false) == doctest::Approx(0.02));
  CHECK(player.advance(0.03, false) == 1);
  CHECK(player.advance(0.095, false) == 2);
  player.stop();
  CHECK_FALSE(player.playing());
  CHECK(player.advance(1, false) == 0);
}

TEST_CASE("while the page of the last step is being made it waits, and saves up one step only") {
  state::Player player;
  player.start("query", 20);
  for (int k = 0; k < 10; ++k) CHECK(player.advance(0.1, true) == 0);
  CHECK(std::isinf(player.seconds_to_step(true)));
  CHECK(player.seconds_to_step(false) == 0);
  CHECK(player.advance(0, false) == 1);
  CHECK(player.advance(0, false) == 0);
}

TEST_CASE("a window that slept does not catch up") {
  state::Player player;
  player.start("query", 20);
  CHECK(player.advance(60, false) == 2);
}

}  // namespace player_test
