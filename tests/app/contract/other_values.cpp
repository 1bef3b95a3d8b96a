#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "settings.h"

namespace contract {

namespace {

// Each entry alone, one more item at the end, and the first one moved down.
std::vector<std::string> other_stacks(const param::Stack& stack) {
  const param::Catalogue& catalogue = *stack.catalogue;
  std::vector<std::string> all;
  const auto add = [&](const param::StackItems& items) {
    if (items != *stack.value) all.push_back(param::print_stack(items, catalogue));
  };
  for (int k = 0; k < static_cast<int>(catalogue.entries.size()); ++k) {
    add({param::initial_item(catalogue, k)});
  }
  if (stack.value->size() < stack.most) {
    param::StackItems longer = *stack.value;
    longer.push_back(param::initial_item(catalogue, 0, 1));
    add(longer);
  }
  add(param::with_moved(*stack.value, 0, 1));
  return all;
}

// One point fewer, one more, and the first one elsewhere.
std::vector<std::string> other_points(const param::Points& kind) {
  std::vector<std::string> texts;
  const auto middle = param::nearest(kind, kind.x_min * 0.375 + kind.x_max * 0.625,
                                     kind.y_min * 0.375 + kind.y_max * 0.625);
  param::PointList points = *kind.value;
  if (points.size() < kind.most) {
    points.push_back(middle);
    texts.push_back(param::print(points));
    points.pop_back();
  }
  if (points.empty()) return texts;
  points.pop_back();
  texts.push_back(param::print(points));
  points = *kind.value;
  points.front() = middle;
  texts.push_back(param::print(points));
  return texts;
}

// A file that a lab which reads such files can read.
std::string sample_file(const param::File& kind) {
  REQUIRE(kind.endings.find(".csv") != std::string_view::npos);
  const auto path = std::filesystem::temp_directory_path() / "attnscope_contract_sample.csv";
  std::ofstream(path) << "x,y\n0.5,1\n1,3\n2.5,2\n4,2.5\n4.5,4\n";
  return path.string();
}

}  // namespace

std::vector<std::string> other_values(const Parameter& p) {
  if (const auto* flag = std::get_if<param::Flag>(&p.kind))
    return {*flag->value ? "false" : "true"};
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    std::vector<std::string> ids;
    for (std::size_t k = 0; k < choice->options.size(); ++k) {
      if (static_cast<int>(k) != choice->get()) ids.emplace_back(choice->options[k].id);
    }
    return ids;
  }
  if (std::holds_alternative<param::Text>(p.kind)) return {param::print(p) + " otter"};
  if (const auto* stack = std::get_if<param::Stack>(&p.kind)) return other_stacks(*stack);
  if (std::holds_alternative<param::Painted>(p.kind)) return {"0:0", "0-9:0-4,6", "3:2;5:1-7"};
  if (const auto* points = std::get_if<param::Points>(&p.kind)) return other_points(*points);
  if (const auto* file = std::get_if<param::File>(&p.kind)) return {sample_file(*file)};
  const double now = *param::number(p);
  std::vector<std::string> values;
  for (const double wanted : {now + 1, now - 1, now / 2, now * 2}) {
    const double value = param::nearest(p, wanted);
    if (value == now) continue;
    values.push_back(number_text(p, value));
  }
  return values;
}

}  // namespace contract
