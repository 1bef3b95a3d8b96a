// One line for every lab, setting and language: what each part of the page hashes to. Equal before
// and after a change, the change altered nothing that a person can see.
//   page_digest [--what LAB] [--values | --redo]
// --values: everything in words and numbers instead. --redo: instead the printed results that do
// not follow from the printed numbers before them.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "arithmetic/equations.h"
#include "programs/page_dump.h"
#include "settings.h"

namespace {

using namespace contract;

struct Options {
  std::string what;  // empty: every lab
  bool values = false, redo = false;
};

Options read_options(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string_view argument = arguments[k];
    if (argument == "--values") {
      options.values = true;
    } else if (argument == "--redo") {
      options.redo = true;
    } else if (argument == "--what" && k + 1 < count) {
      options.what = lab::find(arguments[++k]).id;
    } else {
      throw core::InputError("expected --values, --redo or --what LAB, not " +
                             std::string(argument));
    }
  }
  return options;
}

std::uint64_t texts_hash(const Page& page) {
  Page rest;
  rest.formula = page.formula;
  rest.cards = page.cards;
  rest.notes = page.notes;
  rest.status = page.status;
  return PageHash().of(rest);
}

void print_page(const std::string& name, const Page& page, bool values) {
  if (values) {
    std::fputs(dump(page, name).c_str(), stdout);
    return;
  }
  fmt::print("{} {:016x} {:016x} {:016x} {:016x}\n", name, PageHash().of(page.figures),
             PageHash().of(page.readouts), PageHash().of(page.explanation), texts_hash(page));
}

void print_lab(const Lab& lab, bool values) {
  static const words::Words languages[] = {words::Words(words::Language::en),
                                           words::Words(words::Language::zh_CN)};
  for (const Setting& setting : presets_and_random(lab)) {
    const auto state = lab.make();
    param::assign(state->describe(), setting.values);
    for (const words::Words& language : languages) {
      lab::Memo memo;
      const std::string name =
          fmt::format("{} {} {}", lab.id, setting.name, words::language_id(language.language()));
      print_page(name, state->compute({{}, language, memo, {}, 0}), values);
    }
  }
}

void print_redone(const Lab& lab) {
  std::size_t failing = 0, with_numbers = 0, taking_part = 0;
  for (const Setting& setting : presets_and_random(lab)) {
    const auto state = lab.make();
    param::assign(state->describe(), setting.values);
    const Audit audit = contract::audit(compute(*state).explanation);
    with_numbers += audit.with_numbers;
    taking_part += audit.taking_part;
    for (const auto& [line, check] : failing_lines(audit)) {
      ++failing;
      fmt::print("{} {} {}\n", lab.id, setting.name, describe(check));
    }
  }
  fmt::print("{}: {} lines fail; {} of {} lines with numbers were redone\n", lab.id, failing,
             taking_part, with_numbers);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = read_options(count, arguments);
    for (const Lab& lab : tried_labs()) {
      if (!options.what.empty() && options.what != lab.id) continue;
      options.redo ? print_redone(lab) : print_lab(lab, options.values);
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
