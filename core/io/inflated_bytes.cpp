#include "core/io/inflated_bytes.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "core/refuse.h"
#include "core/text/printable.h"

namespace core {
namespace {

constexpr std::size_t kInflateChunk = std::size_t{1} << 16;
constexpr std::uint64_t kLeastApart = std::uint64_t{1} << 20;

// zlib's structure knows its own address and is copied by zlib alone.
struct ZlibStream {
  z_stream stream{};

  ZlibStream() {
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ZlibStream(const ZlibStream& other) {
    // It copies what it does not change.
    if (inflateCopy(&stream, const_cast<z_stream*>(&other.stream)) != Z_OK) throw std::bad_alloc();
  }
  ZlibStream& operator=(const ZlibStream&) = delete;
  ~ZlibStream() { inflateEnd(&stream); }
};

}  // namespace

// One way through an entry, from its beginning to `position`. A copy goes on from there on its own.
class Inflater {
 public:
  Inflater(const LargeFile& file, const ZipEntry& entry) : file_(file), entry_(entry) {}
  Inflater(const Inflater& other)
      : file_(other.file_),
        entry_(other.entry_),
        zlib_(other.zlib_),
        position_(other.position_),
        taken_(other.taken_ - other.zlib_.stream.avail_in),
        checksum_(other.checksum_),
        ended_(other.ended_) {
    zlib_.stream.avail_in = 0;  // read anew
  }
  Inflater& operator=(const Inflater&) = delete;

  std::uint64_t position() const { return position_; }

  // The next bytes, as many as `to` has.
  void next(std::span<std::byte> to, const Cancel& cancel) {
    while (!to.empty()) {
      const std::size_t made = step(to.first(std::min(to.size(), kInflateChunk)), cancel);
      to = to.subspan(made);
    }
    if (position_ == entry_.size) require_end(cancel);
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse_inflated(std::string_view message, const Args&... args) const {
    throw InputError(Message(message, file_.name(), printable(entry_.name), args...));
  }

  std::size_t step(std::span<std::byte> to, const Cancel& cancel) {
    const std::size_t made = inflate_some(to, cancel);
    if (made == 0 && ended_) {
      refuse_inflated(N_("{}, entry \"{}\": expected {} bytes when inflated, got {}"), entry_.size,
                      position_);
    }
    checksum_ = static_cast<std::uint32_t>(
        crc32(checksum_, reinterpret_cast<const Bytef*>(to.data()), static_cast<uInt>(made)));
    position_ += made;
    return made;
  }

  std::size_t inflate_some(std::span<std::byte> to, const Cancel& cancel) {
    z_stream& stream = zlib_.stream;
    if (stream.avail_in == 0) refill(cancel);
    stream.next_out = reinterpret_cast<Bytef*>(to.data());
    stream.avail_out = static_cast<uInt>(to.size());
    const int said = ended_ ? Z_STREAM_END : inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = to.size() - stream.avail_out;
    ended_ = said == Z_STREAM_END;
    const bool stuck = made == 0 && stream.avail_in == 0 && taken_ == entry_.packed;
    if (said == Z_MEM_ERROR) throw std::bad_alloc();
    if ((said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR) || (stuck && !ended_)) {
      refuse_inflated(N_("{}, entry \"{}\": expected deflated bytes, got damaged ones after {}"),
                      position_);
    }
    return made;
  }

  void refill(const Cancel& cancel) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(kInflateChunk, entry_.packed - taken_));
    input_.resize(kInflateChunk);
    file_.read(entry_.begin + taken_, std::span(input_).first(size), cancel);
    taken_ += size;
    zlib_.stream.next_in = reinterpret_cast<Bytef*>(input_.data());
    zlib_.stream.avail_in = static_cast<uInt>(size);
  }

  // Nothing may follow the last byte.
  void require_end(const Cancel& cancel) {
    std::byte more{};
    while (!ended_) {
      if (inflate_some(std::span(&more, 1), cancel) > 0) {
        refuse_inflated(N_("{}, entry \"{}\": expected {} bytes when inflated, got more"),
                        entry_.size);
      }
    }
    if (checksum_ != entry_.checksum) {
      refuse_inflated(N_("{}, entry \"{}\": expected bytes with the checksum {}, got {}"),
                      entry_.checksum, checksum_);
    }
  }

  const LargeFile& file_;
  const ZipEntry& entry_;
  ZlibStream zlib_;
  std::uint64_t position_ = 0;  // bytes that were inflated
  std::uint64_t taken_ = 0;     // bytes that were read for it
  std::uint32_t checksum_ = 0;  // of all that were inflated
  bool ended_ = false;
  std::vector<std::byte> input_;
};

InflatedBytes::InflatedBytes(std::shared_ptr<const LargeFile> file, ZipEntry entry)
    : file_(std::move(file)),
      entry_(std::move(entry)),
      apart_(std::max(kLeastApart, entry_.size / kMostStates + 1)) {}

InflatedBytes::~InflatedBytes() = default;

void InflatedBytes::read(std::uint64_t begin, std::span<std::byte> to, const Cancel& cancel) const {
  if (begin > size() || to.size() > size() - begin) {
    refuse("reading an entry", "a part of its " + std::to_string(size()) + " bytes",
           std::to_string(to.size()) + " from " + std::to_string(begin));
  }
  const std::scoped_lock lock(mutex_);
  try {
    go_to(begin, cancel);
    now_->next(to, cancel);
  } catch (...) {
    now_.reset();  // who knows where it stands
    throw;
  }
}

// Takes up the nearest state before `begin`, or the last reading where it is nearer.
void InflatedBytes::go_to(std::uint64_t begin, const Cancel& cancel) const {
  const auto after = states_.upper_bound(begin);
  const std::uint64_t kept = after == states_.begin() ? 0 : std::prev(after)->first;
  if (!now_ || now_->position() > begin || now_->position() < kept) {
    now_ = after == states_.begin() ? std::make_unique<Inflater>(*file_, entry_)
                                    : std::make_unique<Inflater>(*std::prev(after)->second);
  }
  std::vector<std::byte> skipped(
      static_cast<std::size_t>(std::min<std::uint64_t>(begin - now_->position(), kInflateChunk)));
  while (now_->position() < begin) {
    cancel.poll();
    const std::uint64_t left = begin - now_->position();
    now_->next(std::span(skipped).first(std::min<std::uint64_t>(left, skipped.size())), cancel);
    keep_state();
  }
  keep_state();
}

void InflatedBytes::keep_state() const {
  const std::uint64_t last = states_.empty() ? 0 : states_.rbegin()->first;
  if (now_->position() < last + apart_) return;
  states_.emplace(now_->position(), std::make_unique<const Inflater>(*now_));
}

}  // namespace core
