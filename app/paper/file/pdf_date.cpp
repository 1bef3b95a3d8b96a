#include "app/paper/file/pdf_date.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "app/param/reading.h"
#include "app/words/sentence.h"
#include "core/system/environment.h"
#include "core/text/printable.h"
#include "core/types.h"

namespace paper {
namespace {

constexpr std::int64_t kMostSeconds = 253'402'300'799;  // the end of the year 9999

// In the words of ISO 8601, as Cairo reads it.
std::string date_text(std::int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace

void set_pdf_date(cairo_surface_t* surface) {
  const auto set = [&](const char* date) {
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
  };
  const std::string asked = core::environment("SOURCE_DATE_EPOCH").value_or("");
  if (asked.empty()) return set(nullptr);
  const auto seconds = param::whole<std::int64_t>(asked);
  if (!seconds || *seconds < 0 || *seconds > kMostSeconds) {
    words::refuse<core::InputError>(
        N_("SOURCE_DATE_EPOCH: expected seconds since 1970, from 0 to {}, got \"{}\""),
        kMostSeconds, core::printable(asked));
  }
  set(date_text(*seconds).c_str());
}

}  // namespace paper
