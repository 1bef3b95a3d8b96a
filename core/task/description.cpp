#include "core/task/description.h"

namespace core::task::description {

using nlohmann::json;

json of_file(const Safetensors& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  json description =
      found == file.metadata.end() ? json() : json::parse(found->second, nullptr, false);
  if (!description.is_object() || !description.contains("vocabulary")) return {};
  return description;
}

std::vector<std::string> symbols_of(const json& list, const std::string& file) {
  const auto fits = [](const json& symbol) {
    return symbol.is_string() && !symbol.get_ref<const std::string&>().empty();
  };
  if (!list.is_array() || list.size() > static_cast<std::size_t>(kMostSymbols) ||
      !std::all_of(list.begin(), list.end(), fits)) {
    throw InputError(Message(N_("{}: expected a vocabulary, a list of texts, got none"), file));
  }
  return list.get<std::vector<std::string>>();
}

json of_history(const std::vector<Milestone>& history) {
  json list = json::array();
  for (const Milestone& m : history) {
    json one = {m.step, m.loss, m.gradient_norm, m.rate, m.held_loss, m.held_accuracy};
    for (const double value : m.more) one.push_back(value);
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<Milestone> history_of(const json& list, const std::string& file) {
  constexpr std::size_t kMostMilestones = 100'000, kAlways = 6, kMostNumbers = 16;
  const auto fits = [](const json& m) {
    return m.is_array() && m.size() >= kAlways && m.size() <= kMostNumbers &&
           m[0].is_number_integer() &&
           std::all_of(m.begin(), m.end(), [](const json& x) { return x.is_number(); });
  };
  if (!list.is_array() || list.size() > kMostMilestones ||
      !std::all_of(list.begin(), list.end(), fits)) {
    throw InputError(Message(N_("{}: expected a history of its training, got none"), file));
  }
  std::vector<Milestone> history;
  for (const json& m : list) {
    Milestone one{m[0].get<Index>(),  m[1].get<double>(), m[2].get<double>(),
                  m[3].get<double>(), m[4].get<double>(), m[5].get<double>()};
    for (std::size_t k = kAlways; k < m.size(); ++k) one.more.push_back(m[k].get<double>());
    history.push_back(std::move(one));
  }
  return history;
}

}  // namespace core::task::description
