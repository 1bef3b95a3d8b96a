#include "core/io/tensor/safetensors.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/io/case/json_check.h"
#include "core/io/little_endian.h"
#include "core/io/what_lies.h"
#include "core/precision/convert.h"
#include "core/refuse.h"
#include "core/text/printable.h"

namespace core {
namespace {

constexpr std::string_view kMetadataKey = "__metadata__";

// A file that holds something else may begin like anything.
void require_own_format(const ByteSource& file, const std::string& name, const Cancel& cancel) {
  const std::string begins =
      file.read_string(0, std::min<std::uint64_t>(file.size(), kBeginning), cancel);
  const Message what = what_file(".safetensors", begins);
  if (what.empty() || begins.empty()) return;
  throw InputError(
      Message(N_("{}: expected the contents of a .safetensors file, got {}"), name, what));
}

// What the header says of a tensor.
struct Declared {
  std::string name;
  std::string dtype;
  std::vector<Index> shape;
  std::vector<Index> offsets;
  bool has_dtype = false, has_shape = false, has_offsets = false;
};

// Takes a header that has no json_fault apart, without making a tree of it. The names of its
// functions are those of nlohmann's interface.
class HeaderReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  std::vector<Declared> declared;
  std::map<std::string, std::string> metadata;

  bool null() override {
    const bool no_metadata = depth_ == 1 && name_ == kMetadataKey;
    return no_metadata || unexpected("null");
  }
  bool boolean(bool value) override { return unexpected(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return unexpected(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return unexpected(text); }
  bool number_unsigned(number_unsigned_t value) override {
    const std::size_t most = key_ == "shape" ? kMostAxes + 1 : 2;
    std::vector<Index>* const list = depth_ == 3 ? open_list() : nullptr;
    if (!list || list->size() == most || !std::in_range<Index>(value)) {
      return unexpected(std::to_string(value));
    }
    list->push_back(static_cast<Index>(value));
    return true;
  }
  bool string(string_t& text) override {
    if (depth_ == 2 && in_metadata_) {
      metadata.emplace(key_, text);
    } else if (depth_ == 2 && key_ == "dtype") {
      declared.back().dtype = text;
      declared.back().has_dtype = true;
    } else {
      return unexpected('"' + text + '"');
    }
    return true;
  }
  bool binary(binary_t&) override { return unexpected("bytes"); }

  bool start_object(std::size_t) override {
    if (depth_ >= 2) return unexpected("{");
    ++depth_;
    if (depth_ == 1) return true;
    in_metadata_ = name_ == kMetadataKey;
    if (!in_metadata_) declared.push_back({name_, {}, {}, {}});
    return true;
  }
  bool key(string_t& text) override {
    (depth_ == 1 ? name_ : key_) = text;
    if (depth_ == 2 && !in_metadata_ && text != "dtype" && text != "shape" &&
        text != "data_offsets") {
      throw InputError(
          Message(N_("{}, tensor \"{}\": expected dtype, shape and data_offsets, got the key "
                     "\"{}\""),
                  file_, printable(name_), printable(text)));
    }
    return true;
  }
  bool end_object() override {
    if (depth_-- == 2 && !in_metadata_) require_whole(declared.back());
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_ || key_ == "dtype") return unexpected("[");
    (key_ == "shape" ? declared.back().has_shape : declared.back().has_offsets) = true;
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  std::vector<Index>* open_list() {
    return key_ == "shape" ? &declared.back().shape : &declared.back().offsets;
  }

  [[noreturn]] bool unexpected(const std::string& came) const {
    if (depth_ == 0) {
      throw InputError(Message(N_("{}: expected a header that is a JSON object, got {}"), file_,
                               printable(came)));
    }
    if (depth_ == 1) {
      throw InputError(Message(N_("{}, tensor \"{}\": expected dtype, shape and data_offsets, "
                                  "got {}"),
                               file_, printable(name_), printable(came)));
    }
    if (in_metadata_) {
      throw InputError(Message(N_("{}: expected strings in __metadata__, got {} for \"{}\""), file_,
                               printable(came), printable(key_)));
    }
    refuse_value(came);
  }

  [[noreturn]] void refuse_value(const std::string& came) const {
    const std::string_view message =
        key_ == "dtype"   ? N_("{}, tensor \"{}\": expected a dtype that is a string, got {}")
        : key_ == "shape" ? N_("{}, tensor \"{}\": expected a shape of at most 64 whole numbers of "
                               "at least 0, got {}")
                          : N_("{}, tensor \"{}\": expected data_offsets of two whole numbers of "
                               "at least 0, got {}");
    throw InputError(Message(message, file_, printable(name_), printable(came)));
  }

  void require_whole(const Declared& tensor) const {
    const char* const missing = !tensor.has_dtype     ? "dtype"
                                : !tensor.has_shape   ? "shape"
                                : !tensor.has_offsets ? "data_offsets"
                                                      : nullptr;
    if (missing) {
      throw InputError(Message(N_("{}, tensor \"{}\": expected dtype, shape and data_offsets, got "
                                  "no {}"),
                               file_, printable(tensor.name), missing));
    }
    if (tensor.offsets.size() != 2) {
      throw InputError(Message(N_("{}, tensor \"{}\": expected two data_offsets, got {}"), file_,
                               printable(tensor.name), tensor.offsets.size()));
    }
  }

  const std::string& file_;
  int depth_ = 0;  // 1: the header, 2: a tensor or the metadata, 3: a list of a tensor
  bool in_metadata_ = false;
  std::string name_, key_;
};

// The header's text; its length is checked before it is read.
std::string safetensors_header(const ByteSource& file, const std::string& name,
                               const Cancel& cancel) {
  std::byte length[8];
  if (file.size() < sizeof length) {
    throw InputError(Message(N_("{}: expected at least 8 bytes, the header's length, got {}"), name,
                             file.size()));
  }
  file.read(0, length, cancel);
  const auto bytes = little_endian<std::uint64_t>(length, 0);
  if (bytes > file.size() - sizeof length) {
    throw InputError(Message(N_("{}: expected a header that ends within its {} bytes, got {}"),
                             name, file.size(), bytes));
  }
  if (bytes > kMostSafetensorsHeaderBytes) {
    throw InputError(Message(N_("{}: expected a header of at most {} bytes, got {}"), name,
                             kMostSafetensorsHeaderBytes, bytes));
  }
  std::string text = file.read_string(sizeof length, bytes, cancel);
  return text;
}

Message where_of(const Declared& declared, const std::string& file) {
  return Message(N_("{}, tensor \"{}\""), file, printable(declared.name));
}

// None: numbers of that type are not read.
std::optional<NumberType> type_of(const Declared& declared) {
  const auto known =
      std::find_if(kNumberTypes.begin(), kNumberTypes.end(),
                   [&](const NumberTypeFacts& f) { return f.safetensors == declared.dtype; });
  if (known == kNumberTypes.end()) return std::nullopt;
  return static_cast<NumberType>(known - kNumberTypes.begin());
}

UnreadEntry unread_of(const Declared& declared, const std::string& file) {
  return {declared.name,
          Message(N_("{}: expected one of the dtypes BOOL, I8 to I64, U8 to U64, F16, "
                     "BF16, F32 and F64, got \"{}\""),
                  where_of(declared, file), printable(declared.dtype))};
}

Tensor tensor_of(const Declared& declared, NumberType type, const std::string& file,
                 std::uint64_t data_bytes) {
  const Message where = where_of(declared, file);
  Tensor tensor;
  tensor.name = declared.name;
  tensor.type = type;
  tensor.shape = declared.shape;
  tensor.file = file;
  const std::uint64_t bytes = tensor_bytes(tensor.type, tensor.shape, where);
  const auto begin = static_cast<std::uint64_t>(declared.offsets[0]);
  const auto end = static_cast<std::uint64_t>(declared.offsets[1]);
  if (begin > end || end > data_bytes) {
    throw InputError(Message(N_("{}: expected data_offsets within {} bytes of data, got {} to {}"),
                             where, data_bytes, begin, end));
  }
  if (end - begin != bytes) {
    throw InputError(Message(N_("{}: expected {} bytes of {} for the shape {}, got {}"), where,
                             bytes, facts(type).name, tensor_shape_text(tensor.shape),
                             end - begin));
  }
  return tensor;
}

// A file that ends before its tensors, all of which are where the file that it was began and ended,
// was not downloaded to its end.
void require_whole_file(const std::vector<Declared>& declared, const std::string& file,
                        std::uint64_t data_bytes) {
  Index wanted = 0, ends = 0;
  for (const Declared& tensor : declared) {
    const bool whole = tensor.offsets.size() == 2 && tensor.offsets[0] <= tensor.offsets[1];
    if (!whole) return;
    wanted += tensor.offsets[1] - tensor.offsets[0];
    ends = std::max(ends, tensor.offsets[1]);
  }
  if (wanted != ends || static_cast<std::uint64_t>(ends) <= data_bytes) return;
  throw InputError(Message(N_("{}: expected {} bytes of numbers, as its header says, got {}: the "
                              "download is incomplete; download it again"),
                           file, ends, data_bytes));
}

// One after another, they fill the data.
void require_filled(const std::vector<Declared>& declared, const std::string& file,
                    std::uint64_t data_bytes) {
  std::vector<const Declared*> in_order;
  for (const Declared& tensor : declared) in_order.push_back(&tensor);
  std::sort(in_order.begin(), in_order.end(),
            [](const Declared* a, const Declared* b) { return a->offsets < b->offsets; });
  Index filled = 0;
  for (const Declared* tensor : in_order) {
    if (tensor->offsets[0] != filled) {
      throw InputError(Message(N_("{}, tensor \"{}\": expected its data from byte {} on, where the "
                                  "data before it ends, got {}"),
                               file, printable(tensor->name), filled, tensor->offsets[0]));
    }
    filled = tensor->offsets[1];
  }
  if (static_cast<std::uint64_t>(filled) != data_bytes) {
    throw InputError(Message(N_("{}: expected tensors that fill its {} bytes of data, got {}"),
                             file, data_bytes, filled));
  }
}

bool is_name_beside(std::string_view file) {
  return !file.empty() && file != "." && file != ".." &&
         file.find_first_of(std::string_view("/\\\0", 3)) == file.npos;
}

template <class T>
void append_little_endian(T value, std::string& out) {
  for (std::size_t k = 0; k < sizeof value; ++k) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * k))));
  }
}

void append_numbers(const FloatTensor& tensor, NumberType type, std::string& out) {
  Index count = 1;
  for (const Index side : tensor.shape) count *= side;
  if (type == NumberType::float32) {
    for (Index i = 0; i < count; ++i) {
      append_little_endian(std::bit_cast<std::uint32_t>(tensor.values[i]), out);
    }
    return;
  }
  if (type != NumberType::float16 && type != NumberType::bfloat16) {
    refuse("tensors", "float16, bfloat16 or float32", std::string(facts(type).name));
  }
  const Format& format = type == NumberType::float16 ? kFloat16 : kBFloat16;
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(count));
  encode_floats(format, tensor.values, codes.data(), count, {.threads = 1});
  for (const std::uint16_t code : codes) append_little_endian(code, out);
}

}  // namespace

Safetensors read_safetensors(const std::shared_ptr<const ByteSource>& file, const std::string& name,
                             const Cancel& cancel) {
  require_own_format(*file, name, cancel);
  const std::string text = safetensors_header(*file, name, cancel);
  if (const Message fault = json_fault(text); !fault.empty()) {
    throw InputError(Message(N_("{}: expected a header in JSON, but {}"), name, fault));
  }
  HeaderReader header(name);
  nlohmann::json::sax_parse(text.begin(), text.end(), &header);
  const std::uint64_t data_begin = 8 + text.size();
  const std::uint64_t data_bytes = file->size() - data_begin;
  require_whole_file(header.declared, name, data_bytes);
  Safetensors out;
  for (const Declared& declared : header.declared) {
    const std::optional<NumberType> type = type_of(declared);
    if (!type) {
      out.unread.push_back(unread_of(declared, name));
      continue;
    }
    Tensor tensor = tensor_of(declared, *type, name, data_bytes);
    tensor.bytes = file;
    tensor.begin = data_begin + static_cast<std::uint64_t>(declared.offsets[0]);
    out.tensors.push_back(std::move(tensor));
  }
  if (out.tensors.empty() && !out.unread.empty()) throw InputError(out.unread.front().why);
  require_filled(header.declared, name, data_bytes);
  out.metadata = std::move(header.metadata);
  return out;
}

Safetensors read_safetensors(const std::shared_ptr<const LargeFile>& file, const Cancel& cancel) {
  return read_safetensors(file, file->name(), cancel);
}

std::string safetensors_bytes(const std::vector<FloatTensor>& tensors, NumberType type,
                              const std::map<std::string, std::string>& metadata) {
  nlohmann::json header = nlohmann::json::object();
  if (!metadata.empty()) header[kMetadataKey] = metadata;
  const Index bytes = facts(type).bytes;
  Index end = 0;
  for (const FloatTensor& tensor : tensors) {
    Index count = 1;
    for (const Index side : tensor.shape) count *= side;
    const Index begin = std::exchange(end, end + count * bytes);
    header[tensor.name] = {{"dtype", facts(type).safetensors},
                           {"shape", tensor.shape},
                           {"data_offsets", {begin, end}}};
  }
  // Data begin on a multiple of 8, as the format advises.
  std::string text = header.dump();
  text.resize(static_cast<std::size_t>(round_up(static_cast<Index>(text.size()), 8)), ' ');
  std::string out;
  out.reserve(8 + text.size() + static_cast<std::size_t>(end));
  append_little_endian<std::uint64_t>(text.size(), out);
  out += text;
  for (const FloatTensor& tensor : tensors) append_numbers(tensor, type, out);
  return out;
}

ShardMap read_shard_map(const LargeFile& index, const Cancel& cancel) {
  if (index.size() > kMostShardIndexBytes) {
    throw InputError(Message(N_("{}: expected an index of at most {} bytes, got {}"), index.name(),
                             kMostShardIndexBytes, index.size()));
  }
  const std::string text = index.read_string(0, index.size(), cancel);
  if (const Message fault = json_fault(text); !fault.empty()) {
    throw InputError(Message(N_("{}: expected an index in JSON, but {}"), index.name(), fault));
  }
  const nlohmann::json json = nlohmann::json::parse(text);
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object()) {
    throw InputError(
        Message(N_("{}: expected a weight_map from names to files, got none"), index.name()));
  }
  ShardMap map;
  for (const auto& [name, file] : json["weight_map"].items()) {
    if (!file.is_string() || !is_name_beside(file.get_ref<const std::string&>())) {
      throw InputError(
          Message(N_("{}, tensor \"{}\": expected the name of a file in the same folder, got {}"),
                  index.name(), printable(name), printable(file.dump())));
    }
    map.emplace(name, file.get<std::string>());
  }
  return map;
}

}  // namespace core
