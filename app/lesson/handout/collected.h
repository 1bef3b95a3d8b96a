// One page of a class's answers: at each question how many chose what, with the figure.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lesson/answers.h"
#include "app/lesson/text/check.h"
#include "app/paper/file/inputs.h"

namespace lesson {

// The answers to one question, those that most gave first; of options all, in the lesson's order.
struct Chosen {
  std::string answer;
  std::size_t count = 0;
  bool right = false;
};
std::vector<Chosen> chosen_at(const Lesson& lesson, std::size_t stop,
                              const std::vector<Record>& records, const Sight& sight,
                              const words::Words& words);

// As a handout is written (.pdf, .html, .md). `name`: of the lesson, as the records have it; those
// of other lessons are refused. Throws as write_handout does.
std::vector<std::filesystem::path> write_collected(const Lesson& lesson, const std::string& name,
                                                   const std::vector<Record>& records,
                                                   const PageOf& page_of, words::Language language,
                                                   const std::filesystem::path& out,
                                                   const paper::Inputs& inputs = {});

}  // namespace lesson
