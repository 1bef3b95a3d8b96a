// The texts by which a desktop knows the program, in every language of the program.
#pragma once

#include <string>

namespace desktop {

// The id of the program: of its entry, icon and window (WM_CLASS).
inline constexpr const char* kId = "attnscope";

// The menu's entry (Desktop Entry Specification). `program`: the path or the name by which it
// is started.
std::string entry(const std::string& program);

// What its files are (Shared MIME-info Database): sessions, lessons by how they begin, NumPy's and
// safetensors' files.
std::string mime_types();

// What software centres show (AppStream 1.0). The program has no domain of its own: "local" stands
// before its id.
std::string metainfo();

}  // namespace desktop
