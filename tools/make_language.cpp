// Trains a language model from nothing on texts of Debian's packages, for ./dev models: cuts the
// texts into lines, learns byte pairs on those that are trained on, and then the model; or several
// models that differ in their positions alone. A training goes on where it was interrupted, and
// ends with the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/checkpoint/over_texts/comparison.h"
#include "core/io/large_file.h"
#include "core/task/language/language_corpus.h"
#include "core/task/language/language_file.h"
#include "core/tokenizer/tokenizer_file.h"
#include "core/tokenizer/written_tokenizer.h"

namespace {

namespace fs = std::filesystem;
using core::Index, core::NumberType, core::task::Lines, core::task::TokenText;
using Clock = std::chrono::steady_clock;

constexpr const char* kSeparator = "<|endoftext|>";

// --- what is learned

// Texts of one kind, out of files that `./dev language` lays in a folder.
struct Source {
  const char* name;
  const char* package;  // of Debian
  std::vector<const char*> files;
  Lines (*lines_of)(std::string_view text);
};

// Of a dictionary as dictd has it, which begins with where it comes from.
Lines paragraphs(std::string_view text) {
  constexpr std::size_t kFewest = 80;
  Lines lines = core::task::paragraph_lines(text, kFewest);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("00-database"); });
  return lines;
}

// Of all sayings the old ones, which are nobody's any more.
Lines classics(std::string_view text) {
  Lines lines = core::task::poem_lines(text);
  std::erase_if(lines, [](const std::string& line) {
    constexpr const char* kBooks[] = {"《詩經",     "《论语》",     "《道德经》",
                                      "《菜根谭》", "《增广贤文》", "《谚语》"};
    return std::none_of(std::begin(kBooks), std::end(kBooks),
                        [&](const char* book) { return line.starts_with(book); });
  });
  return lines;
}

struct Recipe {
  const char* name;
  std::vector<Source> sources;
  Index pieces;  // of the vocabulary, but for the separator
  core::task::LanguageForm form;
  core::task::LanguageOptions options;
  Index looks_every;         // steps
  std::vector<Index> keeps;  // steps after which the model is kept, to see how it became so
  // A model with each; none: one as the form says, in a published layout.
  std::vector<core::model::Scheme> schemes = {};
};

const std::vector<Recipe>& recipes() {
  using Kind = core::model::Schedule::Kind;
  using core::model::Scheme;
  static const std::vector<Source> english{
      {"definitions",
       "wordnet-base",
       {"data.noun", "data.verb", "data.adj", "data.adv"},
       core::task::wordnet_lines},
      {"bible", "bible-kjv", {"bible.txt"}, core::task::chapter_lines},
      {"jargon", "dict-jargon", {"jargon.txt"}, paragraphs},
      {"devil", "dict-devil", {"devil.txt"}, paragraphs}};
  static const std::vector<Recipe> all{
      {"english",
       english,
       4095,
       {.vocabulary = 4096, .layers = 4},
       {.schedule =
            {.kind = Kind::steady, .rate = 1.5e-3, .warmup = 100, .steps = 4500, .last = 0.01},
        .batch = 8,
        .seed = 7},
       200,
       {0, 50, 100, 200, 400, 800, 1600, 3200}},
      {"chinese",
       {{"poems", "fortunes-zh", {"tang300", "song100"}, core::task::poem_lines},
        {"classics", "fortunes-zh", {"chinese"}, classics}},
       3071,
       {.vocabulary = 3072,
        .width = 192,
        .layers = 4,
        .heads = 6,
        .feed_forward = 512,
        .context = 128,
        .dropout = 0.2},
       {.schedule =
            {.kind = Kind::steady, .rate = 1.5e-3, .warmup = 100, .steps = 1200, .last = 0.01},
        .batch = 16,
        .seed = 7},
       50,
       {0, 25, 50, 100, 200, 400, 800}},
      {"positions",
       english,
       1023,
       {.vocabulary = 1024,
        .width = 128,
        .layers = 4,
        .heads = 4,
        .feed_forward = 352,
        .context = 64,
        .buckets = 32,
        .farthest = 32},
       {.schedule =
            {.kind = Kind::steady, .rate = 3e-3, .warmup = 100, .steps = 1500, .last = 0.01},
        .batch = 16,
        .seed = 7},
       250,
       {},
       {Scheme::sinusoidal, Scheme::learned, Scheme::t5, Scheme::alibi, Scheme::rotary,
        Scheme::none}}};
  return all;
}

// --- files

// Empty where there is none.
std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whole or not at all: an interruption leaves what was there before.
void write(const fs::path& path, const std::string& bytes) {
  const fs::path fresh = path.string() + ".new";
  std::ofstream file(fresh, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw std::runtime_error(fresh.string() + ": could not be written");
  fs::rename(fresh, path);
}

void say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// --- texts

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

struct Held {
  std::string name;
  Lines lines;
  std::vector<TokenText> texts;
  Index bytes = 0;  // with line ends
};

struct Corpus {
  Lines train;
  std::vector<Held> held;
};

// What the sources have; of one whose files are not there it says so, and the rest goes on.
// What is learned and what is held out is written to `texts`, for others to be held against it.
Corpus read_corpus(const Recipe& recipe, const fs::path& folder, const fs::path& texts) {
  fs::create_directories(texts);
  Corpus corpus;
  for (const Source& source : recipe.sources) {
    Lines lines;
    for (const char* file : source.files) {
      const Lines more = source.lines_of(contents(folder / file));
      lines.insert(lines.end(), more.begin(), more.end());
    }
    if (lines.empty()) {
      say(
          fmt::format("{}: expected texts in {}, got none, as the package {} is not there; the "
                      "others are learned without them",
                      source.name, (folder / source.files.front()).string(), source.package));
      continue;
    }
    core::task::SplitLines parts = core::task::split(std::move(lines), recipe.options.seed);
    write(texts / fmt::format("{}-learned.txt", source.name), joined(parts.train));
    write(texts / fmt::format("{}-held.txt", source.name), joined(parts.held));
    Held held{source.name, std::move(parts.held), {}, 0};
    Index bytes = 0;
    for (const std::string& line : held.lines) held.bytes += std::ssize(line) + 1;
    for (const std::string& line : parts.train) bytes += std::ssize(line) + 1;
    say(fmt::format("{}: {} lines of {} bytes to learn, {} of {} bytes held out", source.name,
                    parts.train.size(), bytes, held.lines.size(), held.bytes));
    corpus.train.insert(corpus.train.end(), parts.train.begin(), parts.train.end());
    corpus.held.push_back(std::move(held));
  }
  if (corpus.train.empty()) {
    throw std::runtime_error(folder.string() + ": expected texts to learn from, got none");
  }
  return corpus;
}

std::vector<TokenText> tokens_of(const core::subword::Tokenizer& tokenizer, const Lines& lines) {
  std::vector<TokenText> texts;
  texts.reserve(lines.size());
  for (const std::string& line : lines) texts.push_back(tokenizer.encode(line).ids);
  return texts;
}

// Learned on the lines that are trained on, once.
core::subword::Tokenizer tokenizer_for(const Recipe& recipe, const Lines& lines,
                                       const fs::path& file) {
  const auto begin = Clock::now();
  const auto trained = core::subword::train_pairs(joined(lines), recipe.pieces);
  const std::string json = core::subword::tokenizer_json(trained, kSeparator);
  write(file, json);
  say(fmt::format("byte pairs: {} in {:.1f} s", trained.merges.size(),
                  std::chrono::duration<double>(Clock::now() - begin).count()));
  return core::subword::parse_tokenizer(json, file.string());
}

// --- training

class Training {
 public:
  Training(const Recipe& recipe, const fs::path& folder, const fs::path& corpora);
  // Until all steps, or `most` of them in this run, are done.
  void run(Index most);

 private:
  core::task::LanguageFit fit_of(const Corpus& corpus);
  void resume();
  void save();
  void look();
  void keep_if_wanted();
  void write_model(const fs::path& to, NumberType type) const;
  core::checkpoint::Comparison scores(const float* values, Index most) const;
  std::string held_out_sample() const;
  std::string held_out_by_source() const;

  Recipe recipe_;
  fs::path folder_, shared_;  // shared_: of all models of the recipe
  Corpus corpus_;
  core::subword::Tokenizer tokenizer_;
  std::int32_t separator_;
  std::vector<Index> bytes_of_;
  core::task::LanguageFit fit_;
  core::task::LanguageState state_;
  nlohmann::json about_ = {{"best", 1e9}, {"history", nlohmann::json::array()}};
  double loss_ = 0;  // of the steps since the last look
  Index since_ = 0;
};

Training::Training(const Recipe& recipe, const fs::path& folder, const fs::path& corpora)
    : recipe_(recipe),
      folder_(folder),
      shared_(recipe.schemes.empty() ? folder : folder.parent_path()),
      corpus_(read_corpus(recipe, corpora, shared_ / "texts")),
      tokenizer_(tokenizer_for(recipe, corpus_.train, shared_ / "tokenizer.json")),
      separator_(tokenizer_.find(kSeparator).value()),
      fit_(fit_of(corpus_)),
      state_(fit_.begin()) {
  for (Index id = 0; id < recipe.form.vocabulary; ++id) {
    bytes_of_.push_back(id == separator_ || id >= tokenizer_.end()
                            ? 1
                            : std::ssize(tokenizer_.bytes(static_cast<std::int32_t>(id))));
  }
  for (Held& held : corpus_.held) held.texts = tokens_of(tokenizer_, held.lines);
  say(fmt::format("{} parameters, {} tokens an epoch, {} steps of {}",
                  fit_.model().layout.learned(), fit_.text().tokens(),
                  recipe.options.schedule.steps, recipe.options.batch * recipe.form.context));
  resume();
}

core::task::LanguageFit Training::fit_of(const Corpus& corpus) {
  return {recipe_.form, recipe_.options,
          core::task::PackedText(tokens_of(tokenizer_, corpus.train), separator_,
                                 recipe_.form.context, recipe_.options.seed)};
}

void Training::resume() {
  const fs::path path = folder_ / "state.safetensors";
  if (!fs::exists(path)) return;
  auto read =
      core::task::read_state(fit_, std::make_shared<const core::LargeFile>(path), path.string());
  state_ = std::move(read.state);
  about_ = nlohmann::json::parse(read.about);
  say(fmt::format("goes on after step {}", state_.optimizer.steps()));
}

void Training::save() {
  write(folder_ / "state.safetensors", core::task::state_bytes(fit_, state_, about_.dump()));
  write(folder_ / "history.json", about_.dump(1));
}

void Training::write_model(const fs::path& to, NumberType type) const {
  fs::create_directories(to);
  write(to / "tokenizer.json", contents(shared_ / "tokenizer.json"));
  if (!recipe_.schemes.empty()) {
    write(to / fmt::format("{}.safetensors", core::model::scheme_id(recipe_.form.scheme)),
          core::task::language_bytes(fit_.model(), state_.values.data(), type));
    return;
  }
  write(to / "config.json", core::task::llama_config(recipe_.form, separator_, type));
  write(to / "model.safetensors",
        core::task::llama_bytes(fit_.model(), state_.values.data(), type));
}

// Bits a byte of what is held out of each source; of each at most so many windows, 0: all.
core::checkpoint::Comparison Training::scores(const float* values, Index most) const {
  core::checkpoint::Comparison found{
      .measured_by = "tools/make_language.cpp", .guessers = {{"model"}}, .sources = {}, .all = {}};
  for (const Held& held : corpus_.held) {
    const auto score =
        core::task::score(fit_.model(), values, held.texts, separator_, bytes_of_, most, 0);
    found.sources.push_back({held.name, held.bytes, {score.bits_per_byte()}});
  }
  found.all = found.mean();
  return found;
}

// The mean over all bytes, and each source's.
std::string told(const core::checkpoint::Comparison& found) {
  std::string text = fmt::format("{:.4f}:", found.all.bits.front());
  for (const auto& one : found.sources) {
    text += fmt::format(" {} {:.4f}", one.id, one.bits.front());
  }
  return text;
}

// Some of what is held out, to show what heads do on it: of each source as many texts, the first
// half of all.
std::string Training::held_out_sample() const {
  constexpr std::size_t kTexts = 32;
  nlohmann::json texts = nlohmann::json::array();
  for (std::size_t h = 0; h < corpus_.held.size(); ++h) {
    const std::size_t most = h == 0 ? kTexts / 2 : kTexts / 2 / (corpus_.held.size() - 1);
    const Lines& lines = corpus_.held[h].lines;
    for (std::size_t k = 0; k < std::min(most, lines.size()); ++k) texts.push_back(lines[k]);
  }
  return texts.dump(1) + "\n";
}

// So much of what is held out of each source as a measurement over long texts takes.
std::string Training::held_out_by_source() const {
  constexpr std::size_t kBytes = 64 << 10;
  nlohmann::json all;
  for (const Held& held : corpus_.held) {
    nlohmann::json& lines = all[held.name];
    std::size_t bytes = 0;
    for (const std::string& line : held.lines) {
      if (bytes >= kBytes) break;
      lines.push_back(line);
      bytes += line.size() + 1;
    }
  }
  return all.dump(1) + "\n";
}

void Training::look() {
  constexpr Index kWindows = 48;
  const auto found = scores(state_.values.data(), kWindows);
  const double mean = found.all.bits.front();
  const Index step = state_.optimizer.steps();
  const double loss = since_ > 0 ? loss_ / static_cast<double>(since_) : 0;
  about_["history"].push_back({{"step", step}, {"loss", loss}, {"bits", mean}});
  say(fmt::format("step {}: loss {:.4f}, gradient {:.3f}, held-out bits a byte {}", step, loss,
                  state_.gradient_norm, told(found)));
  loss_ = 0, since_ = 0;
  if (mean >= about_["best"].get<double>()) return;
  about_["best"] = mean;
  about_["best step"] = step;
  write_model(folder_ / "best", NumberType::bfloat16);
}

void Training::keep_if_wanted() {
  const Index step = state_.optimizer.steps();
  if (std::count(recipe_.keeps.begin(), recipe_.keeps.end(), step) == 0) return;
  write_model(folder_ / "kept" / fmt::format("step-{:06}", step), NumberType::bfloat16);
}

void Training::run(Index most) {
  constexpr auto kBetweenSaves = std::chrono::minutes(4), kBetweenLines = std::chrono::minutes(1);
  const Index last = recipe_.options.schedule.steps, from = state_.optimizer.steps();
  const Index end = most > 0 ? std::min(last, from + most) : last;
  if (from == 0) {
    keep_if_wanted();
    look();
  }
  auto saved = Clock::now(), told = saved;
  Index told_step = from;
  std::clock_t used_before = std::clock();
  while (state_.optimizer.steps() < end) {
    fit_.step(state_, 0);
    const Index step = state_.optimizer.steps();
    loss_ += state_.loss;
    ++since_;
    const auto now = Clock::now();
    if (now - told > kBetweenLines || step == end) {
      const double seconds = std::chrono::duration<double>(now - told).count();
      const double used = static_cast<double>(std::clock() - used_before) / CLOCKS_PER_SEC;
      const auto tokens =
          static_cast<double>((step - told_step) * recipe_.options.batch * recipe_.form.context);
      say(fmt::format(
          "step {} of {}: loss {:.4f}, {:.0f} tokens a second, {:.0f} a second of a core", step,
          last, state_.loss, tokens / seconds, tokens / used));
      told = now, told_step = step, used_before = std::clock();
    }
    keep_if_wanted();
    if (step % recipe_.looks_every == 0 || step == last) look();
    if (now - saved > kBetweenSaves || step == end) {
      save();
      saved = Clock::now();
    }
  }
  if (state_.optimizer.steps() < last) return;
  write_model(shared_ / "last", NumberType::bfloat16);
  write(shared_ / "last" / "held_out.json",
        recipe_.schemes.empty() ? held_out_sample() : held_out_by_source());
  const auto found = scores(state_.values.data(), 0);
  say(fmt::format("all that is held out, bits a byte: {}", told(found)));
  // The others are added by tests/bench/compressor_bench.py.
  if (recipe_.schemes.empty()) {
    write(shared_ / "last" / "comparison.json", core::checkpoint::comparison_json(found));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const auto recipe = std::find_if(recipes().begin(), recipes().end(),
                                   [&](const Recipe& one) { return one.name == wanted; });
  const std::string_view steps = argc > 4 ? argv[4] : "0";
  const bool counts = steps.find_first_not_of("0123456789") == std::string_view::npos &&
                      !steps.empty() && steps.size() < 10;
  if (argc < 4 || argc > 5 || recipe == recipes().end() || !counts) {
    std::fputs(
        "usage: make_language english | chinese | positions CORPORA FOLDER [STEPS OF THIS RUN]\n",
        stderr);
    return 2;
  }
  try {
    const Index most = std::stoll(std::string(steps));
    const fs::path folder = argv[3];
    fs::create_directories(folder);
    if (recipe->schemes.empty()) Training(*recipe, folder, argv[2]).run(most);
    for (const core::model::Scheme scheme : recipe->schemes) {
      Recipe one = *recipe;
      one.form.scheme = scheme;
      const fs::path own = folder / core::model::scheme_id(scheme);
      fs::create_directories(own);
      say(fmt::format("positions: {}", core::model::scheme_id(scheme)));
      Training(one, own, argv[2]).run(most);
    }
  } catch (const std::exception& fault) {
    fmt::print(stderr, "make_language: {}\n", fault.what());
    return 1;
  }
}
