#include <fmt/format.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/system/font_families.h"
#include "app/system/font_rules.h"
#include "app/system/fonts.h"
#include "core/system/environment.h"

namespace sys {
namespace {

namespace fs = std::filesystem;

// Where fonts of the machine and of the person lie, in fontconfig's words.
constexpr const char* kInstalled = R"(<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>WINDOWSFONTDIR</dir>
  <dir>WINDOWSUSERFONTDIR</dir>
  <cachedir>LOCAL_APPDATA_FONTCONFIG_CACHE</cachedir>
</fontconfig>)";

bool load(FcConfig* config, const char* rules) {
  return FcConfigParseAndLoadFromMemory(config, reinterpret_cast<const FcChar8*>(rules), FcTrue) ==
         FcTrue;
}

bool holds(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  if (fs::file_size(path, error) != bytes.size() || error) return false;
  std::ifstream file(path, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return there == bytes;
}

// Fontconfig takes fonts by path only, and there are no files in memory: the bytes lie in a folder
// of the program, under a name that tells other versions from this one. Empty: they cannot.
fs::path path_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  const std::string name = fmt::format("{:016x}.font", hash);
  std::error_code error;
  for (const fs::path& folder : {data_folder(), fs::temp_directory_path(error) / "attnscope"}) {
    if (!folder.is_absolute()) continue;
    const fs::path path = folder / "fonts" / name;
    if (holds(path, bytes)) return path;
    try {
      make_folder(path.parent_path());
      write_atomically(path, bytes);
      return path;
    } catch (const IoError&) {  // the next one, then
    }
  }
  return {};
}

bool add_font(FcConfig* config, std::string_view bytes) {
  const std::string path = path_of(bytes).string();
  const auto* name = reinterpret_cast<const FcChar8*>(path.c_str());
  return !path.empty() && FcConfigAppFontAddFile(config, name) == FcTrue;
}

FcConfig* make_config(std::span<const std::string_view> files) {
  FcConfig* config = FcConfigCreate();
  bool good = load(config, kFontRules);
  for (const std::string_view file : files) good = good && add_font(config, file);
  if (good) return config;
  FcConfigDestroy(config);
  return nullptr;
}

FcConfig* installed_config() {
  FcConfig* config = FcConfigCreate();
  if (load(config, kFontRules) && load(config, kInstalled) && FcConfigBuildFonts(config))
    return config;
  FcConfigDestroy(config);
  return nullptr;
}

FcConfig* kept_installed_config() {
  static FcConfig* const config = installed_config();
  return config;
}

// Pango starts Fontconfig by itself, which looks for a file of settings unless it has some.
PangoFontMap* map_of(FcConfig* config) {
  if (config) FcConfigSetCurrent(config);
  PangoFontMap* map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
  if (config) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
  return map;
}

}  // namespace

PangoFontMap* own_fonts(std::span<const std::string_view> files) {
  static FcConfig* const config = make_config(files);  // null: they lie nowhere
  return config ? map_of(config) : installed_fonts();
}

PangoFontMap* own_fonts(std::span<const std::string_view> files, const std::string& family) {
  static std::mutex mutex;
  static std::map<std::string, FcConfig*> configs;
  const std::scoped_lock lock(mutex);
  const auto [at, is_new] = configs.try_emplace(family, nullptr);
  if (is_new) {
    at->second = make_config(files);
    if (at->second) add_family(at->second, kept_installed_config(), family);
  }
  return at->second ? map_of(at->second) : installed_fonts();
}

std::vector<std::string> installed_families() { return families_in(kept_installed_config()); }

PangoFontMap* installed_fonts() { return map_of(kept_installed_config()); }

FontFile installed_chinese() {
  const fs::path folder = fs::path(core::environment("SystemRoot").value_or("")) / "Fonts";
  // Microsoft YaHei of every Windows, and its older ones.
  for (const char* name : {"msyh.ttc", "msyh.ttf", "simhei.ttf", "simsun.ttc"}) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return {folder / name};
  }
  return {};
}

}  // namespace sys
