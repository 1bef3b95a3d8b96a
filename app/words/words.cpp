#include "app/words/words.h"

#include <cstdint>
#include <cstring>

#include "app/words/seams.h"
#include "assets/assets.h"
#include "core/text/printable.h"
#include "core/types.h"

namespace words {
namespace {

// A gettext .mo file is a header of 32-bit words and two tables of (length, offset), one of the
// messages and one of the translations. Source: GNU gettext manual, section "MO Files".
class MoFile {
 public:
  explicit MoFile(std::string_view bytes) : bytes_(bytes) {}

  std::map<std::string_view, std::string_view> entries() const {
    constexpr std::uint32_t kMagic = 0x950412de;
    std::map<std::string_view, std::string_view> all;
    if (bytes_.size() < 20 || word(0) != kMagic) return all;
    const std::uint32_t count = word(8), messages = word(12), translations = word(16);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view message = text(messages + 8 * i);
      if (!message.empty()) all.emplace(message, text(translations + 8 * i));
    }
    return all;
  }

 private:
  std::uint32_t word(std::size_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.substr(at, sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text(std::size_t row) const { return bytes_.substr(word(row + 4), word(row)); }

  std::string_view bytes_;
};

}  // namespace

Language parse_language(std::string_view id) {
  if (id == "en") return Language::en;
  if (id == "zh_CN") return Language::zh_CN;
  throw core::InputError(
      core::Message(N_("language: expected one of en, zh_CN, got \"{}\""), core::printable(id)));
}

std::string_view language_id(Language language) {
  return language == Language::en ? "en" : "zh_CN";
}

const std::map<std::string_view, std::string_view>& catalogue(Language language) {
  static const std::map<std::string_view, std::string_view> none;
  if (language == Language::en) return none;
  static const auto chinese = MoFile(assets::find("translations/zh_CN.mo")).entries();
  return chinese;
}

Words::Words(Language language) : language_(language) {}

std::string Words::operator()(std::string_view message) const {
  const auto& entries = catalogue(language_);
  const auto found = entries.find(message);
  return std::string(found == entries.end() || found->second.empty() ? message : found->second);
}

std::string Words::filled(std::string_view message, fmt::format_args args) const {
  const std::string format = (*this)(message);
  if (language_ != Language::zh_CN) return fmt::vformat(format, args);
  return without_seams(fmt::vformat(with_seams(format), args));
}

std::string Words::list(const std::vector<std::string>& names) const {
  return fmt::format("{}", fmt::join(names, (*this)(N_(", "))));
}

}  // namespace words
