// The lessons that travel with the program, and those in files.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/session/link.h"

namespace lesson {

// Their names in the order of their labs, and in a lab's by their titles' order in assets.
const std::vector<std::string>& names();
bool exists(std::string_view name);
// Throws core::InputError naming those there are; Fault where its text is wrong.
const Lesson& shipped(const std::string& name, words::Language language);
// The names of those of one lab.
std::vector<std::string> of_lab(std::string_view lab);

// The four ways through the course: a route's own lessons in their order, and those that come after
// it as one likes.
struct Route {
  std::string_view id, title, about;
};
const std::vector<Route>& routes();
std::vector<std::string> of_route(std::string_view route);
std::vector<std::string> after_route(std::string_view route);

// The lesson of a link, in the link's language, else in the reader's. Throws core::InputError where
// there is none, no such stop, or where the stop is in another lab.
const Lesson& linked(const session::Link& link, words::Language language);

// Opens a lesson in a file; the files that it names are looked for from its folder, its scenes are
// checked. Throws Fault, or core::InputError when it cannot be read.
Lesson open(const std::filesystem::path& path);
// Whether a file's name says that it is a lesson.
bool is_lesson_file(const std::filesystem::path& path);

}  // namespace lesson
