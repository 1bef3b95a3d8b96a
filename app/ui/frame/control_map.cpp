#include "app/ui/frame/control_map.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/system/atomic_file.h"
#include "core/enum_array.h"

namespace ui {

namespace {

using nlohmann::json;

json rectangle(const Rect& r) {
  const auto whole = [](float v) { return std::lround(v); };
  return {whole(r.x), whole(r.y), whole(r.w), whole(r.h)};
}

}  // namespace

std::string control_map_json(state::Program& program, const ControlMapFacts& facts) {
  json map;
  map["window"] = {{"w", facts.width}, {"h", facts.height}};
  // What a script waits for after each move, press and key: that the window has answered to it.
  map["input"] = {{"pointer", {facts.pointer_x, facts.pointer_y}},
                  {"down", facts.buttons_down},
                  {"keys", facts.input.keys},
                  {"characters", facts.input.characters},
                  {"clicks", facts.clicks},
                  {"double_clicks", facts.double_clicks},
                  {"wheels", facts.input.wheels}};
  map["frames"] = facts.frames;
  map["settled"] = facts.settled;
  map["sleeps"] = facts.sleeps;
  map["lab"] = program.desk.lab().id;
  map["theme"] = figure::theme_id(program.looks.theme);
  map["language"] = words::language_id(program.words().language());
  map["scale"] = program.looks.scale;
  map["first_page_monotonic_s"] = facts.first_page_s;
  map["busy"] = program.pages.busy() || program.is_writing() || program.files.opening();
  map["stale"] = program.pages.stale();
  map["playing"] = program.playing.id();
  map["trainings"] = json::object();
  for (const worker::RunStatus& run : program.trainings.all()) {
    constexpr core::EnumArray<worker::RunState, const char*> kStates{
        {"training", "paused", "waiting", "stopped"}};
    map["trainings"][run.name] = {
        {"state", kStates[run.state]}, {"reached", run.reached}, {"goal", run.goal}};
  }
  map["sweep"] = nullptr;
  if (facts.sweep && facts.sweep->open()) {
    nlohmann::json knobs = nlohmann::json::array();
    for (const sweep::Track& track : facts.sweep->sweep().tracks) knobs.push_back(track.id);
    map["sweep"] = {{"place", facts.sweep->place()},
                    {"playing", facts.sweep->playing()},
                    {"knobs", std::move(knobs)}};
  }
  if (const auto& lesson = facts.lesson) {
    map["lesson"] = {{"name", lesson->name},     {"stop", lesson->stop},   {"at", lesson->at},
                     {"of", lesson->of},         {"phase", lesson->phase}, {"right", lesson->right},
                     {"moving", lesson->moving}, {"said", lesson->said}};
  } else {
    map["lesson"] = nullptr;
  }
  map["tip"] = facts.tip;
  if (const auto& lecture = facts.lecture) {
    map["lecture"] = {{"at", lecture->at},           {"of", lecture->of},
                      {"figures", lecture->figures}, {"sentence", lecture->sentence},
                      {"blank", lecture->blank},     {"tool", lecture->tool},
                      {"ink", lecture->ink},         {"strokes", lecture->strokes},
                      {"knobs", lecture->knobs},     {"notes", lecture->notes},
                      {"waiting", lecture->waiting}};
  } else {
    map["lecture"] = nullptr;
  }
  map["speed"] = program.playing.speed();
  map["message"] = program.messages.last().text;
  map["marked"] = facts.marked;
  map["said"] = json::array();
  for (const state::Message& one : *facts.said) {
    map["said"].push_back({{"number", one.number}, {"text", one.text}});
  }
  map["version"] = program.pages.page() ? program.pages.version() : 0;
  const session::Holds& holds = program.holding.holds();
  json names = json::array();
  for (const session::Hold& hold : holds.all) names.push_back(hold.name);
  map["holds"] = {{"names", names},
                  {"compared", holds.compared},
                  {"cells", figure::cells_shown_id(holds.cells)},
                  {"split", holds.split},
                  {"ready", program.holding.page() != nullptr},
                  {"by_drag", program.holding.is_drag()}};
  map["readouts"] = json::object();
  if (const auto* computed = program.pages.page()) {
    for (const lab::Readout& one : computed->page.readouts)
      map["readouts"][one.id] = double{one.value};
  }
  json knobs = json::object(), pinned = json::object(), errors = json::object();
  json missing = json::array();  // names that are not there
  const param::List all = program.desk.list();
  for (const param::Parameter& p : all.items()) {
    const std::string id(p.info.id);
    knobs[id] = param::to_json(p);
    const auto now = param::number(p);
    if (p.info.unpinned && now && *now != *p.info.unpinned) pinned[id] = param::to_json(p);
    if (!program.knobs.error_of(id).empty()) errors[id] = program.knobs.error_of(id);
    const auto* name = std::get_if<param::Name>(&p.kind);
    if (name && name->missing()) missing.push_back(id);
  }
  map["knobs"] = knobs;
  map["pinned"] = pinned;
  map["errors"] = errors;
  map["missing"] = missing;
  json controls = json::object(), plots = json::object();
  for (const auto& [id, rect] : *facts.controls) controls[id] = rectangle(rect);
  for (const auto& [id, place] : *facts.plots) {
    const figure::View& s = place.shown;
    plots[id] = {{"rect", rectangle(place.area)}, {"shown", {s.x0, s.x1, s.y0, s.y1}}};
  }
  for (const auto& [sets, rect] : facts.hits) controls["hit." + sets] = rectangle(rect);
  map["controls"] = controls;
  map["plots"] = plots;
  return map.dump(1, ' ', false, json::error_handler_t::replace);
}

void ControlMapFile::update(const std::string& text) {
  if (path_.empty() || text == written_) return;
  written_ = text;
  try {
    sys::write_atomically(path_, text);
    failed_ = false;
  } catch (const std::exception&) {
    if (!std::exchange(failed_, true)) throw;
  }
}

}  // namespace ui
