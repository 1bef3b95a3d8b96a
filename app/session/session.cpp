#include "app/session/session.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/labs/labs.h"
#include "app/param/renamed.h"
#include "app/session/session_files.h"
#include "core/io/case/json_check.h"
#include "core/io/large_file.h"
#include "core/text/printable.h"

namespace session {
namespace {

using core::InputError, nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::array<std::string_view, 10> kMembers = {"attnscope", "lab",     "values", "views",
                                                       "files",     "figures", "figure", "holds",
                                                       "strokes",   "paper"};

template <class... Args>
[[noreturn]] void refuse(std::string_view reason, const Args&... args) {
  words::refuse<InputError>(N_("the session cannot be used: {}"), words::Sentence(reason, args...));
}

// A member of an object, or null when it is missing.
const nlohmann::json* member(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

void check_version(const nlohmann::json& json) {
  const nlohmann::json* version = member(json, "attnscope");
  if (!version || !version->is_number_integer()) {
    refuse(N_("it has no whole number \"attnscope\", its version"));
  }
  if (*version != kVersion) refuse(N_("expected version {}, got {}"), kVersion, version->dump());
}

void check_members(const nlohmann::json& json) {
  for (const auto& [name, value] : json.items()) {
    if (std::find(kMembers.begin(), kMembers.end(), name) == kMembers.end()) {
      refuse(N_("it has a member \"{}\", which no session has"), core::printable(name));
    }
  }
}

void check_known(const nlohmann::json& values, param::List list, std::string_view lab) {
  for (const auto& [id, value] : values.items()) {
    if (!list.find(id)) {
      refuse(N_("the lab \"{}\" has no parameter \"{}\""), lab, core::printable(id));
    }
  }
}

// What a session says of the file of a parameter.
std::optional<Fingerprint> read_fingerprint(const nlohmann::json& json, const std::string& id) {
  const nlohmann::json* files = member(json, "files");
  const nlohmann::json* file = files ? member(*files, id.c_str()) : nullptr;
  if (!file) return std::nullopt;
  const nlohmann::json* bytes = member(*file, "bytes");
  const nlohmann::json* written = member(*file, "written");
  const nlohmann::json* contents = member(*file, "contents");
  if (!bytes || !bytes->is_number_unsigned() || (written && !written->is_number_integer()) ||
      (contents && !contents->is_string())) {
    refuse(
        N_("\"files\" should hold whole numbers \"bytes\" and \"written\" and a text "
           "\"contents\" for each file"));
  }
  return Fingerprint{bytes->get<std::uintmax_t>(), written ? written->get<std::int64_t>() : 0,
                     contents ? contents->get<std::string>() : std::string()};
}

void check_files(const nlohmann::json& json) {
  const nlohmann::json* files = member(json, "files");
  const bool objects = !files || (files->is_object() &&
                                  std::all_of(files->begin(), files->end(),
                                              [](const auto& one) { return one.is_object(); }));
  if (!objects) refuse(N_("\"files\" should be an object of objects"));
}

void check_known_files(const nlohmann::json& json, param::List list, std::string_view lab) {
  const nlohmann::json* files = member(json, "files");
  if (!files) return;
  for (const auto& [id, file] : files->items()) {
    const param::Parameter* parameter = list.find(id);
    if (!parameter || !std::holds_alternative<param::File>(parameter->kind)) {
      refuse(N_("\"files\" names \"{}\", which is not a file of the lab \"{}\""),
             core::printable(id), lab);
    }
  }
}

// Files by their whole paths, with what they held.
void find_files(const param::List& list, const nlohmann::json& json,
                const std::filesystem::path& folder, std::vector<SessionFile>& files) {
  for (const param::Parameter& parameter : list.items()) {
    const auto* file = std::get_if<param::File>(&parameter.kind);
    if (!file || file->value->empty()) continue;
    *file->value = found_from(folder, *file->value);
    files.push_back({*file->value, read_fingerprint(json, std::string(parameter.info.id))});
  }
}

// Values by the ids that parameters have now.
nlohmann::json by_ids_now(nlohmann::json values, const param::List& list) {
  nlohmann::json now = nlohmann::json::object();
  for (auto& [id, value] : values.items()) {
    const auto renamed = param::renamed_to(id, list);
    if (renamed && value.is_number_integer()) value = value.get<std::int64_t>() + renamed->more;
    now[renamed ? std::string(renamed->is) : id] = std::move(value);
  }
  return now;
}

// Sets what is there in the order of description, anew for each one, since a range may depend on
// the values before it. Files are added to `files`, if that is there.
param::Values read_values(const nlohmann::json& json, const Lab& lab,
                          const std::filesystem::path& folder, std::vector<SessionFile>* files) {
  const nlohmann::json* given = member(json, "values");
  if (given && !given->is_object()) refuse(N_("\"values\" should be an object"));
  const std::unique_ptr<lab::State> state = lab.make();
  const nlohmann::json values =
      by_ids_now(given ? *given : nlohmann::json::object(), state->list());
  check_known(values, state->list(), lab.id);
  const std::size_t count = state->list().items().size();
  for (std::size_t k = 0; k < count; ++k) {
    const param::List list = state->list();
    const param::Parameter& parameter = list.items().at(k);
    const auto found = values.find(parameter.info.id);
    if (found != values.end()) param::from_json(parameter, *found);
  }
  if (files) check_known_files(json, state->list(), lab.id);
  std::vector<SessionFile> unsaid;
  find_files(state->list(), json, folder, files ? *files : unsaid);
  param::settle(state->describe());
  return param::values(state->describe());
}

Holds read_holds(const nlohmann::json& json, const Lab& lab, const std::filesystem::path& folder) {
  Holds holds;
  const nlohmann::json* given = member(json, "holds");
  if (!given) return holds;
  const nlohmann::json* all = given->is_object() ? member(*given, "all") : nullptr;
  const bool shaped =
      all && all->is_array() && all->size() <= kMostHolds &&
      std::all_of(all->begin(), all->end(), [](const auto& one) {
        return one.is_object() && (!one.contains("name") || one["name"].is_string());
      });
  if (!shaped) {
    refuse(N_("\"holds\" should hold a list \"all\" of at most {} objects with \"name\" and "
              "\"values\""),
           kMostHolds);
  }
  for (const nlohmann::json& one : *all) {
    holds.all.push_back({one.value("name", std::string()), read_values(one, lab, folder, nullptr)});
  }
  const auto count = static_cast<int>(holds.all.size());
  const nlohmann::json* compared = member(*given, "compared");
  const bool none = !compared || (compared->is_number_integer() && *compared == -1);
  if (!none && !(compared->is_number_unsigned() && *compared < count)) {
    refuse(N_("\"compared\" of \"holds\" should be -1 or the number of one, below {}"), count);
  }
  if (!none) holds.compared = compared->get<int>();
  const nlohmann::json* cells = member(*given, "cells");
  if (cells && !cells->is_string()) refuse(N_("\"cells\" of \"holds\" should be a text"));
  if (cells) holds.cells = figure::parse_cells_shown(cells->get<std::string>());
  const nlohmann::json* split = member(*given, "split");
  const double at = split && split->is_number() ? split->get<double>() : 0.5;
  if ((split && !split->is_number()) || !(at >= 0 && at <= 1)) {
    refuse(N_("\"split\" of \"holds\" should be a number from 0 to 1"));
  }
  holds.split = static_cast<float>(at);
  return holds;
}

figure::View read_view(const std::string& id, const nlohmann::json& numbers) {
  std::array<double, 4> edges{};
  const bool shaped = numbers.is_array() && numbers.size() == edges.size();
  for (std::size_t k = 0; shaped && k < edges.size(); ++k) {
    edges[k] = numbers[k].is_number() ? numbers[k].get<double>() : std::nan("");
  }
  const bool finite = shaped && std::isfinite(edges[0]) && std::isfinite(edges[1]) &&
                      std::isfinite(edges[2]) && std::isfinite(edges[3]);
  if (!finite || edges[0] == edges[1] || edges[2] == edges[3]) {
    refuse(N_("the view of \"{}\" should be four numbers [x0, x1, y0, y1] that span an area"),
           core::printable(id));
  }
  return {edges[0], edges[1], edges[2], edges[3]};
}

figure::Views read_views(const nlohmann::json& json) {
  figure::Views views;
  const nlohmann::json* object = member(json, "views");
  if (!object) return views;
  if (!object->is_object()) refuse(N_("\"views\" should be an object"));
  for (const auto& [id, numbers] : object->items()) views[id] = read_view(id, numbers);
  return views;
}

std::vector<std::string> read_figures(const nlohmann::json& figures, const char* key) {
  const nlohmann::json* names = member(figures, key);
  if (!names) return {};
  const bool texts = names->is_array() && std::all_of(names->begin(), names->end(),
                                                      [](auto& one) { return one.is_string(); });
  if (!texts) refuse(N_("\"figures\" should hold lists of figures' ids, \"first\" and \"hidden\""));
  return names->get<std::vector<std::string>>();
}

constexpr std::size_t kMostTexts = 100;

// How a figure looks, as paper::Style has it.
param::Values read_texts(const nlohmann::json& object, std::string_view name) {
  const bool texts =
      object.is_object() && object.size() <= kMostTexts &&
      std::all_of(object.begin(), object.end(), [](const auto& one) { return one.is_string(); });
  if (!texts) refuse(N_("\"{}\" should be an object of at most {} texts"), name, kMostTexts);
  param::Values values;
  for (const auto& [id, value] : object.items()) values.emplace_back(id, value);
  return values;
}

std::map<std::string, param::Values> read_colors(const nlohmann::json& figures) {
  std::map<std::string, param::Values> colors;
  const nlohmann::json* given = member(figures, "colors");
  if (!given) return colors;
  if (!given->is_object() || given->size() > kMostTexts) {
    refuse(N_("\"colors\" should be an object of at most {} figures"), kMostTexts);
  }
  for (const auto& [id, one] : given->items()) colors[id] = read_texts(one, "colors");
  return colors;
}

FigureChoices read_figures(const nlohmann::json& json) {
  const nlohmann::json* figures = member(json, "figures");
  if (!figures) return {};
  if (!figures->is_object()) refuse(N_("\"figures\" should be an object"));
  for (const auto& [name, ids] : figures->items()) {
    if (name != "first" && name != "hidden" && name != "colors") {
      refuse(N_("\"figures\" has a member \"{}\", which no session has"), core::printable(name));
    }
  }
  return {read_figures(*figures, "first"), read_figures(*figures, "hidden"), read_colors(*figures)};
}

param::Values read_paper(const nlohmann::json& json) {
  const nlohmann::json* paper = member(json, "paper");
  return paper ? read_texts(*paper, "paper") : param::Values{};
}

ordered_json write_texts(const param::Values& values) {
  ordered_json texts = ordered_json::object();
  for (const auto& [id, value] : values) texts[id] = value;
  return texts;
}

ordered_json write_figures(const FigureChoices& figures) {
  ordered_json json = {{"first", figures.first}, {"hidden", figures.hidden}};
  for (const auto& [id, colors] : figures.colors) json["colors"][id] = write_texts(colors);
  return json;
}

// The values of all parameters, files as they are named from the folder; what the files hold goes
// into `files`, if that is there.
ordered_json write_values(const param::List& list, const std::filesystem::path& folder,
                          ordered_json* files, std::uint64_t most) {
  ordered_json values = ordered_json::object();
  for (const param::Parameter& parameter : list.items()) {
    const std::string id(parameter.info.id);
    values[id] = param::to_json(parameter);
    const auto* file = std::get_if<param::File>(&parameter.kind);
    if (!file || file->value->empty()) continue;
    values[id] = named_from(folder, *file->value);
    if (!files) continue;
    if (const auto held = fingerprint(*file->value, most)) {
      ordered_json& entry = (*files)[id] = {{"bytes", held->bytes}, {"written", held->written}};
      if (!held->contents.empty()) entry["contents"] = held->contents;
    }
  }
  return values;
}

ordered_json write_holds(const Session& session, const FindLab& find,
                         const std::filesystem::path& folder) {
  const Holds& holds = session.holds;
  ordered_json all = ordered_json::array();
  for (const Hold& hold : holds.all) {
    const std::unique_ptr<lab::State> state = find(session.lab).make();
    param::assign(state->describe(), hold.values);
    all.push_back(
        {{"name", hold.name}, {"values", write_values(state->list(), folder, nullptr, 0)}});
  }
  return {{"all", std::move(all)},
          {"compared", holds.compared},
          {"cells", figure::cells_shown_id(holds.cells)},
          {"split", holds.split}};
}

}  // namespace

std::vector<std::size_t> shown_figures(const Page& page, const FigureChoices& order) {
  const auto holds = [](const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  std::vector<std::size_t> shown;
  const auto add_if = [&](const auto& wanted) {
    for (std::size_t k = 0; k < page.figures.size(); ++k) {
      const std::string& id = page.figures[k].id;
      if (wanted(id) && !holds(order.hidden, id)) shown.push_back(k);
    }
  };
  std::vector<std::string> moved;  // each once, however often a session names it
  for (const std::string& next : order.first) {
    if (holds(moved, next)) continue;
    moved.push_back(next);
    add_if([&](const std::string& id) { return id == next; });
  }
  add_if([&](const std::string& id) { return !holds(moved, id); });
  return shown;
}

std::vector<std::string> exported_figures(const Page& page, const FigureChoices& order) {
  std::vector<std::string> ids;
  for (const std::size_t k : shown_figures(page, order)) ids.push_back(page.figures[k].id);
  if (ids.empty() && !page.figures.empty()) {
    words::refuse<InputError>(N_("every figure of this page is hidden"));
  }
  return ids;
}

std::string to_json(const Session& session, const FindLab& find,
                    const std::filesystem::path& folder, std::uint64_t most) {
  const std::unique_ptr<lab::State> state = find(session.lab).make();
  param::assign(state->describe(), session.values);
  ordered_json json, files = ordered_json::object();
  json["attnscope"] = kVersion;
  json["lab"] = session.lab;
  json["values"] = write_values(state->list(), folder, &files, most);
  json["views"] = ordered_json::object();
  for (const auto& [id, view] : session.views) {
    json["views"][id] = {view.x0, view.x1, view.y0, view.y1};
  }
  if (!files.empty()) json["files"] = files;
  if (!session.figures.empty()) json["figures"] = write_figures(session.figures);
  if (!session.figure.empty()) json["figure"] = session.figure;
  if (!session.holds.all.empty()) json["holds"] = write_holds(session, find, folder);
  if (!session.strokes.empty()) json["strokes"] = to_json(session.strokes);
  if (!session.paper.empty()) json["paper"] = write_texts(session.paper);
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Session from_json(const std::string& text, const FindLab& find,
                  const std::filesystem::path& folder) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool object = first != text.npos && text[first] == '{';
  if (!object && !text.starts_with("\xef\xbb\xbf")) refuse(N_("it is not a JSON object"));
  if (const words::Sentence fault = core::json_fault(text); !fault.empty()) {
    refuse(N_("it is not a JSON object: {}"), fault);
  }
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) refuse(N_("it is not a JSON object"));
  check_version(json);
  check_members(json);
  check_files(json);
  const nlohmann::json* lab = member(json, "lab");
  if (!lab || !lab->is_string()) refuse(N_("it has no text \"lab\""));
  Session session;
  session.lab = lab->get<std::string>();
  session.values = read_values(json, find(session.lab), folder, &session.files);
  session.holds = read_holds(json, find(session.lab), folder);
  if (const nlohmann::json* strokes = member(json, "strokes")) {
    session.strokes = strokes_from(*strokes);
  }
  session.paper = read_paper(json);
  session.views = read_views(json);
  session.figures = read_figures(json);
  if (const nlohmann::json* figure = member(json, "figure")) {
    if (!figure->is_string()) refuse(N_("\"figure\" should be the id of a figure"));
    session.figure = figure->get<std::string>();
  }
  return session;
}

std::string to_json(const Session& session, const std::filesystem::path& folder,
                    std::uint64_t most) {
  return to_json(
      session, [](std::string_view id) -> const Lab& { return lab::find(id); }, folder, most);
}

Session from_json(const std::string& text, const std::filesystem::path& folder) {
  return from_json(
      text, [](std::string_view id) -> const Lab& { return lab::find(id); }, folder);
}

std::vector<words::Sentence> unknown_parts(const Session& session, const Page& page) {
  std::set<std::string> figures, plots, named;
  for (const figure::Figure& figure : page.figures) {
    figures.insert(figure.id);
    for (const figure::Plot& plot : figure.plots) plots.insert(plot.id);
  }
  std::vector<words::Sentence> unknown;
  const auto quoted = [](const std::string& id) { return '"' + core::printable(id) + '"'; };
  for (const auto& [id, view] : session.views) {
    if (plots.contains(id)) continue;
    unknown.emplace_back(
        N_("the session has a view of {}, which is not a plot of this page: ignored"), quoted(id));
  }
  const auto look_for = [&](const std::string& id) {
    if (figures.contains(id) || !named.insert(id).second) return;
    unknown.emplace_back(N_("the session names a figure {}, which is not on this page: ignored"),
                         quoted(id));
  };
  for (const std::string& id : session.figures.first) look_for(id);
  for (const std::string& id : session.figures.hidden) look_for(id);
  for (const auto& [id, colors] : session.figures.colors) {
    if (!plots.contains(id)) look_for(id);
  }
  // Where it begins may be a plot.
  if (!session.figure.empty() && !plots.contains(session.figure)) look_for(session.figure);
  return unknown;
}

std::vector<std::string> files_read(const Lab& lab, const param::Values& values) {
  const std::unique_ptr<lab::State> state = lab.make();
  param::assign(state->describe(), values);
  std::vector<std::string> files;
  const param::List list = state->list();
  for (const param::Parameter& parameter : list.items()) {
    const auto* file = std::get_if<param::File>(&parameter.kind);
    if (file && !file->value->empty()) files.push_back(*file->value);
  }
  return files;
}

std::optional<Session> session_opening(const std::filesystem::path& path) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  for (const Lab& lab : lab::all()) {
    if (lab.chapter != lab::Chapter::yours) continue;
    const auto state = lab.make();
    const param::List list = state->list();
    const auto first = std::find_if(
        list.items().begin(), list.items().end(),
        [](const param::Parameter& p) { return std::holds_alternative<param::File>(p.kind); });
    if (first == list.items().end()) continue;
    const std::string_view endings = std::get<param::File>(first->kind).endings;
    if (folder != endings.ends_with('/') || !param::has_ending(path.string(), endings)) continue;
    if (!folder) const core::LargeFile readable(path);
    param::assign(state->describe(),
                  {{std::string(first->info.id), std::filesystem::absolute(path, error).string()}});
    return Session{
        .lab = std::string(lab.id), .values = param::values(state->describe()), .views = {}};
  }
  return std::nullopt;
}

}  // namespace session
