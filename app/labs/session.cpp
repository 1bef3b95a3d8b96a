#include "app/labs/session.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/labs/labs.h"
#include "app/words/sentence.h"

namespace lab {
namespace {

using core::InputError;
using nlohmann::ordered_json;

constexpr int kVersion = 1;

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
  if (*version != kVersion) {
    refuse(N_("expected version {}, got {}"), kVersion, version->dump());
  }
}

void check_known(const nlohmann::json& values, param::List list, std::string_view lab) {
  for (const auto& [id, value] : values.items()) {
    if (!list.find(id)) {
      refuse(N_("the lab \"{}\" has no parameter \"{}\""), lab, id);
    }
  }
}

// Sets what is there in the order of description, anew for each one, since a range may depend on
// the values before it.
param::Values read_values(const nlohmann::json& values, const Lab& lab) {
  const std::unique_ptr<State> state = lab.make();
  check_known(values, state->list(), lab.id);
  const std::size_t count = state->list().items().size();
  for (std::size_t k = 0; k < count; ++k) {
    const param::List list = state->list();
    const param::Parameter& parameter = list.items().at(k);
    const auto found = values.find(parameter.info.id);
    if (found != values.end()) param::from_json(parameter, *found);
  }
  param::settle(state->describe());
  return param::values(state->describe());
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
    refuse(N_("the view of \"{}\" should be four numbers [x0, x1, y0, y1] that span an area"), id);
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

}  // namespace

std::string to_json(const Session& session, const FindLab& find) {
  const std::unique_ptr<State> state = find(session.lab).make();
  param::assign(state->describe(), session.values);
  ordered_json json;
  json["attnscope"] = kVersion;
  json["lab"] = session.lab;
  json["values"] = ordered_json::object();
  const param::List list = state->list();
  for (const param::Parameter& parameter : list.items()) {
    json["values"][std::string(parameter.info.id)] = param::to_json(parameter);
  }
  json["views"] = ordered_json::object();
  for (const auto& [id, view] : session.views) {
    json["views"][id] = {view.x0, view.x1, view.y0, view.y1};
  }
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Session from_json(const std::string& text, const FindLab& find) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) refuse(N_("it is not a JSON object"));
  check_version(json);
  const nlohmann::json* lab = member(json, "lab");
  if (!lab || !lab->is_string()) refuse(N_("it has no text \"lab\""));
  Session session;
  session.lab = lab->get<std::string>();
  const Lab& found = find(session.lab);
  const nlohmann::json* values = member(json, "values");
  if (values && !values->is_object()) refuse(N_("\"values\" should be an object"));
  session.values = read_values(values ? *values : nlohmann::json::object(), found);
  session.views = read_views(json);
  return session;
}

std::string to_json(const Session& session) {
  return to_json(session, [](std::string_view id) -> const Lab& { return lab::find(id); });
}

Session from_json(const std::string& text) {
  return from_json(text, [](std::string_view id) -> const Lab& { return lab::find(id); });
}

}  // namespace lab
