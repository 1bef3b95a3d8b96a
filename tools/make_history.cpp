// What the heads of a language model did at each step that its training kept: writes history.json
// beside the model, for ./dev models.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/checkpoint/over_texts/score_history.h"
#include "core/tokenizer/tokenizer_file.h"

namespace {

namespace fs = std::filesystem;
namespace published = core::checkpoint;
using core::Index;
using Texts = std::vector<published::TokenText>;

// As the lab that shows them reads these texts.
constexpr Index kTextTokens = 48;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": expected a file, got none");
  return {std::istreambuf_iterator<char>(file), {}};
}

// "step-000400"; -1: another folder.
Index step_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  constexpr std::string_view kBegin = "step-";
  if (!name.starts_with(kBegin)) return -1;
  const std::string digits = name.substr(kBegin.size());
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return -1;
  return std::stol(digits);
}

published::ScoreHistory::Step measure(const fs::path& model, const Texts& texts,
                                      const core::subword::Tokenizer& tokenizer) {
  const auto opened = published::open_model(model);
  published::ScoreHistory::Step step;
  step.heads = published::text_scores(*opened, tokenizer, texts).means;
  const auto loss = published::text_loss(*opened, texts);
  step.bits = published::bits_per_byte(loss, texts, tokenizer);
  for (const auto& text : texts) {
    const Texts one{text};
    step.of_texts.push_back(
        published::bits_per_byte(published::text_loss(*opened, one), one, tokenizer));
  }
  return step;
}

void run(const fs::path& training, const fs::path& model, Index tokens_a_step) {
  const auto told = nlohmann::json::parse(contents(training / "history.json")).at("history");
  const auto tokenizer = core::subword::read_tokenizer(model / "tokenizer.json", {}, {});
  const Texts texts = published::token_texts(
      tokenizer,
      nlohmann::json::parse(contents(model / "held_out.json")).get<std::vector<std::string>>(),
      kTextTokens);
  std::vector<std::pair<Index, fs::path>> kept;
  for (const auto& entry : fs::directory_iterator(training / "kept")) {
    if (const Index step = step_of(entry.path()); step >= 0) kept.emplace_back(step, entry.path());
  }
  std::sort(kept.begin(), kept.end());
  kept.emplace_back(told.back().at("step").get<Index>(), model);
  published::ScoreHistory history{static_cast<Index>(texts.size()), kTextTokens, {}};
  for (const auto& [step, folder] : kept) {
    auto one = measure(folder, texts, tokenizer);
    one.step = step;
    one.tokens = step * tokens_a_step;
    for (const auto& look : told) {
      if (look.at("step") == step) one.training = look.at("bits").get<double>();
    }
    fmt::print("step {}: {:.4f} bits a byte of {} texts\n", step, one.bits, texts.size());
    std::fflush(stdout);
    history.steps.push_back(std::move(one));
  }
  const fs::path fresh = model / "history.json.new";
  std::ofstream file(fresh, std::ios::binary);
  file << published::history_json(history);
  file.close();
  if (!file) throw std::runtime_error(fresh.string() + ": could not be written");
  fs::rename(fresh, model / "history.json");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view tokens = argc > 3 ? argv[3] : "";
  const bool counts = !tokens.empty() && tokens.size() < 10 &&
                      tokens.find_first_not_of("0123456789") == std::string_view::npos;
  if (argc != 4 || !counts) {
    std::fputs("usage: make_history FOLDER_OF_TRAINING FOLDER_OF_MODEL TOKENS_A_STEP\n", stderr);
    return 2;
  }
  try {
    run(argv[1], argv[2], std::stol(argv[3]));
  } catch (const std::exception& fault) {
    fmt::print(stderr, "make_history: {}\n", fault.what());
    return 1;
  }
}
