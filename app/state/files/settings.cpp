#include "app/state/files/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "app/sweep/film.h"
#include "app/sweep/sweep.h"
#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/words/sentence.h"
#include "core/io/case/json_check.h"
#include "core/io/content_hash.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace state {

namespace fs = std::filesystem;
using core::InputError;
using nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostStops = 1000;  // of a lesson

// Reads members of the right type; others are refused with the member's name.
class Members {
 public:
  Members(const nlohmann::json& json, const std::string& file) : json_(json), file_(file) {}

  void flag(const char* name, bool& value) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_boolean()) refuse(name);
    value = found->get<bool>();
  }
  void text(const char* name, std::string& value) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_string()) refuse(name);
    value = found->get<std::string>();
  }
  void texts(const char* name, param::Values& values) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_object()) refuse(name);
    for (const auto& [id, value] : found->items()) {
      if (!value.is_string()) refuse(name);
      values.emplace_back(id, value.get<std::string>());
    }
  }
  template <class Number>
  void number(const char* name, double min, double max, Number& value) const {
    const auto* found = find(name);
    if (!found) return;
    const double read = found->is_number() ? found->get<double>() : max + 1;
    if (!(read >= min && read <= max)) refuse(name);
    value = static_cast<Number>(read);
  }
  template <class Parse, class Value>
  void word(const char* name, const Parse& parse, Value& value) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_string()) refuse(name);
    try {
      value = parse(found->get_ref<const std::string&>());
    } catch (const InputError&) {
      refuse(name);
    }
  }

  void lecture(const char* name, LectureLook& look) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_object()) refuse(name);
    const Members members(*found, file_);
    members.word("theme", figure::parse_theme, look.theme);
    members.number("scale", 1, 3, look.scale);
    members.flag("sentence", look.sentence);
  }
  void film(const char* name, FilmLook& look) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_object()) refuse(name);
    const Members members(*found, file_);
    members.number("width", 0, kMostFilmWidth, look.width);
    members.number("fps", sweep::kLeastFps, sweep::kMostFps, look.fps);
    members.number("seconds", 0, sweep::kMostSeconds, look.seconds);
    const bool narrow = look.width > 0 && look.width < kLeastFilmWidth;
    const bool short_one = look.seconds > 0 && look.seconds < sweep::kLeastSeconds;
    if (narrow || short_one) refuse(name);
  }
  void lessons(const char* name, lesson::Progress& progress) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_object()) refuse(name);
    for (const auto& [id, place] : found->items()) {
      if (!place.is_object()) refuse(name);
      const Members members(place, file_);
      lesson::Place read;
      members.number("stop", 0, kMostStops, read.stop);
      members.number("furthest", 0, kMostStops, read.furthest);
      members.flag("done", read.done);
      members.said("answers", read.said);
      progress.put(id, read);
    }
  }
  void said(const char* name, std::map<std::size_t, lesson::Said>& all) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_array()) refuse(name);
    for (const auto& one : *found) {
      if (!one.is_object()) refuse(name);
      const Members members(one, file_);
      std::size_t stop = kMostStops + 1;
      lesson::Said read;
      members.number("stop", 0, kMostStops, stop);
      members.text("answer", read.words);
      members.flag("right", read.right);
      members.flag("since", read.since);
      members.text("time", read.time);
      if (stop > kMostStops) refuse(name);
      all[stop] = read;
    }
  }
  void recents(const char* name, Recents& recents) const {
    const auto* found = find(name);
    if (!found) return;
    if (!found->is_array()) refuse(name);
    for (auto one = found->rbegin(); one != found->rend(); ++one) {
      const bool known = one->is_object() && one->size() == 1 && one->begin()->is_string() &&
                         (one->contains("file") || one->contains("lesson"));
      if (!known) refuse(name);
      const auto kind = one->contains("file") ? Recent::Kind::file : Recent::Kind::lesson;
      recents.add({kind, one->begin()->get<std::string>()});
    }
  }

 private:
  const nlohmann::json* find(const char* name) const {
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
  }
  [[noreturn]] void refuse(const char* name) const {
    words::refuse<InputError>(
        N_("the settings in {} cannot be used: \"{}\" has a value that is not allowed"), file_,
        name);
  }

  const nlohmann::json& json_;
  const std::string& file_;
};

std::string name_of(const fs::path& file) { return core::printable(file.string(), 400); }

// What stands in the file, an object; an empty one where there is no file.
nlohmann::json members_in(const fs::path& file) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 16;
  std::error_code error;
  if (!fs::exists(file, error) && !error) return nlohmann::json::object();
  std::ifstream in;
  if (const words::Sentence reason = core::open_regular(file, in); !reason.empty()) {
    words::refuse<InputError>(N_("cannot read {}: {}"), name_of(file), reason);
  }
  std::string text(kMostBytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  nlohmann::json json = core::json_fault(text).empty()
                            ? nlohmann::json::parse(text, nullptr, false)
                            : nlohmann::json(nlohmann::json::value_t::discarded);
  if (json.is_discarded() || !json.is_object()) {
    words::refuse<InputError>(N_("the settings in {} cannot be used: it is not a JSON object"),
                              name_of(file));
  }
  return json;
}

// Members of the file that this version does not know: a later one's.
void add_others(const fs::path& file, ordered_json& json) {
  try {
    const nlohmann::json all = members_in(file);
    for (const auto& [name, value] : all.items()) {
      if (!json.contains(name)) json[name] = value;
    }
  } catch (const InputError&) {
    // What is broken holds nothing to keep.
  }
}

bool holds(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  if (fs::file_size(path, error) != bytes.size() || error) return false;
  std::ifstream file(path, std::ios::binary);
  return std::equal(bytes.begin(), bytes.end(), std::istreambuf_iterator<char>(file), {});
}

}  // namespace

fs::path settings_file() {
  const fs::path folder = sys::settings_folder();
  return folder.empty() ? folder : folder / "settings.json";
}

fs::path keep_file(std::string_view bytes, std::string_view ending) {
  fs::path folder = sys::data_folder();
  if (folder.empty()) {
    words::refuse<InputError>(
        N_("expected a folder to keep files in: neither HOME nor XDG_DATA_HOME names one"));
  }
  folder /= "models";
  sys::make_folder(folder);
  const fs::path file =
      folder / fmt::format("{:016x}{}", core::xxh64(std::as_bytes(std::span(bytes))), ending);
  // What is there already may be open in a page, which would not know a new one in its place.
  if (!holds(file, bytes)) sys::write_atomically(file, bytes);
  return file;
}

Settings read_settings(const fs::path& file) {
  Settings settings;
  const std::string name = name_of(file);
  const nlohmann::json json = members_in(file);
  const Members members(json, name);
  members.word("theme", figure::parse_theme, settings.theme);
  members.word("language", words::parse_language, settings.language);
  members.number("scale", 0, 3, settings.scale);
  members.flag("captions", settings.captions);
  members.flag("introduction", settings.introduction);
  members.flag("motion", settings.motion);
  members.flag("hold_drags", settings.hold_drags);
  members.number("speed", 0.01, 100, settings.speed);
  members.number("memory", 0, 1e15, settings.memory);
  members.flag("ask_first", settings.ask_first);
  members.lessons("lessons", settings.lessons);
  members.flag("show_start", settings.show_start);
  members.recents("recent", settings.recent);
  members.lecture("lecture", settings.lecture);
  members.film("film", settings.film);
  members.number("paper_width", 0, paper::kMostPaper, settings.paper_width);
  members.number("paper_height", 0, paper::kMostPaper, settings.paper_height);
  members.number("paper_font", 0, paper::kMostFont, settings.paper_font);
  members.number("paper_dpi", 0, paper::kMostDpi, settings.paper_dpi);
  members.flag("paper_title", settings.paper_title);
  members.flag("paper_caption", settings.paper_caption);
  members.flag("paper_parameters", settings.paper_parameters);
  members.flag("paper_transparent", settings.paper_transparent);
  members.flag("paper_crop", settings.paper_crop);
  members.texts("paper_style", settings.paper_style);
  return settings;
}

void write_settings(const Settings& settings, const fs::path& file) {
  sys::make_folder(file.parent_path());
  ordered_json lessons = ordered_json::object();
  for (const auto& [name, place] : settings.lessons.all()) {
    lessons[name] = {{"stop", place.stop}, {"furthest", place.furthest}, {"done", place.done}};
    for (const auto& [stop, said] : place.said) {
      lessons[name]["answers"].push_back(
          {{"stop", stop}, {"answer", said.words}, {"right", said.right}, {"time", said.time}});
      if (said.since) lessons[name]["answers"].back()["since"] = true;
    }
  }
  ordered_json recent = ordered_json::array();
  for (const Recent& one : settings.recent.all()) {
    ordered_json& entry = recent.emplace_back(ordered_json::object());
    entry[one.kind == Recent::Kind::file ? "file" : "lesson"] = one.name;
  }
  ordered_json json = {{"theme", figure::theme_id(settings.theme)},
                       {"language", words::language_id(settings.language)},
                       {"scale", settings.scale},
                       {"captions", settings.captions},
                       {"introduction", settings.introduction},
                       {"motion", settings.motion},
                       {"hold_drags", settings.hold_drags},
                       {"speed", settings.speed},
                       {"memory", settings.memory},
                       {"ask_first", settings.ask_first},
                       {"lessons", lessons},
                       {"show_start", settings.show_start},
                       {"recent", recent},
                       {"lecture",
                        {{"theme", figure::theme_id(settings.lecture.theme)},
                         {"scale", settings.lecture.scale},
                         {"sentence", settings.lecture.sentence}}},
                       {"film",
                        {{"width", settings.film.width},
                         {"fps", settings.film.fps},
                         {"seconds", settings.film.seconds}}},
                       {"paper_width", settings.paper_width},
                       {"paper_height", settings.paper_height},
                       {"paper_font", settings.paper_font},
                       {"paper_dpi", settings.paper_dpi},
                       {"paper_title", settings.paper_title},
                       {"paper_caption", settings.paper_caption},
                       {"paper_parameters", settings.paper_parameters},
                       {"paper_transparent", settings.paper_transparent},
                       {"paper_crop", settings.paper_crop},
                       {"paper_style", ordered_json::object()}};
  for (const auto& [id, value] : settings.paper_style) json["paper_style"][id] = value;
  add_others(file, json);
  sys::write_atomically(file,
                        json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

Settings settings_of(const Program& program, float own_scale) {
  const paper::PaperOptions& paper = program.looks.paper;
  return {
      .theme = program.looks.theme,
      .language = program.words().language(),
      .scale = program.looks.scale == own_scale ? 0 : program.looks.scale,
      .captions = program.looks.captions,
      .introduction = program.looks.introduces,
      .motion = program.looks.moves,
      .hold_drags = program.looks.holds_drags,
      .speed = program.playing.speed(),
      .memory = program.memory_budget(),
      .ask_first = program.looks.asks_first,
      .lessons = program.learned,
      .show_start = program.looks.shows_start,
      .recent = program.files.recents(),
      .lecture = program.looks.lecture,
      .film = program.looks.film,
      .paper_width = paper.paper_width,
      .paper_height = paper.paper_height,
      .paper_font = paper.font,
      .paper_dpi = paper.dpi,
      .paper_title = paper.heading,
      .paper_caption = paper.caption,
      .paper_parameters = paper.parameter_line,
      .paper_transparent = paper.transparent,
      .paper_crop = paper.crop,
      .paper_style = paper::look_of(paper::given(paper.style), false),
  };
}

void apply(const Settings& settings, Program& program, float own_scale) {
  program.looks.theme = settings.theme;
  program.set_language(settings.language);
  program.looks.rescale(settings.scale > 0 ? settings.scale : own_scale);
  program.looks.captions = settings.captions;
  program.looks.introduces = settings.introduction;
  program.looks.moves = settings.motion;
  program.looks.holds_drags = settings.hold_drags;
  program.playing.set_speed(settings.speed);
  if (settings.memory > 0) program.set_memory_budget(settings.memory);
  program.looks.asks_first = settings.ask_first;
  program.learned = settings.lessons;
  program.looks.shows_start = settings.show_start;
  program.files.recents() = settings.recent;
  program.looks.lecture = settings.lecture;
  program.looks.film = settings.film;
  paper::PaperOptions paper = program.looks.paper;
  paper.paper_width = settings.paper_width;
  paper.paper_height = settings.paper_height;
  paper.font = settings.paper_font;
  paper.dpi = settings.paper_dpi;
  paper.heading = settings.paper_title;
  paper.caption = settings.paper_caption;
  paper.parameter_line = settings.paper_parameters;
  paper.transparent = settings.paper_transparent;
  paper.crop = settings.paper_crop;
  try {
    paper::set(paper.style, settings.paper_style);
  } catch (const InputError&) {
    // A later version's: paper looks as it does by itself.
  }
  program.looks.paper = paper;
}

Settings remembered(Settings kept, const Settings& before, const Settings& after) {
  const auto take = [&](auto Settings::*field) {
    if (before.*field != after.*field) kept.*field = after.*field;
  };
  take(&Settings::theme);
  take(&Settings::language);
  take(&Settings::scale);
  take(&Settings::captions);
  take(&Settings::introduction);
  take(&Settings::motion);
  take(&Settings::hold_drags);
  take(&Settings::speed);
  take(&Settings::memory);
  take(&Settings::ask_first);
  take(&Settings::lessons);
  take(&Settings::show_start);
  take(&Settings::recent);
  take(&Settings::lecture);
  take(&Settings::film);
  take(&Settings::paper_width);
  take(&Settings::paper_height);
  take(&Settings::paper_font);
  take(&Settings::paper_dpi);
  take(&Settings::paper_title);
  take(&Settings::paper_caption);
  take(&Settings::paper_parameters);
  take(&Settings::paper_transparent);
  take(&Settings::paper_crop);
  take(&Settings::paper_style);
  return kept;
}

}  // namespace state
