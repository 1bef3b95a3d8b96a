#include "app/lesson/library.h"

#include <fstream>

#include "app/labs/labs.h"
#include "app/lesson/files.h"
#include "app/lesson/text/check.h"
#include "assets/assets.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

constexpr std::string_view kFolder = "lessons/", kEnding = ".md";

std::string asset_of(std::string_view name, words::Language language) {
  return fmt::format("{}{}/{}{}", kFolder, words::language_id(language), name, kEnding);
}

std::size_t place_of(const std::string& lab) {
  const auto& all = lab::all();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&](const lab::Lab& one) { return one.id == lab; }) -
      all.begin());
}

std::vector<std::string> sorted_names() {
  const std::string begin = asset_of("", words::Language::en);
  const std::string folder = begin.substr(0, begin.size() - kEnding.size());
  std::vector<std::string> all;
  for (const std::string_view name : assets::names(folder)) {
    all.emplace_back(name.substr(folder.size(), name.size() - folder.size() - kEnding.size()));
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> on_route(std::string_view route, bool further) {
  std::vector<std::string> all;
  const auto read = [](const std::string& name) -> const Lesson& {
    return shipped(name, words::Language::en);
  };
  for (const std::string& name : names()) {
    if (read(name).route == route && read(name).further == further) all.push_back(name);
  }
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return read(a).place < read(b).place; });
  return all;
}

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> sorted = sorted_names();
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      const auto place = [](const std::string& name) {
        return place_of(shipped(name, words::Language::en).lab);
      };
      return place(a) < place(b);
    });
    return sorted;
  }();
  return all;
}

bool exists(std::string_view name) { return assets::exists(asset_of(name, words::Language::en)); }

const Lesson& shipped(const std::string& name, words::Language language) {
  static std::map<std::string, Lesson> read;
  if (!exists(name)) {
    std::string known;
    for (const std::string& one : sorted_names()) known += (known.empty() ? "" : ", ") + one;
    words::refuse<core::InputError>(N_("expected a lesson (one of {}), got \"{}\""), known,
                                    core::printable(name));
  }
  const std::string asset = asset_of(name, language);
  const auto found = read.find(asset);
  if (found != read.end()) return found->second;
  return read.emplace(asset, parse(assets::find(asset), asset)).first->second;
}

std::vector<std::string> of_lab(std::string_view lab) {
  std::vector<std::string> all;
  for (const std::string& name : names()) {
    if (shipped(name, words::Language::en).lab == lab) all.push_back(name);
  }
  return all;
}

const std::vector<Route>& routes() {
  static const std::vector<Route> all{
      {"first_steps", N_("First steps"), N_("What attention is, starting from a plain mean")},
      {"positions", N_("Positions"), N_("How a model knows where a word stands")},
      {"precision", N_("Precision and long context"),
       N_("What few bits and long texts do to attention")},
      {"models", N_("Models"), N_("From the Transformer to a model of your own")}};
  return all;
}

std::vector<std::string> of_route(std::string_view route) { return on_route(route, false); }

std::vector<std::string> after_route(std::string_view route) { return on_route(route, true); }

const Lesson& linked(const session::Link& link, words::Language language) {
  const Lesson& lesson = shipped(link.lesson, link.language.value_or(language));
  const std::size_t stop = link.stop.value_or(0);
  if (stop >= lesson.stops.size()) {
    words::refuse<core::InputError>(
        N_("the link cannot be used: the lesson {} has {} stops, got stop {}"), link.lesson,
        lesson.stops.size(), stop + 1);
  }
  const std::string lab = scene(lesson, stop, false).lab;
  if (link.stop && link.session.lab != lab) {
    words::refuse<core::InputError>(
        N_("the link cannot be used: stop {} of the lesson {} is in the lab {}, got {}"), stop + 1,
        link.lesson, lab, link.session.lab);
  }
  return lesson;
}

Lesson open(const std::filesystem::path& path) {
  constexpr std::size_t kMostBytes = (std::size_t{1} << 20) + 1;
  std::ifstream in;
  if (const words::Sentence reason = core::open_regular(path, in); !reason.empty()) {
    words::refuse<core::InputError>(N_("cannot read {}: {}"), core::printable(path.string(), 400),
                                    reason);
  }
  std::string text(kMostBytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  Lesson read = parse(text, path.filename().string());
  find_files(read, folder_of(path));
  check_scenes(read);
  return read;
}

bool is_lesson_file(const std::filesystem::path& path) { return path.extension() == kEnding; }

}  // namespace lesson
