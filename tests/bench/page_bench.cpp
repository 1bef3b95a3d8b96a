// From a knob to a new page: the time of a lab's compute when one parameter changed, as a slider
// does at every tick. Prints a table.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "app/labs/labs.h"
#include "core/system/memory.h"

namespace {

double milliseconds(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
      .count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The median of pages made while `id` goes through `steps`, everything else staying.
void report(int length, const std::string& id, const std::vector<std::string>& steps) {
  const lab::Lab& lab = lab::find("multi_head");
  const auto state = lab.make();
  const auto describe = state->describe();
  param::assign(describe, {{"input", "random"}, {"length", std::to_string(length)}});
  lab::Memo memo;
  const words::Words english;
  const auto page = [&] { (void)state->compute({.cancel = {}, .words = english, .memo = memo}); };
  page();
  std::vector<double> times;
  for (int round = 0; round < 3; ++round) {
    for (const std::string& step : steps) {
      param::assign(describe, {{id, step}});
      times.push_back(milliseconds(page));
    }
  }
  fmt::print("{:5d} tokens, 8 heads: {:<12} to a new page {:8.2f} ms\n", length, id, median(times));
}

// The first page of settings as large as the knobs allow, and the next one after a small change.
void report_large(const std::string& name, const param::Values& large, const std::string& changed,
                  const std::string& to) {
  const auto state = lab::find(name).make();
  const auto describe = state->describe();
  param::assign(describe, large);
  lab::Memo memo;
  const words::Words english;
  const auto page = [&] { (void)state->compute({.cancel = {}, .words = english, .memo = memo}); };
  const double first = milliseconds(page);
  param::assign(describe, {{changed, to}});
  fmt::print("{:<18} at its largest: first page {:8.1f} ms, another {:<8} {:8.1f} ms\n", name,
             first, changed, milliseconds(page));
}

// A model that has read, and a sentence of so many tokens that grows letter by letter.
void report_typing() {
  const auto state = lab::find("gpt_inside").make();
  const auto describe = state->describe();
  param::assign(describe, {{"from", "published"}});
  lab::Memo memo;
  const words::Words english;
  std::string status;
  const auto page = [&](const std::string& text) {
    param::assign(describe, {{"text", text}});
    return milliseconds(
        [&] { status = state->compute({.cancel = {}, .words = english, .memo = memo}).status; });
  };
  const std::string text =
      "pigeon: a bird with short legs that lives in cities and in the mountains, and that people "
      "have kept for food and to carry letters";
  const double first = page(text);
  const std::string at = status;
  std::vector<double> times;
  std::string typed = text;
  for (const char letter : std::string(" over the sea")) times.push_back(page(typed += letter));
  fmt::print("gpt_inside, {}: first page {:.1f} ms, a letter more {:.1f} ms\n", at, first,
             median(times));
}

}  // namespace

int main() {
  core::keep_freed_memory();  // as the program does
  report_typing();
  for (const int length : {64, 512, 2048, 4096}) {
    report(length, "temperature", {"0.5", "0.7", "1.5", "2"});
    report(length, "base", {"500", "1000", "5000", "20000"});
    report(length, "query", {"3", "7", "20", "41"});
    report(length, "d_model", {"96", "128", "192", "256"});
  }
  for (const char* kernel : {"boxcar", "epanechnikov"}) {
    report_large("pooling", {{"n", "100000"}, {"kernel", kernel}}, "bandwidth", "0.7");
  }
  report_large("rotary", {{"m", "1000000"}, {"n", "999990"}, {"d", "128"}}, "pair", "3");
  report_large("extrapolation", {{"length", "1048576"}, {"d", "128"}}, "pair", "3");
  report_large("position_ids", {{"length", "1048576"}}, "id", "1048000");
  report_large("rope_rounding", {{"length", "1048576"}}, "pair", "3");
  report_large("alibi_rounding", {{"length", "1048576"}, {"heads", "32"}}, "distance", "17");
  report_large("position_compare", {{"length", "1024"}, {"d_model", "2048"}, {"heads", "16"}},
               "query", "9");
}
