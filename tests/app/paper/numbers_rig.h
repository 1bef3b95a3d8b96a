// Pages of a few marks, written as numbers and read back: for tests of every kind of file.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "app/paper/numbers/numbers.h"
#include "support.h"

namespace numbers_rig {

using nlohmann::json;

inline const float kInf = std::numeric_limits<float>::infinity();
inline const float kNan = std::numeric_limits<float>::quiet_NaN();

// Floats of all sizes, each special value, masked cells.
inline std::vector<float> odd_values(std::size_t count) {
  std::vector<float> values = {0.0f, -0.0f,  core::kMasked, kNan,        kInf,     -kInf,
                               0.1f, 1e-45f, 3.4028235e38f, 16777217.0f, 1.0f / 3, -2.5e-7f};
  std::mt19937 random(7);
  while (values.size() < count) {
    const float v = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(v)) values.push_back(v);
  }
  return values;
}

inline figure::Plot line_plot(const std::string& id, std::vector<figure::Line> lines) {
  figure::Plot plot;
  plot.id = id;
  for (figure::Line& line : lines) plot.marks.emplace_back(std::move(line));
  return plot;
}

inline lab::Page page_of(std::vector<figure::Plot> plots) {
  lab::Page page;
  figure::Figure figure;
  figure.id = "fig";
  figure.title = "A \"figure\"";
  figure.plots = std::move(plots);
  page.figures.push_back(figure);
  page.readouts.push_back({"entropy", "Entropy", 0.1 + 0.2, "0.3 nats", ""});
  page.readouts.push_back({"empty", "Empty", std::nan(""), "-", ""});
  page.cards.push_back({"said",
                        "It is \"so\".",
                        "It is not.",
                        "Somebody 2017",
                        {"first", "main"},
                        lab::Card::Verdict::half});
  return page;
}

inline figure::Line line(std::vector<double> x, std::vector<double> y,
                         const std::string& label = "") {
  figure::Line l;
  l.x = std::move(x);
  l.y = std::move(y);
  l.label = label;
  return l;
}

inline std::string exported(const lab::Page& page, const std::string& name,
                            const std::vector<std::string>& ids = {},
                            const std::string& session = "") {
  const test::Folder folder;
  paper::export_numbers(page, ids, session, folder / name);
  CHECK(folder.files() == 1);
  return test::read(folder / name);
}

inline std::string refusal(const lab::Page& page, const std::string& name,
                           const std::vector<std::string>& ids = {}) {
  const test::Folder folder;
  try {
    paper::export_numbers(page, ids, "", folder / name);
  } catch (const core::InputError& error) {
    CHECK(folder.files() == 0);
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A number as JSON or CSV hold it, back as a float; masked for null or an empty field.
inline float float_of(const json& value) {
  if (value.is_null()) return core::kMasked;
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    return text == "NaN" ? kNan : text == "Infinity" ? kInf : text == "-Infinity" ? -kInf : 777.0f;
  }
  return std::strtof(value.dump().c_str(), nullptr);
}

inline bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// RFC 4180, read strictly.
inline std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1);
  rows.back().emplace_back();
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted) {
      if (c != '"') {
        rows.back().back() += c;
      } else if (k + 1 < text.size() && text[k + 1] == '"') {
        rows.back().back() += text[++k];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\r') {
      REQUIRE(text[++k] == '\n');
      rows.emplace_back();
      rows.back().emplace_back();
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

// The records of a table by the names of its columns; as many fields in each.
inline std::vector<std::map<std::string, std::string>> records(const std::string& text) {
  const auto rows = read_csv(text);
  REQUIRE(!rows.empty());
  std::vector<std::map<std::string, std::string>> all;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    REQUIRE(rows[k].size() == rows[0].size());
    all.emplace_back();
    for (std::size_t c = 0; c < rows[k].size(); ++c) all.back()[rows[0][c]] = rows[k][c];
  }
  return all;
}

struct Npy {
  std::string header;
  std::vector<float> data;
};

inline Npy read_npy(const std::string& bytes) {
  REQUIRE(bytes.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  const auto low = static_cast<unsigned char>(bytes[8]),
             high = static_cast<unsigned char>(bytes[9]);
  const std::size_t begin = 10 + low + 256u * high;
  CHECK(begin % 64 == 0);
  CHECK(bytes[begin - 1] == '\n');
  Npy npy{bytes.substr(10, begin - 10), {}};
  REQUIRE((bytes.size() - begin) % 4 == 0);
  npy.data.resize((bytes.size() - begin) / 4);
  std::memcpy(npy.data.data(), bytes.data() + begin, bytes.size() - begin);
  return npy;
}

}  // namespace numbers_rig
