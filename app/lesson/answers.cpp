#include "app/lesson/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/lesson/handout/handout_parts.h"
#include "app/lesson/text/elements.h"
#include "app/param/reading.h"
#include "app/system/atomic_file.h"
#include "app/words/sentence.h"
#include "core/io/case/json_check.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFields{"name",     "lesson", "stop",  "title",
                             "question", "answer", "right", "time"};

// As it stands in the file, without the page's numbers.
std::string as_written(const Paragraph& paragraph) {
  std::string all;
  for (const Piece& piece : paragraph.pieces) {
    all += piece.kind == Piece::Kind::live ? "{" + piece.text + "}" : piece.text;
  }
  return all;
}

std::string name_of(const fs::path& file) { return core::printable(file.filename().string(), 200); }

// CSV as RFC 4180 has it --------------------------------------------------------------------------

std::string in_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? std::string("\"\"") : std::string(1, c);
  return all + "\"";
}

std::string csv_of(const std::vector<Record>& records) {
  std::string all = fmt::format("{}\n", fmt::join(kFields, ","));
  for (const Record& one : records) {
    all += fmt::format("{},{},{},{},{},{},{},{}\n", in_cell(one.name), in_cell(one.lesson),
                       one.stop, in_cell(one.title), in_cell(one.question), in_cell(one.answer),
                       one.right, in_cell(one.time));
  }
  return all;
}

using Cells = std::vector<std::string>;

std::vector<Cells> rows_of_csv(std::string_view text) {
  std::vector<Cells> rows;
  Cells row;
  std::string cell;
  bool quoted = false, any = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    any = true;
    if (quoted) {
      const bool doubled = c == '"' && k + 1 < text.size() && text[k + 1] == '"';
      if (doubled) ++k;
      c != '"' || doubled ? void(cell += c) : void(quoted = false);
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.push_back(std::exchange(cell, {}));
    } else if (c == '\n') {
      row.push_back(std::exchange(cell, {}));
      rows.push_back(std::exchange(row, {}));
      any = false;
    } else if (c != '\r') {
      cell += c;
    }
  }
  if (any) row.push_back(cell), rows.push_back(row);
  return rows;
}

[[noreturn]] void refuse_file(const fs::path& file) {
  words::refuse<core::InputError>(
      N_("{}: expected answers to a lesson as attnscope writes them (name, lesson, stop, title, "
         "question, answer, right, time), got something else"),
      name_of(file));
}

Record record_of(const Cells& row, const fs::path& file) {
  if (row.size() != kFields.size()) refuse_file(file);
  const auto stop = param::whole<std::size_t>(row[2]);
  if (!stop || *stop == 0 || (row[6] != "true" && row[6] != "false")) refuse_file(file);
  return {row[0], row[1], *stop, row[3], row[4], row[5], row[6] == "true", row[7]};
}

std::vector<Record> from_csv(std::string_view text, const fs::path& file) {
  constexpr std::string_view kMarkOfOrder = "\xef\xbb\xbf";
  if (text.starts_with(kMarkOfOrder)) text.remove_prefix(kMarkOfOrder.size());
  const std::vector<Cells> rows = rows_of_csv(text);
  if (rows.empty() || !std::ranges::equal(rows.front(), kFields)) refuse_file(file);
  std::vector<Record> all;
  for (std::size_t k = 1; k < rows.size(); ++k) all.push_back(record_of(rows[k], file));
  return all;
}

// JSON -------------------------------------------------------------------------------------------

std::string json_of(const std::vector<Record>& records) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Record& one : records) {
    all.push_back({{"name", one.name},
                   {"lesson", one.lesson},
                   {"stop", one.stop},
                   {"title", one.title},
                   {"question", one.question},
                   {"answer", one.answer},
                   {"right", one.right},
                   {"time", one.time}});
  }
  return all.dump(1) + "\n";
}

std::vector<Record> from_json(const std::string& text, const fs::path& file) {
  if (!core::json_fault(text).empty()) refuse_file(file);
  std::vector<Record> all;
  try {
    for (const auto& one : nlohmann::json::parse(text)) {
      Cells row;
      for (const char* column : kFields) {
        const auto& value = one.at(column);
        row.push_back(value.is_string() ? value.get<std::string>() : value.dump());
      }
      all.push_back(record_of(row, file));
    }
  } catch (const nlohmann::json::exception&) {
    refuse_file(file);
  }
  return all;
}

}  // namespace

std::string words_of(const Question& question, const Answer& answer, const Sight& sight,
                     const words::Words& words) {
  if (answer.empty()) return {};
  if (!answer.elements.empty()) return places_text(question, answer.elements, sight, words);
  if (answer.curve.empty()) return answer_text(question, answer, sight, words);
  const auto about = asked_about(question);
  const figure::Plot* plot = about ? find_plot(*sight.page, about->id) : nullptr;
  const std::string shape =
      plot && answer.curve.size() > 1 ? drawn_shape(answer.curve, plot->y) : std::string();
  if (shape == "flat") return words(N_("a level curve"));
  if (shape == "rising") return words(N_("a rising curve"));
  return shape == "falling" ? words(N_("a falling curve")) : words(N_("a curve"));
}

Tally tally_of(const Lesson& lesson, const Place& place) {
  Tally all;
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    if (!lesson.stops[k].question) continue;
    ++all.asked;
    const auto said = place.said.find(k);
    if (said == place.said.end()) continue;
    if (said->second.right) {
      ++all.right;
    } else if (said->second.since) {
      ++all.since;
    } else if (said->second.words.empty()) {
      ++all.shown;
    } else {
      all.wrong.push_back(k);
    }
  }
  return all;
}

bool all_wrong(const Lesson& lesson, const Place& place) {
  const Tally tally = tally_of(lesson, place);
  return tally.right + tally.since == 0 && !tally.wrong.empty() &&
         tally.wrong.size() >= tally.shown;
}

std::vector<Record> records_of(const Lesson& lesson, const std::string& lesson_name,
                               const std::string& name, const Place& place) {
  std::vector<Record> all;
  for (const auto& [stop, said] : place.said) {
    if (stop >= lesson.stops.size() || !lesson.stops[stop].question) continue;
    const Stop& at = lesson.stops[stop];
    all.push_back({name, lesson_name, stop + 1, at.title, as_written(at.question->asked),
                   said.words, said.right, said.time});
  }
  return all;
}

void write_records(const std::vector<Record>& records, const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".csv" && ending != ".json") {
    words::refuse<core::InputError>(N_("expected a name that ends in .csv or .json, got \"{}\""),
                                    name_of(file));
  }
  sys::write_atomically(file, ending == ".csv" ? csv_of(records) : json_of(records));
}

std::vector<Record> read_records(const fs::path& file) {
  std::ifstream in;
  if (const words::Sentence reason = core::open_regular(file, in); !reason.empty()) {
    words::refuse<core::InputError>(N_("cannot read {}: {}"), core::printable(file.string(), 400),
                                    reason);
  }
  std::ostringstream text;
  text << in.rdbuf();
  return file.extension() == ".json" ? from_json(text.str(), file) : from_csv(text.str(), file);
}

std::vector<Record> read_class(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string ending = at->path().extension().string();
    if (ending == ".csv" || ending == ".json") files.push_back(at->path());
  }
  if (error || files.empty()) {
    words::refuse<core::InputError>(
        N_("--collect: expected a folder with files of answers (.csv, .json), got {}"),
        core::printable(folder.string(), 400));
  }
  std::ranges::sort(files);
  std::vector<Record> all;
  for (const fs::path& file : files) {
    std::vector<Record> read = read_records(file);
    // Who gave no name is told apart by the file.
    for (Record& one : read) {
      if (one.name.empty()) one.name = file.stem().string();
    }
    all.insert(all.end(), read.begin(), read.end());
  }
  return all;
}

}  // namespace lesson
