// What the program says to the person: one sentence at a time, shown for a while at the bottom of
// the window.
#pragma once

#include <string>
#include <utility>

namespace state {

struct Message {
  std::string text;
  bool is_error = false;
  long number = 0;  // counts messages, so that a repeated sentence is new again
};

class Messages {
 public:
  void say(std::string text, bool is_error = false) {
    last_ = {std::move(text), is_error, last_.number + 1};
  }
  // Appends to the last message, unless that was an error.
  void say_too(const std::string& text) {
    const std::string before = last_.is_error ? std::string() : last_.text;
    say(before.empty() ? text : before + " " + text);
  }
  const Message& last() const { return last_; }
  void dismiss() { last_.text.clear(); }

 private:
  Message last_;
};

}  // namespace state
