// What the reference runner can compute. A topic is one file, topic_NN_name.cpp, that holds its
// handlers and registers them:
//
//   const core_check::Topic topic("01_softmax", {{"softmax_*", softmax_case}, ...});
//
// A handler takes a case's inputs and params and returns an object with a value under every key
// that `expected` has; the runner compares. It reads every size and parameter from the case; where
// one case goes on from another of its file, a handler of two arguments sees the file, too.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/io/case/reference_case.h"

namespace core_check {

using core::CaseValue;
using core::ReferenceCase;
using core::ReferenceFile;

// Thrown by a handler for a case of its family that it cannot compute: the case is "not covered".
struct NotCovered {
  std::string why;
};

using Handler = std::function<CaseValue(const ReferenceCase&, const ReferenceFile&)>;

// The case of that name; NotCovered when the file has none.
const ReferenceCase& sibling(const ReferenceFile& file, std::string_view name);

// The pattern is a case's name, or its beginning followed by '*'. The first that fits is used, so
// exact names come first, and "*" last may look at the inputs.
struct Entry {
  template <class Fn>
  Entry(std::string fits, Fn compute) : pattern(std::move(fits)) {
    if constexpr (std::is_invocable_v<Fn, const ReferenceCase&, const ReferenceFile&>) {
      handler = std::move(compute);
    } else {
      handler = [compute](const ReferenceCase& one, const ReferenceFile&) { return compute(one); };
    }
  }

  std::string pattern;
  Handler handler;
};

class Topic {
 public:
  Topic(const std::string& name, std::vector<Entry> entries) { all()[name] = std::move(entries); }

  // Null when nothing fits.
  static const Handler* find(const std::string& topic, const std::string& case_name);

 private:
  static std::map<std::string, std::vector<Entry>>& all();
};

}  // namespace core_check
