#include "app/sweep/gif.h"

#include <cgif.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <stdexcept>

#include "core/io/deflate.h"
#include "core/refuse.h"

namespace sweep {
namespace {

constexpr std::size_t kColors = 255;  // and one for what is as it was before

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

std::string deflated_pixels(const std::vector<std::uint8_t>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string out = core::deflated(text, core::Effort::least);
  out.shrink_to_fit();
  return out;
}

paper::Pixels inflated_pixels(const std::string& bytes, int width, int height) {
  const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
  std::string text;
  if (core::inflate(bytes, size, text) != core::Inflated::whole) {
    throw std::logic_error("a frame of this film is not what was kept of it");
  }
  return {width, height, {text.begin(), text.end()}};
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

// What the library writes goes to the file; its last byte, the trailer, waits for what it has no
// word for: a comment.
class Writer {
 public:
  Writer(sys::AtomicFile& file, int width, int height, const std::vector<Color>& palette,
         bool forever)
      : file_(file) {
    std::vector<std::uint8_t> table;
    for (const Color& color : palette) table.insert(table.end(), color.begin(), color.end());
    CGIF_Config config{};
    config.pGlobalPalette = table.data();
    config.numGlobalPaletteEntries = static_cast<std::uint16_t>(palette.size());
    config.attrFlags = CGIF_ATTR_IS_ANIMATED;
    if (!forever) config.attrFlags |= CGIF_ATTR_NO_LOOP;
    config.width = static_cast<std::uint16_t>(width);
    config.height = static_cast<std::uint16_t>(height);
    config.pWriteFn = written;
    config.pContext = this;
    gif_ = cgif_newgif(&config);
    if (!gif_) throw std::bad_alloc();
  }
  ~Writer() {
    if (!gif_) return;
    given_up_ = true;
    cgif_close(gif_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void add(std::vector<std::uint8_t>& indices, long hundredths) {
    CGIF_FrameConfig frame{};
    frame.pImageData = indices.data();
    frame.genFlags = CGIF_FRAME_GEN_USE_TRANSPARENCY | CGIF_FRAME_GEN_USE_DIFF_WINDOW;
    frame.delay = static_cast<std::uint16_t>(std::clamp(hundredths, 1L, 65535L));
    require(cgif_addframe(gif_, &frame));
  }
  void end(const std::string& comment) {
    require(cgif_close(std::exchange(gif_, nullptr)));
    if (!comment.empty()) file_.write("\x21\xfe" + in_blocks(comment));
    file_.write(held_);
  }

 private:
  // Called by C, through which no exception may pass.
  static int written(void* self, const std::uint8_t* bytes, std::size_t size) {
    Writer& writer = *static_cast<Writer*>(self);
    if (writer.given_up_) return 0;
    try {
      writer.held_.append(reinterpret_cast<const char*>(bytes), size);
      writer.file_.write(std::string_view(writer.held_).substr(0, writer.held_.size() - 1));
      writer.held_.erase(0, writer.held_.size() - 1);
      return 0;
    } catch (...) {
      writer.error_ = std::current_exception();
      return 1;
    }
  }
  void require(int result) {
    if (error_) std::rethrow_exception(error_);
    if (result == CGIF_EALLOC) throw std::bad_alloc();
    if (result != CGIF_OK) core::refuse("writing a GIF", "frames of one size", "others");
  }

  sys::AtomicFile& file_;
  CGIF* gif_ = nullptr;
  std::string held_;
  std::exception_ptr error_;
  bool given_up_ = false;
};

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
  frames_.push_back({deflated_pixels(frame.rgb), 1});
  last_ = frame;
}

void Gif::finish(const core::Cancel& cancel) {
  const std::vector<Color> palette = palette_of(seen_, kColors);
  Nearest nearest(palette);
  Writer writer(file_, width_, height_, palette, facts_.forever);
  std::vector<std::uint8_t> shown, now;
  double from = 0, until = 0;  // frames; each ends on the hundredth that is nearest to its time
  const auto hundredth = [&](double frames) { return std::lround(frames * 100 / facts_.fps); };
  const auto end_shown = [&] {
    if (!shown.empty()) writer.add(shown, hundredth(until) - hundredth(from));
    from = until;
  };
  for (const Kept& frame : frames_) {
    cancel.poll();
    const paper::Pixels pixels = inflated_pixels(frame.packed, width_, height_);
    now.clear();
    for (std::size_t at = 0; at < pixels.rgb.size(); at += 3) {
      now.push_back(nearest(pixels.rgb.data() + at));
    }
    if (now != shown) {
      end_shown();
      shown.swap(now);
    }
    until += frame.repeats;
  }
  end_shown();
  std::string comment = facts_.title;
  if (!facts_.comment.empty()) comment += (comment.empty() ? "" : "\n") + facts_.comment;
  writer.end(comment);
  cancel.poll();
  file_.commit();
}

}  // namespace sweep
