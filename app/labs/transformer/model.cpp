#include "app/labs/transformer/model.h"

#include "app/labs/shared/parts.h"
#include "core/model/layer/cross_entropy.h"
#include "core/text/tokenize.h"

namespace lab::transformer {
namespace {

using core::model::Sequences;
using core::model::Tape;
using core::model::Trace;

// Tokens and their numbers; equal ones are one word of the vocabulary, whatever their text.
struct Numbering {
  Texts& texts;
  std::map<std::u32string, std::int32_t> ids = {};

  std::int32_t id(const core::Token& token) {
    const auto next = static_cast<std::int32_t>(texts.words.size());
    const auto [found, is_new] = ids.emplace(token.identity, next);
    if (is_new) texts.words.push_back(token.label);
    return found->second;
  }
  void read(const std::string& text, core::Unit unit, std::vector<std::int32_t>& to,
            std::vector<std::string>& names) {
    auto tokens = core::tokenize(text, unit, kMostTokens + 1);
    if (tokens.size() > kMostTokens) {
      texts.cut = true;
      tokens.pop_back();
    }
    for (const core::Token& token : tokens) {
      to.push_back(id(token));
      names.push_back(token.label);
    }
  }
};

Labels shared(std::vector<std::string> names) { return labels(std::move(names)); }

Texts read_texts(const std::string& source, const std::string& target, core::Unit unit,
                 const Run&) {
  Texts texts;
  texts.words = {"<start>", "<end>"};
  Numbering numbering{texts};
  std::vector<std::string> read, written = {"<start>"};
  numbering.read(source, unit, texts.source, read);
  texts.target = {kStart};
  numbering.read(target, unit, texts.target, written);
  texts.next.assign(texts.target.begin() + 1, texts.target.end());
  texts.next.push_back(kEnd);
  std::vector<std::string> next(written.begin() + 1, written.end());
  next.push_back("<end>");
  texts.source_names = shared(std::move(read));
  texts.target_names = shared(std::move(written));
  texts.next_names = shared(std::move(next));
  return texts;
}

// What has no gradient is left out.
std::shared_ptr<const Pass> slopes_of(const Pass& pass, std::vector<double> slopes) {
  Pass walked;
  walked.form = pass.form;
  walked.layout = pass.layout;
  walked.model = pass.model;
  walked.values = std::move(slopes);
  for (const auto& [name, one] : pass.trace) {
    if (one.gradients.empty()) continue;
    auto turned = one;
    std::swap(turned.values, turned.gradients);
    walked.trace.emplace(name, std::move(turned));
  }
  return std::make_shared<const Pass>(std::move(walked));
}

Pass run_pass(const std::shared_ptr<const Texts>& texts,
              const core::model::EncoderDecoderForm& form, int seed, bool backward,
              const Run& run) {
  Pass pass;
  pass.form = form;
  pass.model = core::model::EncoderDecoder::declare(core::model::Scope(pass.layout), form);
  pass.values = pass.layout.start<double>(static_cast<std::uint64_t>(seed));
  run.cancel.poll();
  const Sequences source{.length = texts->n()}, target{.length = texts->m()};
  Trace<double> trace;
  Tape<double> tape;
  std::vector<double> slopes(backward ? pass.values.size() : 0, 0.0);
  tape.begin(pass.values.data(), backward ? slopes.data() : nullptr, {.differentiates = backward},
             &trace);
  const auto memory = pass.model.encode(tape, texts->source.data(), source);
  run.cancel.poll();
  const auto logits = pass.model.decode(tape, memory, source, texts->target.data(), target);
  const auto loss =
      core::model::cross_entropy(tape, logits, texts->next.data(), to_double(texts->m()));
  pass.loss = *loss.value;
  run.cancel.poll();
  if (backward) tape.backward(loss);
  for (auto& one : trace.all()) {
    std::string name = one.name;
    pass.trace.emplace(std::move(name), std::move(one));
  }
  if (backward) pass.slopes = slopes_of(pass, std::move(slopes));
  return pass;
}

}  // namespace

core::model::EncoderDecoderForm form_of(const Parameters& p, Index vocabulary) {
  core::model::EncoderDecoderForm form;
  form.vocabulary = vocabulary;
  form.layer.d_model = p.d_model;
  form.layer.heads = p.head_count();
  form.layer.key_heads = p.key_heads == KeyHeads::all   ? form.layer.heads
                         : p.key_heads == KeyHeads::one ? 1
                                                        : std::max<Index>(1, form.layer.heads / 2);
  form.layer.feed_forward = {.width = p.d_ff, .function = p.activation};
  form.layer.norm_first = p.norm == NormPlace::before;
  form.layer.normed = p.norm != NormPlace::none;
  form.layer.residual = p.residual;
  form.encoder_layers = p.encoder_layers;
  form.decoder_layers = p.decoder_layers;
  form.positions.scheme = p.positions;
  form.positions.longest = kMostTokens + 1;
  form.scaled = p.scaled;
  return form;
}

MatrixD Pass::tokens(const std::string& name) const {
  const auto found = trace.find(name);
  if (found == trace.end()) core::refuse("pass", "the name of an activation", name);
  const auto& one = found->second;
  return Eigen::Map<const MatrixD>(one.values.data(), one.shape.at(1), one.shape.at(2));
}

MatrixD Pass::head(const std::string& name, Index head) const {
  const auto found = trace.find(name);
  if (found == trace.end()) return {};
  const auto& one = found->second;
  const Index cols = one.shape.back(), rows = one.shape.at(one.shape.size() - 2);
  return Eigen::Map<const MatrixD>(one.values.data() + head * rows * cols, rows, cols);
}

MatrixD Pass::parameter(const std::string& name) const {
  const core::model::Parameter* found = layout.find(name);
  if (!found) core::refuse("pass", "the name of a parameter", name);
  return Eigen::Map<const MatrixD>(values.data() + found->slot.offset, found->slot.rows,
                                   found->slot.cols);
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  model.texts = context.stage("texts", read_texts, p.source, p.target, p.unit);
  if (model.empty()) return model;
  const auto vocabulary = to_index(model.texts->words.size());
  model.pass =
      context.stage("pass", run_pass, model.texts, form_of(p, vocabulary), p.seed, p.backward);
  return model;
}

}  // namespace lab::transformer
