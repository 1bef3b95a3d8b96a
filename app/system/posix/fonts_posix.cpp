#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

#include <map>
#include <mutex>
#include <string>

#include "app/system/font_families.h"
#include "app/system/font_rules.h"
#include "app/system/fonts.h"
#include "app/system/posix/calls.h"

namespace sys {
namespace {

// Fontconfig takes fonts by path only, and Cairo opens a face again whenever it needs it.
bool add_font(FcConfig* config, std::string_view bytes) {
  const std::string path = posix::path_of_bytes(bytes);
  const auto* name = reinterpret_cast<const FcChar8*>(path.c_str());
  return !path.empty() && FcConfigAppFontAddFile(config, name) == FcTrue;
}

FcConfig* make_config(std::span<const std::string_view> files) {
  FcConfig* config = FcConfigCreate();
  const auto* rules = reinterpret_cast<const FcChar8*>(kFontRules);
  bool good = FcConfigParseAndLoadFromMemory(config, rules, FcTrue) == FcTrue;
  for (const std::string_view file : files) good = good && add_font(config, file);
  if (good) return config;
  FcConfigDestroy(config);
  return nullptr;
}

}  // namespace

PangoFontMap* own_fonts(std::span<const std::string_view> files) {
  // Null where the system has no memory files.
  static FcConfig* const config = make_config(files);
  PangoFontMap* map = installed_fonts();
  if (config) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
  return map;
}

PangoFontMap* own_fonts(std::span<const std::string_view> files, const std::string& family) {
  static std::mutex mutex;
  static std::map<std::string, FcConfig*> configs;  // null: the system has no memory files
  const std::scoped_lock lock(mutex);
  const auto [at, is_new] = configs.try_emplace(family, nullptr);
  if (is_new) {
    at->second = make_config(files);
    if (at->second) add_family(at->second, nullptr, family);
  }
  PangoFontMap* map = installed_fonts();
  if (at->second) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), at->second);
  return map;
}

std::vector<std::string> installed_families() { return families_in(nullptr); }

PangoFontMap* installed_fonts() {
  return pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
}

FontFile installed_chinese() {
  constexpr int kSimplified = 2;  // of its faces
  const std::filesystem::path noto = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";
  return std::filesystem::exists(noto) ? FontFile{noto, kSimplified} : FontFile{};
}

}  // namespace sys
