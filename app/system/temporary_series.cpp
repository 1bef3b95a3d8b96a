#include "app/system/temporary_series.h"

#include <fmt/format.h>

#include "app/system/temporary.h"

namespace sys {

TemporarySeries::TemporarySeries(const std::filesystem::path& folder, bool made,
                                 std::string_view name, int digits)
    : folder_(folder),
      made_(made),
      before_(name.substr(0, name.find("{}"))),
      after_(name.substr(name.find("{}") + 2)),
      mark_(new_mark()),
      digits_(digits),
      guard_(folder, made, "." + before_, digits, after_ + mark_) {}

TemporarySeries::~TemporarySeries() {
  std::error_code error;
  for (int k = 1; k <= count_; ++k) std::filesystem::remove(hidden(k), error);
  if (made_) std::filesystem::remove(folder_, error);  // where it is empty
}

std::filesystem::path TemporarySeries::hidden(int number) const {
  return folder_ / fmt::format(".{}{:0{}}{}{}", before_, number, digits_, after_, mark_);
}

std::filesystem::path TemporarySeries::next() {
  guard_.cover(++count_);
  return hidden(count_);
}

std::error_code TemporarySeries::rename_all() {
  std::error_code error;
  for (int k = 1; k <= count_; ++k) {
    const std::filesystem::path place =
        folder_ / fmt::format("{}{:0{}}{}", before_, k, digits_, after_);
    std::filesystem::rename(hidden(k), place, error);
    if (error) return error;
  }
  count_ = 0;
  made_ = false;
  return {};
}

}  // namespace sys
