#include "app/sweep/film.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <numeric>
#include <random>
#include <stop_token>
#include <thread>

#include "app/sweep/changed.h"
#include "app/sweep/gif.h"
#include "app/system/atomic_file.h"
#include "film_reader.h"
#include "paper/support.h"

namespace film_test {

using paper::Pixels;

Pixels ground(int width, int height, std::uint8_t gray = 255) {
  Pixels all{width, height, {}};
  all.rgb.assign(static_cast<std::size_t>(width * height * 3), gray);
  return all;
}

void paint(Pixels& all, int x, int y, sweep::Color color) {
  for (std::size_t part = 0; part < 3; ++part) {
    all.rgb[static_cast<std::size_t>((y * all.width + x) * 3) + part] = color[part];
  }
}

// A square that wanders, and a frame that is as the one before.
std::vector<Pixels> few_colors() {
  std::vector<Pixels> frames;
  for (int k = 0; k < 6; ++k) {
    Pixels frame = ground(37, 23);
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 4; ++x) {
        paint(frame, 3 * k + x, 2 * k + y, {static_cast<std::uint8_t>(40 * k), 7, 200});
      }
    }
    frames.push_back(frame);
  }
  frames.insert(frames.begin() + 3, frames[2]);
  return frames;
}

std::vector<Pixels> noise(int colors_a_part) {
  std::mt19937 random(1);
  std::vector<Pixels> frames(3, ground(64, 48));
  for (Pixels& frame : frames) {
    for (std::uint8_t& part : frame.rgb) {
      part = static_cast<std::uint8_t>(random() % static_cast<unsigned>(colors_a_part) * 255 /
                                       static_cast<unsigned>(colors_a_part - 1));
    }
  }
  return frames;
}

void write(const std::filesystem::path& out, const std::vector<Pixels>& frames, bool forever = true,
           double fps = 30) {
  const auto film = sweep::open_film(out, {.title = "A title",
                                           .comment = "n = 3",
                                           .forever = forever,
                                           .fps = fps,
                                           .frames = static_cast<int>(frames.size())});
  for (const Pixels& frame : frames) film->add(frame, {});
  film->finish({});
}

// As they were added, each as often as it was: what is equal is one longer frame.
std::vector<Pixels> without_repeats(std::vector<Pixels> frames) {
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

double total(const film_reader::Film& film) {
  return std::accumulate(film.seconds.begin(), film.seconds.end(), 0.0);
}

std::string said(const std::filesystem::path& out, int frames = 9) {
  try {
    sweep::check_film(out, frames);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "taken";
}

TEST_CASE("a GIF of few colours is read again as it was, by another reader") {
  const test::Folder folder;
  for (const auto& frames : {few_colors(), noise(2), noise(6)}) {
    write(folder / "a.gif", frames);
    const auto film = film_reader::read_gif(film_reader::read(folder / "a.gif"));
    CHECK(film.frames == without_repeats(frames));
    CHECK(film.forever);
    CHECK(film.comment == "A title\nn = 3");
    // Hundredths at 30 frames a second: each ends where it should, so that the sum is right.
    CHECK(total(film) == doctest::Approx(static_cast<double>(frames.size()) / 30).epsilon(0.02));
  }
  write(folder / "a.gif", few_colors(), false);
  CHECK_FALSE(film_reader::read_gif(film_reader::read(folder / "a.gif")).forever);
}

// 64 levels a channel are 262144 colours, of which 9216 are seen: the table of 255 of them splits
// the cube into some 6 x 6 x 6 boxes, so that no channel is far off.
TEST_CASE("a GIF of many colours has the nearest ones, and keeps its ground") {
  const test::Folder folder;
  std::vector<Pixels> frames = noise(64);
  for (Pixels& frame : frames) {
    for (int y = 0; y < 24; ++y) {
      for (int x = 0; x < 64; ++x) paint(frame, x, y, {250, 251, 252});
    }
  }
  write(folder / "a.gif", frames);
  const auto film = film_reader::read_gif(film_reader::read(folder / "a.gif"));
  REQUIRE(film.frames.size() == frames.size());
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    REQUIRE(film.frames[k].rgb.size() == frames[k].rgb.size());
    for (std::size_t p = 0; p < frames[k].rgb.size(); ++p) {
      sum += std::abs(film.frames[k].rgb[p] - frames[k].rgb[p]);
      ++count;
    }
    CHECK(film.frames[k].rgb[0] == 250);
    CHECK(film.frames[k].rgb[2] == 252);
  }
  CHECK(sum / count < 12);
}

TEST_CASE("a GIF of 255 colours in noise, and of one colour, is read again as it was") {
  const test::Folder folder;
  std::mt19937 random(7);
  for (const unsigned colors : {1u, 2u, 255u}) {
    std::vector<Pixels> frames(2, ground(400, 300));
    for (Pixels& frame : frames) {
      for (int k = 0; k < 400 * 300; ++k) {
        const auto gray = static_cast<std::uint8_t>(random() % colors);
        paint(frame, k % 400, k / 400, {gray, gray, gray});
      }
    }
    write(folder / "a.gif", frames);
    const auto film = film_reader::read_gif(film_reader::read(folder / "a.gif"));
    CHECK(film.frames == without_repeats(frames));
    CHECK(total(film) == doctest::Approx(2.0 / 30).epsilon(0.15));
  }
}

TEST_CASE("frames that differ in what a GIF does not tell apart are one, and the time stays") {
  const test::Folder folder;
  std::vector<Pixels> frames = noise(64);
  frames.push_back(frames.back());
  Pixels& last = frames.back();
  // A colour between two of the table, nearer to the one that stood there.
  const std::uint8_t was = last.rgb[0];
  last.rgb[0] = static_cast<std::uint8_t>(was == 255 ? 254 : was + 1);
  write(folder / "a.gif", frames, true, 10);
  const auto film = film_reader::read_gif(film_reader::read(folder / "a.gif"));
  CHECK(film.frames.size() == 3);
  CHECK(total(film) == doctest::Approx(0.4));
}

TEST_CASE("a palette has the colours themselves where they are few") {
  sweep::Histogram seen = {{0x102030, 5}, {0xffffff, 900}, {0, 1}};
  std::vector<sweep::Color> palette = sweep::palette_of(seen, 255);
  std::sort(palette.begin(), palette.end());
  CHECK(palette == std::vector<sweep::Color>{{0, 0, 0}, {0x10, 0x20, 0x30}, {0xff, 0xff, 0xff}});
  for (std::uint32_t k = 0; k < 5000; ++k) seen[k * 3000] += 1;
  palette = sweep::palette_of(seen, 255);
  CHECK(palette.size() == 255);
  CHECK(std::find(palette.begin(), palette.end(), sweep::Color{255, 255, 255}) != palette.end());
}

TEST_CASE("an APNG is read again as it was, whatever its colours") {
  const test::Folder folder;
  for (const auto& frames : {few_colors(), noise(2), noise(250)}) {
    write(folder / "a.png", frames);
    const auto film = film_reader::read_apng(film_reader::read(folder / "a.png"));
    CHECK(film.frames == without_repeats(frames));
    CHECK(film.forever);
    CHECK(total(film) == doctest::Approx(static_cast<double>(frames.size()) / 30).epsilon(0.002));
  }
  write(folder / "a.png", few_colors(), false);
  CHECK_FALSE(film_reader::read_apng(film_reader::read(folder / "a.png")).forever);
}

TEST_CASE("a folder of frames; frames of another film are not mixed in") {
  const test::Folder folder;
  write(folder / "frames", few_colors());
  CHECK(std::filesystem::exists(folder / "frames" / "frame-0007.png"));
  CHECK_FALSE(std::filesystem::exists(folder / "frames" / "frame-0008.png"));
  CHECK(said(folder / "frames", 7) == "taken");
  CHECK(said(folder / "frames", 6)
            .find("expected a folder without frames of another film, got one "
                  "with frame-0007.png") != std::string::npos);
}

TEST_CASE("what was not finished leaves nothing, and the old file as it was") {
  const test::Folder folder;
  std::ofstream(folder / "b.gif") << "old";
  for (const char* name : {"a.gif", "b.gif", "a.png", "frames"}) {
    const auto film = sweep::open_film(folder / name, {.frames = 7});
    film->add(few_colors()[0], {});
  }
  CHECK(folder.files() == 1);
  CHECK(film_reader::read(folder / "b.gif") == "old");
  // Frames of an earlier film stay until all of the new ones are there.
  std::filesystem::create_directory(folder / "again");
  std::ofstream(folder / "again" / "frame-0001.png") << "old";
  for (const bool finished : {false, true}) {
    const auto frames = sweep::open_film(folder / "again", {.frames = 2});
    frames->add(few_colors()[0], {});
    frames->add(few_colors()[1], {});
    CHECK(film_reader::read(folder / "again" / "frame-0001.png") == "old");
    CHECK_FALSE(std::filesystem::exists(folder / "again" / "frame-0002.png"));
    if (finished) frames->finish({});
  }
  CHECK(film_reader::read(folder / "again" / "frame-0001.png").size() > 3);
  const std::filesystem::directory_iterator left(folder / "again");
  CHECK(std::distance(begin(left), end(left)) == 2);
  std::atomic<std::int64_t> questions = 1;
  const auto film = sweep::open_film(folder / "c.gif", {.frames = 7});
  film->add(few_colors()[0], {});
  CHECK_THROWS_AS(film->finish(core::Cancel(questions)), core::Cancelled);
}

TEST_CASE("endings that make no film are refused") {
  const test::Folder folder;
  CHECK(said(folder / "a.jpg")
            .find("expected a name that ends in .gif, .png, .apng, .mp4 or .webm, "
                  "or a folder for the frames") != std::string::npos);
  CHECK(said(folder / "a.GIF") == "taken");
  CHECK(said(folder.path()) == "taken");
}

// A program of that name that writes down what it gets, and one that fails.
class FakeProgram {
 public:
  explicit FakeProgram(const std::string& script) : path_(std::getenv("PATH")) {
    std::ofstream(folder_ / "ffmpeg") << "#!/bin/sh\n" << script;
    ::chmod((folder_ / "ffmpeg").c_str(), 0755);
    ::setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  ~FakeProgram() { ::setenv("PATH", path_.c_str(), 1); }
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

 private:
  test::Folder folder_;
  std::string path_;
};

TEST_CASE("a film by ffmpeg: it gets every frame's bytes, and its fault is told") {
  const test::Folder folder;
  const std::vector<Pixels> frames = few_colors();
  {
    // The last word is where it writes.
    const FakeProgram copies("for last; do :; done\ncat > \"$last\"\n");
    write(folder / "a.mp4", frames);
    std::string wanted;
    for (const Pixels& frame : frames) {
      wanted.append(reinterpret_cast<const char*>(frame.rgb.data()), frame.rgb.size());
    }
    CHECK(film_reader::read(folder / "a.mp4") == wanted);
  }
  const FakeProgram fails("echo no such codec >&2\nexit 3\n");
  std::string fault;
  try {
    write(folder / "b.webm", frames);
  } catch (const sys::IoError& error) {
    fault = error.what();
  }
  CHECK(fault == "the ffmpeg program made no film: no such codec");
  CHECK(folder.files() == 1);
}

// The number that a program wrote into a file, once it is there.
pid_t written_pid(const std::filesystem::path& file) {
  for (int k = 0; k < 6000; ++k) {
    const std::string text = film_reader::read(file);
    if (text.ends_with('\n')) return std::stoi(text);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return 0;
}

// Whether it is over within a minute; what nobody has waited for has no command line any more.
bool ends(pid_t process) {
  const std::string line = "/proc/" + std::to_string(process) + "/cmdline";
  for (int k = 0; k < 6000; ++k) {
    if (film_reader::read(line).empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_CASE("an ffmpeg that hangs ends with the film that is cancelled, and with the program") {
  const test::Folder folder;
  const std::filesystem::path number = folder / "number";
  const FakeProgram hangs("echo $$ >'" + number.string() + "'\nexec sleep 1000\n");
  pid_t process = 0;
  std::stop_source stop;
  const std::jthread cancels([&] {
    process = written_pid(number);
    stop.request_stop();
  });
  const auto cancelled = [&] {
    const auto film = sweep::open_film(folder / "a.mp4", {.frames = 100});
    // More than it is sent while nobody reads.
    for (int k = 0; k < 100; ++k) film->add(ground(1000, 1000), core::Cancel(stop.get_token()));
  };
  CHECK_THROWS_AS(cancelled(), core::Cancelled);
  REQUIRE(process > 0);
  CHECK(ends(process));
  std::filesystem::remove(number);
  const pid_t program = ::fork();
  if (program == 0) {
    const auto film = sweep::open_film(folder / "a.mp4", {.frames = 100});
    film->add(ground(4, 4), {});
    written_pid(number);
    std::raise(SIGKILL);
  }
  ::waitpid(program, nullptr, 0);
  process = written_pid(number);
  REQUIRE(process > 0);
  CHECK(ends(process));
  CHECK(folder.files() == 1);
}

TEST_CASE("without ffmpeg that is said in one sentence") {
  const test::Folder folder;
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const std::string fault = said(folder / "a.mp4");
  ::setenv("PATH", path.c_str(), 1);
  CHECK(
      fault.ends_with("a film of this kind needs the ffmpeg program, which is not installed "
                      "(Debian package ffmpeg); .gif and .png do not need it"));
}

TEST_CASE("what changed between two pictures") {
  const Pixels before = ground(10, 8);
  Pixels now = before;
  CHECK(sweep::changed(before, now) == sweep::Changed{});
  paint(now, 3, 2, {255, 255, 0});
  paint(now, 6, 5, {0, 255, 255});
  CHECK(sweep::changed(before, now) == sweep::Changed{3, 2, 4, 4});
  CHECK(sweep::part_of(now, {6, 5, 1, 1}).rgb == std::vector<std::uint8_t>{0, 255, 255});
  CHECK(sweep::changed({}, now) == sweep::Changed{0, 0, 10, 8});
}

}  // namespace film_test
