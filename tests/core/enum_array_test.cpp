#include "core/enum_array.h"

#include <doctest/doctest.h>

#include <string>

namespace enum_array_test {
namespace {

enum class Nothing {};
enum class Single { alone };
enum class Ending { t5, gpt2, utf8 };  // names that end in digits
struct Inside {
  enum class Kind : unsigned char { a, b };
};

template <class Enum, std::size_t size>
concept Takes = requires(const std::string_view (&list)[size]) {
  requires size == core::kEnumerators<Enum>;
  core::EnumArray<Enum>(list);
};

}  // namespace

TEST_CASE("enumerators are counted by the compiler") {
  CHECK(core::kEnumerators<Nothing> == 0);
  CHECK(core::kEnumerators<Single> == 1);
  CHECK(core::kEnumerators<Ending> == 3);
  CHECK(core::kEnumerators<Inside::Kind> == 2);
}

TEST_CASE("a list has one entry for each enumerator and is read by it") {
  constexpr core::EnumArray<Ending> names{{"t5", "gpt2", "utf8"}};
  static_assert(names[Ending::gpt2] == "gpt2");
  static_assert(names.size() == 3);
  static_assert(Takes<Ending, 3> && !Takes<Ending, 2> && !Takes<Ending, 4>);
  std::string all;
  for (const std::string_view name : names) all += std::string(name) + " ";
  CHECK(all == "t5 gpt2 utf8 ");
  constexpr core::EnumArray<Inside::Kind, int (*)()> functions{
      {[] { return 1; }, [] { return 2; }}};
  CHECK(functions[Inside::Kind::b]() == 2);
}

}  // namespace enum_array_test
