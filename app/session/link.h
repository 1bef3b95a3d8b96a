// A view as a link: what stands behind the # of an address. The program in a browser opens it, and
// so does the command line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"

namespace session {

struct Link {
  Session session = {};
  // None: the reader's own.
  std::optional<words::Language> language = {};
  std::string lesson = {};               // one of the program's; may be empty
  std::optional<std::size_t> stop = {};  // of it, counted from 0; none: where it was left
  // The page is as the stop sets it: of `session` the lab alone counts.
  bool as_stop = false;
};

inline constexpr std::size_t kMostLinkBytes = std::size_t{1} << 16;

// True for "#..." and for an address with "://".
bool is_link(std::string_view text);

// The link from its # on. Where few knobs differ from the lab's start it is read as it stands:
//   #rotary?base=100&text=the+bank&lang=zh_CN&v=1
//   #masks?lesson=causal&stop=3&v=1
// Else "packed" is the session's JSON without what is at its start, deflated (RFC 1950), in
// base64url. "v" is the version. A space is "+"; letters and digits of all scripts stand as they
// are, other characters as %XX. Throws core::InputError when the link is longer than
// kMostLinkBytes.
std::string to_link(const Link& link);

// What of the session no link takes along, a sentence each: files, and strokes of the pen.
std::vector<words::Sentence> left_behind(const Session& session);

// Reads such a link, or an address that ends with one. Whether there is such a lesson, and such a
// stop of it, is not checked. Throws core::InputError in one sentence: as session::from_json does,
// and for a link that is too long, damaged, of a later version or names a file.
Link from_link(std::string_view text);

}  // namespace session
