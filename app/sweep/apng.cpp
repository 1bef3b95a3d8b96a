#include "app/sweep/apng.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "app/paper/file/session_carrier.h"
#include "app/sweep/changed.h"

namespace sweep {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

std::string big_endian(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
  return out;
}

std::string big_endian(int value) { return big_endian(static_cast<std::uint32_t>(value)); }

std::uint32_t read_number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes.substr(0, 4)) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

// A part of a frame, clear where it is as it was before.
std::string changed_png(const paper::Pixels& before, const paper::Pixels& now, const Changed& part,
                        const paper::PngTexts& texts) {
  const paper::Pixels cut = part_of(now, part);
  const paper::Pixels old = before.rgb.empty() ? paper::Pixels() : part_of(before, part);
  std::vector<std::uint8_t> rgba;
  rgba.reserve(cut.rgb.size() / 3 * 4);
  for (std::size_t k = 0; k + 2 < cut.rgb.size(); k += 3) {
    const auto at = cut.rgb.begin() + static_cast<std::ptrdiff_t>(k);
    const bool same = !old.rgb.empty() &&
                      std::equal(at, at + 3, old.rgb.begin() + static_cast<std::ptrdiff_t>(k));
    rgba.insert(rgba.end(), at, at + 3);
    rgba.push_back(same ? 0 : 255);
  }
  return paper::encode_png(part.width, part.height, rgba.data(), texts, true);
}

std::string data_of(const std::vector<Chunk>& chunks) {
  std::string all;
  for (const Chunk& chunk : chunks) {
    if (chunk.type == "IDAT") all += chunk.data;
  }
  return all;
}

}  // namespace

std::vector<Chunk> chunks_of(std::string_view png) {
  if (!png.starts_with(kSignature)) throw std::runtime_error("no PNG");
  std::vector<Chunk> all;
  for (std::size_t at = kSignature.size(); at + 12 <= png.size();) {
    const std::size_t size = read_number(png.substr(at));
    if (at + 12 + size > png.size()) throw std::runtime_error("a PNG that is cut off");
    all.push_back({std::string(png.substr(at + 4, 4)), std::string(png.substr(at + 8, size))});
    at += 12 + size;
  }
  return all;
}

std::string bytes_of(const Chunk& chunk) {
  const std::string checked = chunk.type + chunk.data;
  const auto sum = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())));
  return big_endian(static_cast<std::uint32_t>(chunk.data.size())) + checked + big_endian(sum);
}

std::string png_of(const paper::Pixels& pixels, const paper::PngTexts& texts) {
  std::vector<std::uint8_t> rgba;
  rgba.reserve(pixels.rgb.size() / 3 * 4);
  for (std::size_t k = 0; k + 2 < pixels.rgb.size(); k += 3) {
    for (std::size_t part = 0; part < 3; ++part) rgba.push_back(pixels.rgb[k + part]);
    rgba.push_back(255);
  }
  return paper::encode_png(pixels.width, pixels.height, rgba.data(), texts);
}

paper::PngTexts texts_of(const FilmFacts& facts) {
  paper::PngTexts texts = {{"Title", facts.title}, {"Software", "attnscope"}};
  if (!facts.comment.empty()) texts.emplace_back("Description", facts.comment);
  if (!facts.session.empty()) texts.emplace_back(paper::kSessionKey, facts.session);
  return texts;
}

void Apng::add(const paper::Pixels& frame, const core::Cancel&) {
  const Changed part = changed(last_, frame);
  if (part.width == 0) {
    ++frames_.back().repeats;
    return;
  }
  const paper::PngTexts texts = frames_.empty() ? texts_of(facts_) : paper::PngTexts();
  const std::vector<Chunk> chunks = chunks_of(changed_png(last_, frame, part, texts));
  for (const Chunk& chunk : chunks) {
    if (!frames_.empty() || chunk.type == "IDAT") break;
    head_.push_back(chunk);
  }
  frames_.push_back({part.x, part.y, part.width, part.height, data_of(chunks), 1});
  last_ = frame;
}

// fcTL, less its number in the sequence. Times are in thousandths, each ending on the one that is
// nearest.
std::string Apng::control(const Frame& frame, int shown) const {
  const auto thousandth = [&](int frames) { return std::lround(frames * 1000 / facts_.fps); };
  const long time = thousandth(shown + frame.repeats) - thousandth(shown);
  // So long a rest is given in seconds: the field has 16 bits.
  const bool long_rest = time > 65535;
  const auto delay = static_cast<std::uint32_t>(long_rest ? std::min(time / 1000, 65535l) : time);
  std::string out;
  for (const int value : {frame.width, frame.height, frame.x, frame.y}) out += big_endian(value);
  out += big_endian(delay << 16 | (long_rest ? 1u : 1000u));
  return out + '\0' + '\1';  // what it shows is left standing, and lies over what was there
}

void Apng::finish(const core::Cancel& cancel) {
  file_.write(kSignature);
  for (std::size_t k = 0; k < head_.size(); ++k) {
    file_.write(bytes_of(head_[k]));
    if (k > 0) continue;  // behind IHDR
    file_.write(bytes_of({"acTL", big_endian(static_cast<int>(frames_.size())) +
                                      big_endian(facts_.forever ? 0 : 1)}));
  }
  int number = 0, shown = 0;
  for (const Frame& frame : frames_) {
    cancel.poll();
    const bool first = number == 0;
    file_.write(bytes_of({"fcTL", big_endian(number++) + control(frame, shown)}));
    file_.write(first ? bytes_of({"IDAT", frame.data})
                      : bytes_of({"fdAT", big_endian(number++) + frame.data}));
    shown += frame.repeats;
  }
  file_.write(bytes_of({"IEND", ""}));
  cancel.poll();
  file_.commit();
}

}  // namespace sweep
