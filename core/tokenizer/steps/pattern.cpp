#include "core/tokenizer/steps/pattern.h"

#include <oniguruma.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/text/printable.h"
#include "core/text/utf8.h"
#include "core/tokenizer/steps/newer_characters.h"

namespace core::subword {
namespace {

// What one search may cost before it is given up: a pattern can ask for more than a lifetime.
constexpr unsigned long kMostRetries = 50'000'000;
constexpr unsigned kMostStack = 10'000'000;

const OnigUChar* bytes(const char* text) { return reinterpret_cast<const OnigUChar*>(text); }

std::string reason(int code, OnigErrorInfo* info = nullptr) {
  OnigUChar text[ONIG_MAX_ERROR_MESSAGE_LEN];
  const int length = onig_error_code_to_str(text, code, info);
  return printable(std::string(reinterpret_cast<const char*>(text),
                               static_cast<std::size_t>(std::max(length, 0))));
}

void start_engine() {
  static std::once_flag once;
  std::call_once(once, [] {
    OnigEncoding encoding = ONIG_ENCODING_UTF8;
    onig_initialize(&encoding, 1);
  });
}

// The registers and the limits of one pass over a text.
class Search {
 public:
  Search() : region_(onig_region_new()), limits_(onig_new_match_param()) {
    onig_initialize_match_param(limits_);
    onig_set_retry_limit_in_match_of_match_param(limits_, kMostRetries);
    onig_set_retry_limit_in_search_of_match_param(limits_, kMostRetries);
    onig_set_match_stack_limit_size_of_match_param(limits_, kMostStack);
  }
  ~Search() {
    onig_region_free(region_, 1);
    onig_free_match_param(limits_);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Whether there is a match from `from` on.
  bool next(OnigRegex regex, std::string_view text, std::size_t from) {
    const OnigUChar* begin = bytes(text.data());
    const OnigUChar* end = begin + text.size();
    const int found = onig_search_with_param(regex, begin, end, begin + from, end, region_,
                                             ONIG_OPTION_NONE, limits_);
    if (found >= 0) return true;
    if (found == ONIG_MISMATCH) return false;
    throw InputError(
        Message(N_("the regular expression of a tokenizer fails on this text from byte {} on: {}"),
                from, reason(found)));
  }
  std::size_t begin() const { return static_cast<std::size_t>(region_->beg[0]); }
  std::size_t end() const { return static_cast<std::size_t>(region_->end[0]); }

 private:
  OnigRegion* region_;
  OnigMatchParam* limits_;
};

void add_literal(std::string_view text, std::string_view literal, std::vector<Stretch>& matches) {
  if (literal.empty()) return;
  for (std::size_t at = 0; (at = text.find(literal, at)) != text.npos; at += literal.size()) {
    matches.push_back({at, at + literal.size(), true});
  }
}

void add_class(std::string_view text, Pattern::Class fits, std::vector<Stretch>& matches) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    if (fits(next_code_point(text, at))) matches.push_back({from, at, true});
  }
}

std::vector<Stretch> with_gaps(const std::vector<Stretch>& matches, std::size_t size) {
  std::vector<Stretch> all;
  all.reserve(2 * matches.size() + 1);
  std::size_t before = 0;
  for (const Stretch& match : matches) {
    if (before != match.begin) all.push_back({before, match.begin, false});
    all.push_back(match);
    before = match.end;
  }
  if (before != size) all.push_back({before, size, false});
  return all;
}

// A match becomes part of what stands before it, unless that is a match itself.
std::vector<Stretch> merged_with_previous(const std::vector<Stretch>& stretches) {
  std::vector<Stretch> pieces;
  bool after_match = false;
  for (const Stretch& one : stretches) {
    if (one.matched && !after_match && !pieces.empty()) {
      pieces.back().end = one.end;
    } else {
      pieces.push_back(one);
    }
    after_match = one.matched;
  }
  return pieces;
}

std::vector<Stretch> merged_with_next(const std::vector<Stretch>& stretches) {
  std::vector<Stretch> pieces;
  bool before_match = false;
  for (auto one = stretches.rbegin(); one != stretches.rend(); ++one) {
    if (one->matched && !before_match && !pieces.empty()) {
      pieces.back().begin = one->begin;
    } else {
      pieces.push_back(*one);
    }
    before_match = one->matched;
  }
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

std::vector<Stretch> contiguous(const std::vector<Stretch>& stretches) {
  std::vector<Stretch> pieces;
  for (const Stretch& one : stretches) {
    if (!pieces.empty() && pieces.back().matched == one.matched) {
      pieces.back().end = one.end;
    } else {
      pieces.push_back(one);
    }
  }
  return pieces;
}

}  // namespace

Regex::Regex(const std::string& pattern) {
  start_engine();
  OnigRegex regex = nullptr;
  OnigErrorInfo info{};
  const std::string with_newer = with_newer_characters(pattern);
  const OnigUChar* begin = bytes(with_newer.data());
  const int code = onig_new(&regex, begin, begin + with_newer.size(), ONIG_OPTION_NONE,
                            ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info);
  if (code != ONIG_NORMAL) {
    throw InputError(Message(N_("the regular expression \"{}\" does not compile: {}"),
                             printable(pattern), reason(code, &info)));
  }
  compiled_ =
      std::shared_ptr<void>(regex, [](void* own) { onig_free(static_cast<OnigRegex>(own)); });
}

void Regex::each_match(std::string_view text,
                       const std::function<bool(std::size_t, std::size_t)>& take) const {
  Search search;
  std::size_t from = 0;
  bool after_match = false;
  while (from <= text.size()) {
    if (!search.next(static_cast<OnigRegex>(compiled_.get()), text, from)) return;
    if (search.end() == search.begin() && after_match && search.end() == from) {
      if (from == text.size()) return;
      next_code_point(text, from);
      after_match = false;
      continue;
    }
    if (!take(search.begin(), search.end())) return;
    from = search.end();
    after_match = true;
  }
}

Pattern Pattern::regex(const std::string& pattern) {
  Pattern made;
  made.regex_ = std::make_shared<const Regex>(pattern);
  return made;
}

Pattern Pattern::literal(std::string text) {
  Pattern made;
  made.literal_ = std::move(text);
  return made;
}

Pattern Pattern::characters(Class fits) {
  Pattern made;
  made.class_ = fits;
  return made;
}

std::vector<Stretch> Pattern::stretches(std::string_view text) const {
  if (text.empty()) return {};
  std::vector<Stretch> matches;
  if (regex_) {
    regex_->each_match(text, [&](std::size_t begin, std::size_t end) {
      matches.push_back({begin, end, true});
      return true;
    });
  } else if (class_) {
    add_class(text, class_, matches);
  } else {
    add_literal(text, literal_, matches);
  }
  return with_gaps(matches, text.size());
}

std::vector<Stretch> split(std::vector<Stretch> stretches, Behavior behavior, bool inverted) {
  if (inverted) {
    for (Stretch& one : stretches) one.matched = !one.matched;
  }
  switch (behavior) {
    case Behavior::removed:
      std::erase_if(stretches, [](const Stretch& one) { return one.matched; });
      break;
    case Behavior::isolated: break;
    case Behavior::merged_with_previous: stretches = merged_with_previous(stretches); break;
    case Behavior::merged_with_next: stretches = merged_with_next(stretches); break;
    case Behavior::contiguous: stretches = contiguous(stretches); break;
  }
  std::erase_if(stretches, [](const Stretch& one) { return one.begin == one.end; });
  return stretches;
}

}  // namespace core::subword
