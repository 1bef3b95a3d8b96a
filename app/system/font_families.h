// Families of fonts in a configuration of Fontconfig; null: the current one.
#pragma once

#include <fontconfig/fontconfig.h>

#include <set>
#include <string>
#include <vector>

namespace sys {

inline const char* text_of(const FcChar8* text) { return reinterpret_cast<const char*>(text); }

// In the order of the alphabet, by the first of the names that each font has.
inline std::vector<std::string> families_in(FcConfig* config) {
  std::set<std::string> names;
  FcPattern* all = FcPatternCreate();
  FcObjectSet* wanted = FcObjectSetBuild(FC_FAMILY, nullptr);
  if (FcFontSet* fonts = FcFontList(config, all, wanted)) {
    for (int k = 0; k < fonts->nfont; ++k) {
      FcChar8* name = nullptr;
      if (FcPatternGetString(fonts->fonts[k], FC_FAMILY, 0, &name) == FcResultMatch) {
        names.insert(text_of(name));
      }
    }
    FcFontSetDestroy(fonts);
  }
  FcObjectSetDestroy(wanted);
  FcPatternDestroy(all);
  return {names.begin(), names.end()};
}

// Adds the files of a family that is in `from`.
inline void add_family(FcConfig* to, FcConfig* from, const std::string& family) {
  FcPattern* of = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family.c_str(), nullptr);
  FcObjectSet* wanted = FcObjectSetBuild(FC_FILE, nullptr);
  if (FcFontSet* fonts = FcFontList(from, of, wanted)) {
    for (int k = 0; k < fonts->nfont; ++k) {
      FcChar8* file = nullptr;
      if (FcPatternGetString(fonts->fonts[k], FC_FILE, 0, &file) == FcResultMatch) {
        FcConfigAppFontAddFile(to, file);
      }
    }
    FcFontSetDestroy(fonts);
  }
  FcObjectSetDestroy(wanted);
  FcPatternDestroy(of);
}

}  // namespace sys
