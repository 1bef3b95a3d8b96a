#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "app/system/fonts.h"

namespace sys {
namespace {

// Slanted and bold faces that the fonts lack are made from the upright and regular ones, by the
// rules of fontconfig's own 90-synthetic.conf.
constexpr const char* kRules = R"(<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <match target="font">
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="autohint" mode="assign"><bool>false</bool></edit>
  </match>
  <match target="font">
    <test name="slant"><const>roman</const></test>
    <test target="pattern" name="slant" compare="not_eq"><const>roman</const></test>
    <edit name="matrix" mode="assign"><times><name>matrix</name><matrix>
      <double>1</double><double>0.2</double><double>0</double><double>1</double>
    </matrix></times></edit>
    <edit name="slant" mode="assign"><const>oblique</const></edit>
  </match>
  <match target="font">
    <test name="weight" compare="less_eq"><const>medium</const></test>
    <test target="pattern" name="weight" compare="more_eq"><const>demibold</const></test>
    <edit name="embolden" mode="assign"><bool>true</bool></edit>
    <edit name="weight" mode="assign"><const>bold</const></edit>
  </match>
</fontconfig>)";

// Fontconfig takes fonts by path only: the bytes go to a memory file, which has one. It stays open
// as long as the program, since Cairo opens a face again whenever it needs it.
bool add_font(FcConfig* config, std::string_view bytes) {
  const int file = ::memfd_create("font", MFD_CLOEXEC);
  if (file < 0) return false;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(file, rest.data(), rest.size());
    if (written <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  const auto* name = reinterpret_cast<const FcChar8*>(path.c_str());
  if (rest.empty() && FcConfigAppFontAddFile(config, name)) return true;
  ::close(file);
  return false;
}

FcConfig* make_config(std::span<const std::string_view> files) {
  FcConfig* config = FcConfigCreate();
  const auto* rules = reinterpret_cast<const FcChar8*>(kRules);
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

PangoFontMap* installed_fonts() {
  return pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
}

}  // namespace sys
