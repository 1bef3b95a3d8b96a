#include "app/labs/shared/found_in.h"

#include <filesystem>
#include <stdexcept>

#include "core/text/printable.h"

namespace lab {

std::string values_of(param::List& list, std::initializer_list<std::string_view> ids) {
  std::string values;
  for (const std::string_view id : ids) {
    const param::Parameter* parameter = list.find(id);
    if (!parameter) throw std::out_of_range("no parameter is called " + std::string(id));
    if (parameter->info.active) values += param::serialize(*parameter);
    values += "\n";
  }
  return values;
}

std::string name_of_model(const std::string& file, const Words& w) {
  if (file.empty()) return w("this model");
  return core::printable(std::filesystem::path(file).filename().string());
}

void FoundIn::add(std::string_view id, double min, double max, param::Facts& found) const {
  found[std::string(id)] = {.of = of, .range = {{min, max}}, .in = in};
}

}  // namespace lab
