#include "core/io/case/json_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/text/printable.h"

namespace core {
namespace {

// Hears every piece of a text and keeps nothing but the keys of the objects that are open. The
// names are those of nlohmann's interface; false ends the reading.
class Check final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Check(std::string_view text, int deepest) : text_(text), deepest_(deepest) {}
  const Message& fault() const { return fault_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back().insert(name).second) return true;
    fault_ = Message(N_("it has the key \"{}\" twice in one object"), printable(name));
    return false;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    // `position` counts from 1; the first character that cannot be stands there.
    const std::string_view before =
        text_.substr(0, std::min(text_.size(), position > 0 ? position - 1 : 0));
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    fault_ =
        Message(N_("it is not valid JSON from line {}, column {} on"),
                std::count(before.begin(), before.end(), '\n') + 1, before.size() - line_begin + 1);
    return false;
  }

 private:
  bool open() {
    open_.emplace_back();
    if (open_.size() <= static_cast<std::size_t>(deepest_)) return true;
    fault_ = Message(N_("its nesting is deeper than {} levels"), deepest_);
    return false;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  int deepest_;
  std::vector<std::set<std::string>> open_;
  Message fault_;
};

}  // namespace

Message json_fault(std::string_view text, int deepest) {
  Check check(text, deepest);
  nlohmann::json::sax_parse(text.begin(), text.end(), &check);
  return check.fault();
}

}  // namespace core
