// What is needed to see a view again: saved as .attn, and carried inside of every exported figure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/figure/layout.h"
#include "app/labs/lab.h"
#include "app/param/values.h"

namespace lab {

struct Session {
  std::string lab;
  param::Values values;  // every parameter
  figure::Views views;   // zoomed plots
  bool operator==(const Session&) const = default;
};

// {"attnscope":1,"lab":"multi_head","values":{...},"views":{"weights":[x0,x1,y0,y1]}}
std::string to_json(const Session& session);
// Throws core::InputError in one sentence when it is not such a text, names an unknown lab or
// parameter, or a value is refused. Older sessions may lack parameters: these keep their defaults.
Session from_json(const std::string& text);

// The same with labs from elsewhere than lab::find; for tests.
using FindLab = std::function<const Lab&(std::string_view id)>;
std::string to_json(const Session& session, const FindLab& find);
Session from_json(const std::string& text, const FindLab& find);

}  // namespace lab
