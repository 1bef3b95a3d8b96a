#include "app/labs/extrapolation/measured.h"

#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>

#include "app/labs/shared/shipped_file.h"
#include "core/enum_array.h"
#include "core/io/memory_bytes.h"
#include "core/position/frequency.h"
#include "core/task/language/language_file.h"
#include "core/tokenizer/tokenizer_file.h"

namespace lab::extrapolation {
namespace {

using core::task::LanguageModel;

constexpr const char* kFolder = "positions";
constexpr const char* kSeparator = "<|endoftext|>";
constexpr core::EnumArray<HeldOut> kHeldOut{{"bible", "definitions", "jargon", "devil"}};

core::task::ReadLanguage read_model(Reader reader, const core::Cancel& cancel) {
  const std::string file = std::string(reader_id(reader)) + ".safetensors";
  const auto bytes = std::make_shared<const std::string>(shipped_bytes(kFolder, file.c_str()));
  return core::task::read_language(std::make_shared<const core::MemoryBytes>(bytes),
                                   std::string(kFolder) + "/" + file, cancel);
}

std::vector<std::int32_t> stream_of(const core::subword::Tokenizer& tokenizer,
                                    const std::vector<std::string>& lines,
                                    const core::Cancel& cancel) {
  const std::int32_t separator = tokenizer.find(kSeparator).value();
  std::vector<std::int32_t> stream{separator};
  for (const std::string& line : lines) {
    const auto ids = tokenizer.encode(line, cancel).ids;
    stream.insert(stream.end(), ids.begin(), ids.end());
    stream.push_back(separator);
  }
  return stream;
}

// By HeldOut.
std::vector<std::vector<std::string>> held_out_lines() {
  constexpr const char* kFile = "held_out.json";
  try {
    const auto held = nlohmann::json::parse(shipped_bytes(kFolder, kFile));
    std::vector<std::vector<std::string>> all;
    for (const std::string_view name : kHeldOut) {
      all.push_back(held.at(std::string(name)).get<std::vector<std::string>>());
    }
    return all;
  } catch (const nlohmann::json::exception&) {
    words::refuse<core::InputError>(
        N_("{}/{}: expected texts by the name of where they are from, got something else"), kFolder,
        kFile);
  }
}

// All models are of one form but for their positions: what one has read, all have.
void require_one_form(const Shipped& shipped) {
  const core::task::LanguageForm& first = shipped.models.front().form;
  for (const LanguageModel& model : shipped.models) {
    core::task::LanguageForm form = model.form;
    form.scheme = first.scheme;
    if (form == first && form.context == kTrainedTokens) continue;
    words::refuse<core::InputError>(
        N_("expected six models of one form, trained on {} tokens, in {}, got others"),
        kTrainedTokens, kFolder);
  }
}

Shipped open_shipped(const Run& run) {
  Shipped shipped;
  const std::string tokenizer = shipped_bytes(kFolder, "tokenizer.json");
  shipped.tokenizer = std::make_shared<const core::subword::Tokenizer>(
      core::subword::parse_tokenizer(tokenizer, std::string(kFolder) + "/tokenizer.json"));
  for (int k = 0; k < kSchemesRead; ++k) {
    run.cancel.poll();
    auto read = read_model(static_cast<Reader>(k), run.cancel);
    shipped.models.push_back(std::move(read.model));
    shipped.values.push_back(std::move(read.values));
  }
  require_one_form(shipped);
  for (const auto& lines : held_out_lines()) {
    shipped.streams.push_back(stream_of(*shipped.tokenizer, lines, run.cancel));
  }
  return shipped;
}

Texts choose_texts(const std::shared_ptr<const Shipped>& shipped, HeldOut held_out, int times,
                   int texts, const Run& /*run*/) {
  Texts chosen{shipped, held_out, times * shipped->trained(), {}};
  chosen.begins = core::task::spread_texts(to_index(chosen.stream().size()), chosen.length, texts);
  return chosen;
}

// --- reading

const LanguageModel& model_of(const Shipped& shipped, Reader reader) {
  return shipped.models[to_size(is_scaled(reader) ? Reader::rotary : reader)];
}
const float* values_of(const Shipped& shipped, Reader reader) {
  return shipped.values[to_size(is_scaled(reader) ? Reader::rotary : reader)].data();
}

// The model for texts of `length`, of which it is `s` times the trained one.
LanguageModel model_for(const Shipped& shipped, Reader reader, const Parameters& p, Index length,
                        double s) {
  LanguageModel model = core::task::at_length(model_of(shipped, reader), length);
  if (!is_scaled(reader)) return model;
  const Index d = model.positions.width;
  const double base = model.form.base, trained = to_double(shipped.trained());
  const core::RotaryScaling scaling =
      scaling_of(p, {.d = d, .base = base, .trained_length = trained, .s = s});
  const auto turn_to = [&](const VectorD& theta, double factor = 1) {
    core::task::turn_by(model, theta, factor);
  };
  switch (reader) {
    case Reader::interpolation: turn_to(core::interpolated_frequencies(d, base, s)); break;
    case Reader::ntk: turn_to(core::frequencies(d, core::ntk_aware_base(d, base, s))); break;
    case Reader::dynamic:
      turn_to(core::frequencies(
          d, core::dynamic_ntk_base(d, base, s, trained, to_double(length), p.dynamic)));
      break;
    default:
      turn_to(p.yarn == YarnForm::paper ? core::yarn_paper(scaling).frequencies
                                        : core::yarn_code(scaling).frequencies,
              attention_factor_of(p, s));
  }
  return model;
}

// The whole text in one pass; with dynamic NTK, whose base follows the length, a pass for each
// multiple of the trained length, of which the newest tokens count.
core::task::LengthLosses read_whole(const Texts& texts, Reader reader, const Parameters& p,
                                    const Run& run) {
  const Shipped& shipped = *texts.shipped;
  const Index trained = shipped.trained(), n = texts.length;
  const double s = to_double(n) / to_double(trained);
  const auto read = [&](Index length) {
    return core::task::length_losses(model_for(shipped, reader, p, length, s),
                                     values_of(shipped, reader), texts.at(0), length, run.threads,
                                     run.cancel.without_progress());
  };
  if (reader == Reader::learned) return read(std::min(n, trained));
  if (reader != Reader::dynamic) return read(n);
  const Index count = to_index(texts.begins.size());
  core::task::LengthLosses all{MatrixD(count, n), Matrix(count, n)};
  for (Index length = trained; length <= n; length += trained) {
    const auto part = read(length);
    all.loss.middleCols(length - trained, trained) = part.loss.rightCols(trained);
    all.logit.middleCols(length - trained, trained) = part.logit.rightCols(trained);
  }
  return all;
}

// All that a reader's losses depend on.
struct LossKey {
  HeldOut held_out;
  int texts, times;
  Reader reader;
  core::DynamicNtk dynamic{};
  YarnForm yarn{};
  double alpha = 0, beta = 0, factor = 0;
  bool operator==(const LossKey&) const = default;

  static LossKey of(const Parameters& p, Reader reader) {
    LossKey key{p.held_out, p.texts, p.times, reader};
    if (reader == Reader::dynamic) key.dynamic = p.dynamic;
    if (reader == Reader::yarn) {
      key.yarn = p.yarn, key.alpha = p.alpha, key.beta = p.beta;
      key.factor = attention_factor_of(p, p.times);
    }
    return key;
  }
};

// Shipped models never change: what was measured is kept for the program's life, the newest.
class Known {
 public:
  std::shared_ptr<const ReaderLosses> find(const LossKey& key) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, losses] : all_) {
      if (known == key) return losses;
    }
    return nullptr;
  }
  void keep(const LossKey& key, std::shared_ptr<const ReaderLosses> losses) {
    constexpr std::size_t kMost = 60;
    const std::lock_guard lock(mutex_);
    all_.emplace_back(key, std::move(losses));
    if (all_.size() > kMost) all_.pop_front();
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<LossKey, std::shared_ptr<const ReaderLosses>>> all_;
};

std::shared_ptr<const ReaderLosses> losses_of(const Texts& texts, Reader reader,
                                              const Parameters& p, const Run& run) {
  static Known known;
  const LossKey key = LossKey::of(p, reader);
  if (auto found = known.find(key)) return found;
  auto losses = std::make_shared<const ReaderLosses>(read_texts(texts, reader, p, run));
  known.keep(key, losses);
  return losses;
}

}  // namespace

std::string_view reader_id(Reader reader) {
  static constexpr core::EnumArray<Reader> kIds{{"sinusoidal", "learned", "t5", "alibi", "rotary",
                                                 "none", "interpolation", "ntk", "dynamic",
                                                 "yarn"}};
  return kIds[reader];
}

std::vector<const std::int32_t*> Texts::at(Index place) const {
  std::vector<const std::int32_t*> all;
  for (const Index begin : begins) all.push_back(stream().data() + begin + place);
  return all;
}

double ReaderLosses::mean(Index first, Index count) const {
  if (first < 0 || count < 1 || first + count > length() || whole.loss.rows() == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return whole.loss.middleCols(first, count).mean();
}

double ReaderLosses::excess(Index of_length) const {
  if (last.size() == 0) return std::numeric_limits<double>::quiet_NaN();
  return mean(of_length - last.cols(), last.cols()) - last.mean();
}

double Measured::at_times(Reader reader, Index times) const {
  const ReaderLosses* losses = by(reader);
  const Index half = trained() / 2;
  return losses ? losses->mean(times * trained() - half, half)
                : std::numeric_limits<double>::quiet_NaN();
}

bool is_read(const Parameters& p, Reader reader) {
  if (p.readers == Readers::schemes) return !is_scaled(reader);
  return p.readers == Readers::all || is_scaled(reader) || reader == Reader::rotary;
}

ReaderLosses read_texts(const Texts& texts, Reader reader, const Parameters& p, const Run& run) {
  ReaderLosses losses{read_whole(texts, reader, p, run), {}};
  const Shipped& shipped = *texts.shipped;
  if (reader == Reader::learned) return losses;
  const Index trained = shipped.trained();
  losses.last = core::task::length_losses(model_of(shipped, reader), values_of(shipped, reader),
                                          texts.at(texts.length - trained), trained, run.threads,
                                          run.cancel.without_progress())
                    .loss.rightCols(trained / 2);
  return losses;
}

Measured measure(const Parameters& p, const Context& context,
                 const std::function<void(const Measured&)>& report) {
  Measured measured;
  const auto shipped = context.stage("shipped", open_shipped);
  measured.texts = context.stage("texts", choose_texts, shipped, p.held_out, p.times, p.texts);
  for (int k = 0; k < kReaders; ++k) measured.wanted += is_read(p, static_cast<Reader>(k));
  for (int k = 0; k < kReaders; ++k) {
    const auto reader = static_cast<Reader>(k);
    if (!is_read(p, reader)) continue;
    context.cancel.poll();
    context.cancel.progress(to_float(measured.done) / to_float(measured.wanted));
    measured.of[to_size(k)] =
        losses_of(*measured.texts, reader, p, {context.cancel, context.threads});
    if (++measured.done < measured.wanted) report(measured);
  }
  return measured;
}

}  // namespace lab::extrapolation
