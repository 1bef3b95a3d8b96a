#include "app/cli/serve/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/serve/call.h"
#include "app/cli/serve/given_tensors.h"
#include "app/cli/shared/output.h"
#include "core/system/memory.h"
#include "core/text/base64.h"
#include "core/text/printable.h"

namespace cli {
namespace {

using core::InputError;
using Json = nlohmann::ordered_json;

constexpr int kProtocol = 1;
constexpr std::size_t kMostKept = std::size_t{1} << 30;  // bytes of the process

std::string written(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// {"id":1,...}: an answer that knows whose it is.
Json begun(const Json& call) {
  Json answer;
  const bool has = call.is_object() && call.contains("id");
  answer["id"] = has && (call["id"].is_number() || call["id"].is_string()) ? call["id"] : Json();
  return answer;
}

Json parsed(std::string_view line) {
  Json call = Json::parse(line.begin(), line.end(), nullptr, false);
  if (call.is_object()) return call;
  words::refuse<InputError>(N_("expected a call as a JSON object on one line, got {}"),
                            in_quotes(line));
}

// Takes what is no option of a command.
std::string command_of(const Json& call) {
  if (call.contains("id") && !call["id"].is_number() && !call["id"].is_string()) {
    words::refuse<InputError>(N_("id: expected a number or a text, got {}"), shown(call["id"]));
  }
  const auto command = call.find("command");
  if (command != call.end() && command->is_string()) return command->get<std::string>();
  words::refuse<InputError>(N_("command: expected {}, got {}"),
                            "hello, labs, export, tensors, forget",
                            command == call.end() ? words::Sentence(N_("nothing"))
                                                  : words::Sentence("{}", shown(*command)));
}

Json array_json(const paper::NamedArray& array) {
  const std::string_view bytes(reinterpret_cast<const char*>(array.values.data()),
                               array.values.size() * sizeof(double));
  return {{"name", array.name},
          {"shape", array.shape},
          {"dtype", "float64"},
          {"base64", core::to_base64(bytes)}};
}

// What only a file can be asked for.
const std::vector<std::string_view> kNoOptions = {"out", "with_json"};

// Every option of an export with what it does; all other names are knobs.
Json export_options(const words::Words& w) {
  CLI::App program;
  program.set_help_flag();
  ExportWords words;
  Json options = Json::object();
  for (const CLI::Option* option : words.add_to(program, w)->get_options()) {
    if (option->get_positional()) continue;
    std::string name = option->get_lnames().back();
    std::replace(name.begin(), name.end(), '-', '_');
    if (std::find(kNoOptions.begin(), kNoOptions.end(), name) != kNoOptions.end()) continue;
    options[name] = option->get_description();
  }
  return options;
}

}  // namespace

struct Server::State {
  const words::Words& w;
  Kept kept = {};
  KeptReports reports = {};

  void answer_export(const Json& call, Json& answer) {
    ExportWords words;
    parse_call(call, words, {"--out=-"}, kNoOptions, w);
    words.view.takes_input = false;  // calls come there
    answer["format"] = words.format;
    if (words.format != "arrays") {
      answer["base64"] = core::to_base64(exported(words, &kept));
      return;
    }
    answer["arrays"] = Json::array();
    for (const paper::NamedArray& array : exported_arrays(words, kept)) {
      answer["arrays"].push_back(array_json(array));
    }
  }

  void answer_labs(const Json& call, Json& answer) {
    LabsWords words;
    parse_call(call, words, {}, {}, w);
    answer["result"] = Json::parse(listed_labs(words, kept));
  }

  void answer(const Json& call, Json& answer) {
    const std::string command = command_of(call);
    if (command == "export") return answer_export(call, answer);
    if (command == "labs") return answer_labs(call, answer);
    if (command == "tensors") {
      answer["result"] = {{"set", given_tensors(call, kept.files)}};
    } else if (command == "forget") {
      forget_tensors(call, kept.files);
      answer["result"] = Json::object();
    } else if (command == "hello") {
      answer["result"] = {{"program", "attnscope"},
                          {"version", ATTNSCOPE_VERSION},
                          {"protocol", kProtocol},
                          {"options", export_options(w)}};
    } else {
      words::refuse<InputError>(N_("command: expected {}, got {}"),
                                "hello, labs, export, tensors, forget", in_quotes(command));
    }
  }

  // What was computed long ago goes where the process holds much.
  void keep_budget() {
    while (core::memory_in_use() > kMostKept && kept.memos.forget_oldest()) {
    }
  }
};

Server::Server(const words::Words& w) : state_(new State{w}) {}
Server::~Server() = default;

std::string Server::answer(std::string_view line) {
  constexpr std::size_t kMost = 4000;  // characters of a sentence
  Json call, answer;
  try {
    call = parsed(line);
    answer = begun(call);
    state_->answer(call, answer);
  } catch (const std::exception& error) {
    answer = begun(call);
    answer["error"] = core::printable(words::translated(error, state_->w), kMost);
  }
  answer["notes"] = state_->reports.taken();
  state_->keep_budget();
  return written(answer);
}

std::string Server::refuse_long_line() {
  Json answer = begun({});
  answer["error"] =
      state_->w.format(N_("expected a line of at most {} MB, got a longer one"), kMostLine >> 20);
  answer["notes"] = Json::array();
  return written(answer);
}

}  // namespace cli
