#include "record.hpp"

#include <charconv>
#include <limits>
#include <system_error>

namespace market {
namespace {

// Takes the fields of a line one after the other.
class reader {
 public:
  explicit reader(std::string_view line) noexcept : line_(line), rest_(line) {}

  [[noreturn]] void fail(const char* what) const {
    throw malformed_record(std::string(what) + " in \"" + std::string(line_) + '"');
  }
  std::string_view word() {
    const auto end = rest_.find(' ');
    const auto field = rest_.substr(0, end);
    if (field.empty()) fail("a field is missing");
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return field;
  }
  template <class Int>
  Int whole(std::string_view field) const {
    Int n{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), n);
    if (error != std::errc() || end != field.data() + field.size()) fail("a number is none");
    return n;
  }
  std::int32_t positive(std::string_view field) const {
    const auto n = whole<std::int32_t>(field);
    if (n <= 0) fail("a number is not positive");
    return n;
  }
  // "99.50" is 9950 cents.
  std::int32_t price() {
    const auto field = word();
    if (field.size() < 4 || field[field.size() - 3] != '.') fail("a price has two digits behind its point");
    const auto parts = field.substr(field.size() - 2);
    const std::int64_t units = whole<std::int32_t>(field.substr(0, field.size() - 3));
    const std::int64_t sum = units * 100 + whole<std::uint8_t>(parts);
    if (units < 0 || sum <= 0 || sum > std::numeric_limits<std::int32_t>::max()) fail("a price is out of range");
    return static_cast<std::int32_t>(sum);
  }
  void end() const {
    if (!rest_.empty()) fail("a field is too much");
  }

 private:
  std::string_view line_;
  std::string_view rest_;
};

}  // namespace

order parse_record(std::string_view line, std::size_t listed) {
  reader in(line);
  order o;
  const auto kind = in.word();
  if (kind != "N" && kind != "C") in.fail("a record is neither N nor C");
  o.account = in.whole<std::uint32_t>(in.word());
  o.number = in.whole<std::uint32_t>(in.word());
  o.instrument = find_instrument(in.word(), listed);
  if (kind == "N") {
    const auto side = in.word();
    if (side != "B" && side != "S") in.fail("a side is neither B nor S");
    o.kind = side == "B" ? order_kind::buy : order_kind::sell;
    o.quantity = in.positive(in.word());
    o.limit = in.price();
  }
  in.end();
  return o;
}

std::string record_of(const order& o) {
  const auto symbol = o.instrument < symbols.size() ? symbols[o.instrument] : std::string_view("VOID");
  std::string line = o.kind == order_kind::cancel ? "C " : "N ";
  line += std::to_string(o.account) + ' ' + std::to_string(o.number) + ' ';
  line += symbol;
  if (o.kind == order_kind::cancel) return line;
  const auto parts = std::to_string(o.limit % 100);
  line += o.kind == order_kind::buy ? " B " : " S ";
  line += std::to_string(o.quantity) + ' ' + std::to_string(o.limit / 100) + (parts.size() == 1 ? ".0" : ".") + parts;
  return line;
}

}  // namespace market
