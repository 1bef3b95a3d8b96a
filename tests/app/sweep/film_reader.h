// Readers of GIF and APNG that share nothing with what writes them: frames as a viewer shows them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/paper/export_figure.h"

namespace film_reader {

struct Film {
  std::vector<paper::Pixels> frames;
  std::vector<double> seconds;  // each is shown
  bool forever = false;
  std::string comment;
  bool operator==(const Film&) const = default;
};

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Bytes {
 public:
  explicit Bytes(const std::string& text) : text_(text) {}
  int byte() {
    if (at_ >= text_.size()) throw std::runtime_error("cut off");
    return static_cast<std::uint8_t>(text_[at_++]);
  }
  int little() {
    const int low = byte();
    return low | byte() << 8;
  }
  std::uint32_t big() {
    std::uint32_t value = 0;
    for (int k = 0; k < 4; ++k) value = value << 8 | static_cast<std::uint32_t>(byte());
    return value;
  }
  std::string take(std::size_t count) {
    if (at_ + count > text_.size()) throw std::runtime_error("cut off");
    at_ += count;
    return text_.substr(at_ - count, count);
  }
  std::string blocks() {
    std::string all;
    for (int size = byte(); size > 0; size = byte()) all += take(static_cast<std::size_t>(size));
    return all;
  }
  bool done() const { return at_ >= text_.size(); }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

// A table of strings, as the format is explained, and not of links.
inline std::vector<std::uint8_t> unpacked(const std::string& data, int bits) {
  std::vector<std::uint8_t> out;
  const std::size_t clear = std::size_t{1} << bits;
  std::vector<std::vector<std::uint8_t>> table;
  std::vector<std::uint8_t> last;
  int code_bits = bits + 1;
  const auto reset = [&] {
    table.assign(clear + 2, {});
    for (std::size_t k = 0; k < clear; ++k) table[k] = {static_cast<std::uint8_t>(k)};
    code_bits = bits + 1;
    last.clear();
  };
  reset();
  std::size_t at = 0;
  while (true) {
    std::size_t code = 0;
    for (int k = 0; k < code_bits; ++k, ++at) {
      if (at / 8 >= data.size()) throw std::runtime_error("LZW without an end");
      code |= static_cast<std::size_t>(static_cast<std::uint8_t>(data[at / 8]) >> at % 8 & 1) << k;
    }
    if (code == clear + 1) return out;
    if (code == clear) {
      reset();
      continue;
    }
    std::vector<std::uint8_t> now;
    if (code < table.size()) {
      now = table[code];
    } else if (code == table.size() && !last.empty()) {
      now = last;
      now.push_back(last.front());
    } else {
      throw std::runtime_error("an LZW code that is not there yet");
    }
    out.insert(out.end(), now.begin(), now.end());
    if (!last.empty() && table.size() < 4096) {
      last.push_back(now.front());
      table.push_back(last);
      if (table.size() == std::size_t{1} << code_bits && code_bits < 12) ++code_bits;
    }
    last = now;
  }
}

inline Film read_gif(const std::string& bytes) {
  Bytes in(bytes);
  if (in.take(6) != "GIF89a") throw std::runtime_error("no GIF");
  const int width = in.little(), height = in.little(), flags = in.byte();
  in.byte(), in.byte();
  const std::string table = in.take(3 * (std::size_t{2} << (flags & 7)));
  Film film;
  paper::Pixels shown{width, height, {}};
  shown.rgb.resize(static_cast<std::size_t>(width * height * 3));
  int delay = 0, clear = -1;
  for (int kind = in.byte(); kind != 0x3b; kind = in.byte()) {
    if (kind == 0x21) {
      const int label = in.byte();
      const std::string data = in.blocks();
      if (label == 0xff) film.forever = data.starts_with("NETSCAPE2.0");
      if (label == 0xfe) film.comment = data;
      if (label != 0xf9) continue;
      delay = static_cast<std::uint8_t>(data[1]) | static_cast<std::uint8_t>(data[2]) << 8;
      clear = (data[0] & 1) != 0 ? static_cast<std::uint8_t>(data[3]) : -1;
      continue;
    }
    if (kind != 0x2c) throw std::runtime_error("an unknown block");
    const int x = in.little(), y = in.little(), w = in.little(), h = in.little();
    in.byte();
    const int bits = in.byte();
    const std::vector<std::uint8_t> indices = unpacked(in.blocks(), bits);
    if (indices.size() != static_cast<std::size_t>(w * h)) throw std::runtime_error("pixels lack");
    for (int k = 0; k < w * h; ++k) {
      const int index = indices[static_cast<std::size_t>(k)];
      if (index == clear) continue;
      const auto to = static_cast<std::size_t>(((y + k / w) * width + x + k % w) * 3);
      for (std::size_t part = 0; part < 3; ++part) {
        shown.rgb.at(to + part) =
            static_cast<std::uint8_t>(table.at(static_cast<std::size_t>(index) * 3 + part));
      }
    }
    film.frames.push_back(shown);
    film.seconds.push_back(delay / 100.0);
  }
  if (!in.done()) throw std::runtime_error("bytes after the end");
  return film;
}

// Rows of four channels, 8 bits each, without their filters (PNG, 9.2).
inline std::vector<std::uint8_t> unfiltered(const std::string& packed, int width, int height) {
  const auto line = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> raw((line + 1) * static_cast<std::size_t>(height));
  uLongf size = raw.size();
  if (uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()) !=
          Z_OK ||
      size != raw.size()) {
    throw std::runtime_error("pixels lack");
  }
  std::vector<std::uint8_t> out;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    const int filter = raw[y * (line + 1)];
    for (std::size_t k = 0; k < line; ++k) {
      const int left = k >= 4 ? out[y * line + k - 4] : 0;
      const int up = y > 0 ? out[(y - 1) * line + k] : 0;
      const int corner = k >= 4 && y > 0 ? out[(y - 1) * line + k - 4] : 0;
      const int guess = left + up - corner;
      const int a = std::abs(guess - left), b = std::abs(guess - up), c = std::abs(guess - corner);
      const int paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const int add[] = {0, left, up, (left + up) / 2, paeth};
      out.push_back(static_cast<std::uint8_t>(raw[y * (line + 1) + 1 + k] + add[filter]));
    }
  }
  return out;
}

inline Film read_apng(const std::string& bytes) {
  Bytes in(bytes);
  if (in.take(8) != "\x89PNG\r\n\x1a\n") throw std::runtime_error("no PNG");
  Film film;
  paper::Pixels shown;
  std::uint32_t frames = 0, number = 0;
  int x = 0, y = 0, w = 0, h = 0;
  bool over = false;
  std::string data;
  const auto show = [&] {
    if (data.empty()) return;
    const std::vector<std::uint8_t> rgba = unfiltered(data, w, h);
    for (int k = 0; k < w * h; ++k) {
      const auto from = static_cast<std::size_t>(k) * 4;
      if (over && rgba[from + 3] == 0) continue;
      const auto to = static_cast<std::size_t>(((y + k / w) * shown.width + x + k % w) * 3);
      for (std::size_t part = 0; part < 3; ++part) shown.rgb.at(to + part) = rgba[from + part];
    }
    film.frames.push_back(shown);
    data.clear();
  };
  while (!in.done()) {
    const std::uint32_t size = in.big();
    const std::string kind = in.take(4), body = in.take(size);
    const std::string checked = kind + body;
    if (in.big() != crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                          static_cast<uInt>(checked.size()))) {
      throw std::runtime_error("a wrong check sum in " + kind);
    }
    Bytes part(body);
    if (kind == "IHDR") {
      shown.width = static_cast<int>(part.big()), shown.height = static_cast<int>(part.big());
      shown.rgb.resize(static_cast<std::size_t>(shown.width * shown.height * 3));
      if (part.take(2) != "\x08\x06") throw std::runtime_error("not 8 bits of four channels");
    } else if (kind == "acTL") {
      frames = part.big();
      film.forever = part.big() == 0;
    } else if (kind == "fcTL") {
      show();
      if (part.big() != number++) throw std::runtime_error("a frame is out of order");
      w = static_cast<int>(part.big()), h = static_cast<int>(part.big());
      x = static_cast<int>(part.big()), y = static_cast<int>(part.big());
      const std::uint32_t delay = part.big();
      film.seconds.push_back(static_cast<double>(delay >> 16) / (delay & 0xffff));
      part.byte();
      over = part.byte() == 1;
    } else if (kind == "IDAT") {
      data += body;
    } else if (kind == "fdAT") {
      if (part.big() != number++) throw std::runtime_error("data is out of order");
      data += body.substr(4);
    } else if (kind == "IEND") {
      show();
    }
  }
  if (film.frames.size() != frames) throw std::runtime_error("frames lack");
  return film;
}

}  // namespace film_reader
