#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "app/labs/shared/text/places.h"
#include "example_lab/example.h"
#include "settings.h"

namespace contract {

const Lab& example() {
  static const Lab lab = [] {
    const std::string file = "tests/app/example_lab/example.md";
    std::ifstream in(std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / file);
    lab::text::add_text(file, {std::istreambuf_iterator<char>(in), {}});
    return lab::example::lab();
  }();
  return lab;
}

std::span<const Lab> tried_labs() {
  const char* one = std::getenv("ATTNSCOPE_LAB");
  if (!one || std::string_view(one) == "every") return lab::all();
  if (std::string_view(one) == kExample) return {&example(), 1};
  return {&lab::find(one), 1};
}

const Seen& seen(const Lab& lab, const param::Values& values) {
  static std::map<std::string, Seen> all;
  std::string key(lab.id);
  for (const auto& [id, value] : values) key += "\n" + id + "=" + value;
  const auto [at, is_new] = all.try_emplace(key);
  Seen& one = at->second;
  if (is_new) {
    static const words::Words english;
    static lab::Memos memos;
    const auto state = lab.make();
    param::assign(state->describe(), values);
    lab::Memo& memo = memos.of(std::string(lab.id));
    one.page = state->compute({{}, english, memo, {}, 0});
    one.memo = memo;
    one.hash = PageHash().of(one.page);
  }
  return one;
}

bool tried_wholly() { return std::getenv("ATTNSCOPE_LAB") != nullptr; }

bool has_its_turn(std::size_t n, std::size_t k) {
  constexpr std::size_t kTurns = 5;
  return n == 0 || (n + k) % kTurns == 0 || tried_wholly();
}

}  // namespace contract
