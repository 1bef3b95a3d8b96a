// Calls of another program, one a line, answered in order: the command line's words as JSON.
//
// A call      {"id":1,"command":"export","lab":"multi_head","set":{"heads":4},"figure":["heads"],
//              "width":"85mm","no_caption":true,"format":"svg"}
// An answer   {"id":1,"format":"svg","base64":"...","notes":["..."]}
// A refusal   {"id":1,"error":"heads: expected an integer from 1 to 32, got 99","notes":[]}
//
// "id" is a number or a text, or left out; it comes back. What else a call has is an option of its
// command: a text, a number, true for a flag, several in a list, and id=value as an object.
//
// hello    {"result":{"program":"attnscope","version":"0.1.0","protocol":1,"options":{...}}}: those
//          of an export, with what each does
// labs     {"result":...}, what `attnscope labs --json` writes; "names":true as --names
// export   format png, svg, pdf, html, csv, json, npy, npz or safetensors: the bytes of such a
// file;
//          arrays: {"arrays":[{"name":"weights","shape":[13,13],"dtype":"float64","base64":...}]}
// tensors  {"arrays":{"attention":{"shape":[12,12,9,9],"dtype":"float32","base64":...}},
//           "tokens":["a","b"]}: {"result":{"set":{"file":...,"tokens_file":...}}}, settings for
//           the
//          lab "tensors", whose files are there until "forget" with that "set", or the end
// forget   {"result":{}}
//
// Numbers are little-endian, in C order. "notes" are what a command reports beside its work.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/words/words.h"

namespace cli {

inline constexpr std::size_t kMostLine = std::size_t{1} << 26;  // bytes of a call

class Server {
 public:
  // Sentences are in the language of `w`, which outlives it.
  explicit Server(const words::Words& w);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The answer to a line, one line itself, without its end; whatever the line is.
  std::string answer(std::string_view line);
  // To a line that was longer than kMostLine.
  std::string refuse_long_line();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cli
