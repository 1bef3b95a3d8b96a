// Files that must not be replaced.
#pragma once

#include <filesystem>

#include "app/words/sentence.h"

namespace sys {

// Why the file that stands there must stay: its user may not write to it, or it is another user's.
// Renaming another one over it would get round that, and would make another's file one's own.
// Empty: it may be replaced.
words::Sentence protection(const std::filesystem::path& path);

}  // namespace sys
