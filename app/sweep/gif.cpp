#include "app/sweep/gif.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

#include "app/sweep/changed.h"

namespace sweep {
namespace {

constexpr std::size_t kColors = 255;  // and one for what is as it was before
constexpr std::uint8_t kAsBefore = 255;
constexpr int kBits = 8;  // of an index
constexpr int kMostCodeBits = 12;
constexpr std::uint32_t kClear = 1u << kBits;

// Colours that one entry of the table will stand for.
struct Box {
  std::size_t begin = 0, end = 0;  // of the sorted colours
  double weight = 0;
  int axis = 0, range = 0;  // where it is widest
  double spread() const { return static_cast<double>(range) * weight; }
};

struct Counted {
  Color color;
  double weight;  // the root of how often: a thin line counts beside a large ground
};

Box measured(const std::vector<Counted>& all, std::size_t begin, std::size_t end) {
  Box box{begin, end, 0, 0, 0};
  for (std::size_t k = begin; k < end; ++k) box.weight += all[k].weight;
  for (int axis = 0; axis < 3; ++axis) {
    const auto part = [axis](const Counted& c) { return c.color[static_cast<std::size_t>(axis)]; };
    int lo = 255, hi = 0;
    for (std::size_t k = begin; k < end; ++k) {
      lo = std::min<int>(lo, part(all[k])), hi = std::max<int>(hi, part(all[k]));
    }
    if (hi - lo > box.range || axis == 0) box.range = hi - lo, box.axis = axis;
  }
  return box;
}

// Where half of the box's weight lies on either side, along its widest axis.
std::size_t median(std::vector<Counted>& all, const Box& box) {
  const auto axis = static_cast<std::size_t>(box.axis);
  const auto at = [&](std::size_t k) { return all.begin() + static_cast<std::ptrdiff_t>(k); };
  std::sort(at(box.begin), at(box.end), [axis](const Counted& a, const Counted& b) {
    return std::pair(a.color[axis], a.color) < std::pair(b.color[axis], b.color);
  });
  double passed = 0;
  for (std::size_t k = box.begin; k + 1 < box.end; ++k) {
    passed += all[k].weight;
    if (passed >= box.weight / 2) return k + 1;
  }
  return box.end - 1;
}

Color color_of(const std::vector<Counted>& all, const Box& box) {
  std::array<double, 3> sum{};
  for (std::size_t k = box.begin; k < box.end; ++k) {
    if (all[k].weight > box.weight / 2) return all[k].color;
    for (std::size_t part = 0; part < 3; ++part) sum[part] += all[k].weight * all[k].color[part];
  }
  Color mean;
  for (std::size_t part = 0; part < 3; ++part) {
    mean[part] = static_cast<std::uint8_t>(std::lround(sum[part] / box.weight));
  }
  return mean;
}

std::uint32_t packed(const std::uint8_t* rgb) {
  return static_cast<std::uint32_t>(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
}

// The entry of the table that is nearest to a colour; remembered.
class Nearest {
 public:
  explicit Nearest(const std::vector<Color>& palette) : palette_(palette) {}

  std::uint8_t operator()(const std::uint8_t* rgb) {
    const std::uint32_t color = packed(rgb);
    if (known_ && color == last_) return index_;
    const auto [at, fresh] = found_.try_emplace(color, std::uint8_t{0});
    if (fresh) at->second = search(rgb);
    known_ = true, last_ = color, index_ = at->second;
    return index_;
  }

 private:
  std::uint8_t search(const std::uint8_t* rgb) const {
    int best = 1 << 30;
    std::size_t found = 0;
    for (std::size_t k = 0; k < palette_.size(); ++k) {
      int distance = 0;
      for (std::size_t part = 0; part < 3; ++part) {
        const int d = palette_[k][part] - rgb[part];
        distance += d * d;
      }
      if (distance < best) best = distance, found = k;
    }
    return static_cast<std::uint8_t>(found);
  }

  const std::vector<Color>& palette_;
  std::unordered_map<std::uint32_t, std::uint8_t> found_;
  bool known_ = false;
  std::uint32_t last_ = 0;
  std::uint8_t index_ = 0;
};

std::string deflated(const std::vector<std::uint8_t>& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, bytes.data(), bytes.size(), 1) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  out.resize(size);
  out.shrink_to_fit();
  return out;
}

paper::Pixels inflated(const std::string& bytes, int width, int height) {
  paper::Pixels out{width, height, {}};
  out.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  uLongf size = out.rgb.size();
  if (uncompress(out.rgb.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                 bytes.size()) != Z_OK) {
    throw std::bad_alloc();
  }
  return out;
}

void put16(std::string& out, int value) {
  out += static_cast<char>(value & 255);
  out += static_cast<char>(value >> 8 & 255);
}

// Data in blocks of at most 255 bytes, each behind its size; the last is empty.
std::string in_blocks(const std::string& data) {
  constexpr std::size_t kBlock = 255;
  std::string out;
  for (std::size_t at = 0; at < data.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, data.size() - at);
    out += static_cast<char>(size);
    out.append(data, at, size);
  }
  return out + '\0';
}

// A frame: how long it stays, where it lies, its pixels. What is as it was before is left clear.
std::string frame_block(const paper::Pixels& before, const paper::Pixels& now, Nearest& nearest,
                        int hundredths) {
  Changed part = changed(before, now);
  if (part.width == 0) part = {0, 0, 1, 1};
  const bool first = before.rgb.empty();
  std::vector<std::uint8_t> indices;
  indices.reserve(static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height));
  for (int y = part.y; y < part.y + part.height; ++y) {
    for (int x = part.x; x < part.x + part.width; ++x) {
      const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(now.width) +
                       static_cast<std::size_t>(x)) *
                      3;
      const std::uint8_t* rgb = now.rgb.data() + at;
      const bool same = !first && packed(rgb) == packed(before.rgb.data() + at);
      indices.push_back(same ? kAsBefore : nearest(rgb));
    }
  }
  std::string out = "\x21\xf9\x04";  // graphic control: leave it standing, index 255 is clear
  out += static_cast<char>(1 << 2 | (first ? 0 : 1));
  put16(out, std::clamp(hundredths, 1, 65535));
  out += static_cast<char>(kAsBefore);
  out += '\0';
  out += '\x2c';
  for (const int value : {part.x, part.y, part.width, part.height}) put16(out, value);
  out += '\0';
  out += static_cast<char>(kBits);
  return out + in_blocks(lzw(indices, kBits));
}

}  // namespace

std::vector<Color> palette_of(const Histogram& seen, std::size_t most) {
  std::vector<Counted> all;
  for (const auto& [color, count] : seen) {
    all.push_back({{static_cast<std::uint8_t>(color >> 16), static_cast<std::uint8_t>(color >> 8),
                    static_cast<std::uint8_t>(color)},
                   std::sqrt(static_cast<double>(count))});
  }
  // A histogram has no order; the file is to be the same every time.
  std::sort(all.begin(), all.end(),
            [](const Counted& a, const Counted& b) { return a.color < b.color; });
  std::vector<Box> boxes;
  if (!all.empty()) boxes.push_back(measured(all, 0, all.size()));
  while (boxes.size() < most && boxes.size() < all.size()) {
    const auto widest =
        std::max_element(boxes.begin(), boxes.end(),
                         [](const Box& a, const Box& b) { return a.spread() < b.spread(); });
    if (widest->range == 0) break;
    const Box box = *widest;
    const std::size_t middle = median(all, box);
    *widest = measured(all, box.begin, middle);
    boxes.push_back(measured(all, middle, box.end));
  }
  std::vector<Color> palette;
  for (const Box& box : boxes) palette.push_back(color_of(all, box));
  return palette;
}

std::string lzw(const std::vector<std::uint8_t>& indices, int bits) {
  const std::uint32_t clear = 1u << bits, end = clear + 1;
  std::string out;
  std::uint32_t held = 0, next = end + 1;
  int holds = 0, code_bits = bits + 1;
  const auto put = [&](std::uint32_t code) {
    held |= code << holds;
    for (holds += code_bits; holds >= 8; holds -= 8, held >>= 8) {
      out += static_cast<char>(held & 255);
    }
  };
  // What follows code c with index i: at c * 256 + i; 0 is none.
  std::vector<std::uint16_t> follows(std::size_t{1} << (kMostCodeBits + 8), 0);
  put(clear);
  std::uint32_t prefix = end;  // none yet
  for (const std::uint8_t index : indices) {
    if (prefix == end) {
      prefix = index;
      continue;
    }
    std::uint16_t& known = follows[prefix * 256 + index];
    if (known != 0) {
      prefix = known;
      continue;
    }
    put(prefix);
    if (next == 1u << kMostCodeBits) {
      put(clear);
      std::fill(follows.begin(), follows.end(), std::uint16_t{0});
      next = end + 1, code_bits = bits + 1;
    } else {
      // The reader knows a code one later than the writer.
      if (next == 1u << code_bits) ++code_bits;
      known = static_cast<std::uint16_t>(next++);
    }
    prefix = index;
  }
  if (prefix != end) put(prefix);
  if (next == 1u << code_bits && code_bits < kMostCodeBits) ++code_bits;
  put(end);
  if (holds > 0) out += static_cast<char>(held & 255);
  return out;
}

void Gif::add(const paper::Pixels& frame, const core::Cancel&) {
  if (!frames_.empty() && frame == last_) {
    ++frames_.back().repeats;
    return;
  }
  width_ = frame.width, height_ = frame.height;
  for (std::size_t at = 0; at < frame.rgb.size();) {
    const std::uint32_t color = packed(frame.rgb.data() + at);
    std::uint64_t run = 0;
    for (; at < frame.rgb.size() && packed(frame.rgb.data() + at) == color; at += 3) ++run;
    seen_[color] += run;
  }
  frames_.push_back({deflated(frame.rgb), 1});
  last_ = frame;
}

std::string Gif::head(const std::vector<Color>& palette) const {
  std::string out = "GIF89a";
  put16(out, width_);
  put16(out, height_);
  out += '\xf7';  // a table of 256 colours, 8 bits each
  out += '\0';
  out += '\0';
  for (std::size_t k = 0; k < kClear; ++k) {
    const Color color = k < palette.size() ? palette[k] : Color{0, 0, 0};
    for (const std::uint8_t part : color) out += static_cast<char>(part);
  }
  if (facts_.forever) {
    out += "\x21\xff\x0bNETSCAPE2.0";
    out.append("\x03\x01\x00\x00\x00", 5);
  }
  std::string comment = facts_.title;
  if (!facts_.comment.empty()) comment += (comment.empty() ? "" : "\n") + facts_.comment;
  if (!comment.empty()) out += "\x21\xfe" + in_blocks(comment);
  return out;
}

void Gif::finish(const core::Cancel& cancel) {
  const std::vector<Color> palette = palette_of(seen_, kColors);
  Nearest nearest(palette);
  file_.write(head(palette));
  paper::Pixels before;
  double shown = 0;  // frames; each ends on the hundredth that is nearest to its time
  const auto hundredth = [&](double frames) { return std::lround(frames * 100 / facts_.fps); };
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    cancel.poll();
    paper::Pixels now = inflated(frames_[k].packed, width_, height_);
    const double until = shown + frames_[k].repeats;
    file_.write(
        frame_block(before, now, nearest, static_cast<int>(hundredth(until) - hundredth(shown))));
    shown = until;
    before = std::move(now);
  }
  file_.write("\x3b");
  cancel.poll();
  file_.commit();
}

}  // namespace sweep
