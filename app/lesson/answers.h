// What learners answered: words for it, files of it (CSV and JSON), and a class's files together.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lesson/progress.h"
#include "app/lesson/text/answer.h"

namespace lesson {

// An answer as the learner gave it: an option's words, "true", a number, places, the shape of a
// curve; empty: it was just shown.
std::string words_of(const Question& question, const Answer& answer, const Sight& sight,
                     const words::Words& words);

// How many questions there are, and how they were answered first.
struct Tally {
  std::size_t asked = 0, right = 0, shown = 0;
  std::size_t since = 0;           // right once they were asked again
  std::vector<std::size_t> wrong;  // stops, not right since either
};
Tally tally_of(const Lesson& lesson, const Place& place);
// Something was answered, at least as much as was only shown, and nothing rightly, at first or
// since.
bool all_wrong(const Lesson& lesson, const Place& place);

// One answer of one learner; stops count from 1.
struct Record {
  std::string name, lesson;
  std::size_t stop = 0;
  std::string title, question, answer;
  bool right = false;
  std::string time;
  bool operator==(const Record&) const = default;
};
// Records of what was answered; `lesson_name`: of the program's lesson, or a file's name.
std::vector<Record> records_of(const Lesson& lesson, const std::string& lesson_name,
                               const std::string& name, const Place& place);

// Written as .csv or .json, by the file's ending. Throws core::InputError for another ending, and
// sys::IoError.
void write_records(const std::vector<Record>& records, const std::filesystem::path& file);
// Throws core::InputError in one sentence where the file is something else.
std::vector<Record> read_records(const std::filesystem::path& file);
// Those of all .csv and .json files of a folder, in the order of their names. Throws as above, and
// where there is no such file.
std::vector<Record> read_class(const std::filesystem::path& folder);

}  // namespace lesson
