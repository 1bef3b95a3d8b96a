// Fonts for Pango, and where installed ones lie.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

typedef struct _PangoFontMap PangoFontMap;

namespace sys {

// A map of the fonts that are given as files' bytes, in order, and of no others, unhinted; slanted
// and bold faces that they lack are made from the upright and regular ones. The same fonts every
// time: they are read at the first call and stay as long as the program. Where the system cannot
// read fonts from memory it is a map of the installed ones. The caller unreferences it.
PangoFontMap* own_fonts(std::span<const std::string_view> files);
// The same with the installed fonts of one family.
PangoFontMap* own_fonts(std::span<const std::string_view> files, const std::string& family);
// Families of what is installed, in the order of the alphabet.
std::vector<std::string> installed_families();
// A map of what is installed; the caller unreferences it.
PangoFontMap* installed_fonts();

// An installed font of simplified Chinese, for characters that the program's own lacks.
struct FontFile {
  std::filesystem::path path;  // empty: there is none
  int face = 0;                // in a collection
};
FontFile installed_chinese();

}  // namespace sys
