// What a cell of the spreadsheet contains, and how a formula is read and evaluated: plain functions, without actors.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace seven::cells {

inline constexpr int sheet_columns = 26;
inline constexpr int sheet_rows = 100;

struct position {
  int column;
  int row;
  friend auto operator<=>(const position&, const position&) = default;
};

inline std::string name_of(position p) { return static_cast<char>('A' + p.column) + std::to_string(p.row); }

struct formula_error {
  std::string text;  // as the cell shows it, such as #div
  friend bool operator==(const formula_error&, const formula_error&) = default;
};

// An empty cell has the first.
using cell_value = std::variant<std::monostate, double, std::string, formula_error>;

inline std::string text_of(const cell_value& v) {
  if (const auto* number = std::get_if<double>(&v)) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.10g", *number + 0.0);  // which makes 0 of -0
    return digits;
  }
  if (const auto* text = std::get_if<std::string>(&v)) return *text;
  if (const auto* error = std::get_if<formula_error>(&v)) return error->text;
  return {};
}

// A formula is kept as the steps of a machine with a stack. So evaluating and destroying it needs no recursion, however
// long a formula the user pastes.
struct formula_step {
  enum class kind { push_value, push_cell, negate, add, subtract, multiply, divide, sum, min, max, average };
  kind what;
  double number = 0;          // of push_value
  position cell{};            // of push_cell
  std::size_t arguments = 0;  // of sum and what follows: how many values they take off the stack
};

struct cell_content {
  std::string text;                 // as it was entered
  cell_value constant;              // the value, unless there are steps
  std::vector<formula_step> steps;  // of a formula
  std::vector<position> inputs;     // the cells that a formula refers to, in order, each once
};

// Recursive descent: sum = product {(+|-) product}, product = factor {(*|/) factor}, factor = -factor | (sum) | number
// | cell | name(argument, ...), argument = cell:cell | sum.
class formula_parser {
 public:
  explicit formula_parser(std::string_view text) : rest_(text) {}

  // None: it is not a formula.
  std::optional<std::vector<formula_step>> parse() {
    if (!sum() || (skip_blanks(), !rest_.empty())) return std::nullopt;
    return std::move(steps_);
  }

 private:
  using kind = formula_step::kind;
  static constexpr int depth_max = 100;  // of parentheses in parentheses: far below what a stack takes

  bool sum() {
    if (!product()) return false;
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return true;
      if (!product()) return false;
      steps_.push_back({plus ? kind::add : kind::subtract});
    }
  }
  bool product() {
    if (!factor()) return false;
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return true;
      if (!factor()) return false;
      steps_.push_back({times ? kind::multiply : kind::divide});
    }
  }
  bool factor() {
    if (depth_ == depth_max) return false;
    ++depth_;
    const bool good = nested_factor();
    --depth_;
    return good;
  }
  bool nested_factor() {
    if (take('-')) {
      if (!factor()) return false;
      steps_.push_back({kind::negate});
      return true;
    }
    if (take('(')) return sum() && take(')');
    if (const auto at = take_cell()) {
      steps_.push_back({.what = kind::push_cell, .cell = *at});
      return true;
    }
    return is_letter() ? call() : number();
  }
  bool call() {
    std::string name;
    for (; is_letter(); rest_.remove_prefix(1)) name += lower(rest_.front());
    static constexpr std::pair<std::string_view, kind> functions[] = {
        {"sum", kind::sum}, {"min", kind::min}, {"max", kind::max}, {"avg", kind::average}};
    const auto* const known = std::find_if(std::begin(functions), std::end(functions),
                                           [&](const auto& candidate) { return candidate.first == name; });
    if (known == std::end(functions) || !take('(')) return false;
    std::size_t arguments = 0;
    do {
      if (!argument(arguments)) return false;
    } while (take(','));
    steps_.push_back({.what = known->second, .arguments = arguments});
    return take(')');
  }
  bool argument(std::size_t& count) {
    const std::string_view before = rest_;
    if (const auto from = take_cell(); from && take(':')) {
      const auto to = take_cell();
      return to && push_range(*from, *to, count);
    }
    rest_ = before;
    ++count;
    return sum();
  }
  // From any corner to the opposite one.
  bool push_range(position a, position b, std::size_t& count) {
    for (int row = std::min(a.row, b.row); row <= std::max(a.row, b.row); ++row) {
      for (int column = std::min(a.column, b.column); column <= std::max(a.column, b.column); ++column, ++count) {
        steps_.push_back({.what = kind::push_cell, .cell = {column, row}});
      }
    }
    return true;
  }
  bool number() {
    if (rest_.empty() || (!is_digit(0) && rest_.front() != '.')) return false;
    double value = 0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (problem != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    steps_.push_back({.what = kind::push_value, .number = value});
    return true;
  }
  // A letter, and one or two digits.
  std::optional<position> take_cell() {
    skip_blanks();
    if (!is_letter() || !is_digit(1) || (is_digit(2) && is_digit(3))) return std::nullopt;
    position at{lower(rest_[0]) - 'a', rest_[1] - '0'};
    if (is_digit(2)) at.row = at.row * 10 + rest_[2] - '0';
    rest_.remove_prefix(is_digit(2) ? 3 : 2);
    return at;
  }
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  static char lower(char c) { return static_cast<char>(c | 0x20); }
  [[nodiscard]] bool is_letter() const {
    return !rest_.empty() && lower(rest_.front()) >= 'a' && lower(rest_.front()) <= 'z';
  }
  [[nodiscard]] bool is_digit(std::size_t at) const {
    return at < rest_.size() && rest_[at] >= '0' && rest_[at] <= '9';
  }

  std::string_view rest_;
  std::vector<formula_step> steps_;
  int depth_ = 0;
};

// What the user has entered: nothing, a number, = and a formula, or any other text.
inline cell_content read_content(const std::string& entered) {
  const auto first = entered.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  cell_content made{entered.substr(first, entered.find_last_not_of(' ') + 1 - first), {}, {}, {}};
  if (made.text.front() == '=') {
    auto steps = formula_parser(std::string_view(made.text).substr(1)).parse();
    if (!steps) {
      made.constant = formula_error{"#syntax"};
      return made;
    }
    made.steps = std::move(*steps);
    for (const auto& s : made.steps) {
      if (s.what == formula_step::kind::push_cell) made.inputs.push_back(s.cell);
    }
    std::sort(made.inputs.begin(), made.inputs.end());
    made.inputs.erase(std::unique(made.inputs.begin(), made.inputs.end()), made.inputs.end());
    return made;
  }
  double number = 0;
  const char* const end = made.text.data() + made.text.size();
  const auto [last, problem] = std::from_chars(made.text.data(), end, number);
  const bool is_number = problem == std::errc() && last == end && std::isfinite(number);
  made.constant = is_number ? cell_value(number) : cell_value(made.text);
  return made;
}

// An error stays itself, an empty cell counts as 0.
inline cell_value number_of(const cell_value& v) {
  if (std::holds_alternative<std::string>(v)) return formula_error{"#value"};
  if (std::holds_alternative<std::monostate>(v)) return 0.0;
  return v;
}

// Of two errors the first counts.
inline cell_value combined(const cell_value& left, formula_step::kind what, const cell_value& right) {
  using kind = formula_step::kind;
  const cell_value a = number_of(left);
  const cell_value b = number_of(right);
  if (!std::holds_alternative<double>(a)) return a;
  if (!std::holds_alternative<double>(b)) return b;
  const double x = std::get<double>(a);
  const double y = std::get<double>(b);
  if (what == kind::divide && y == 0) return formula_error{"#div"};
  const double result = what == kind::subtract   ? x - y
                        : what == kind::multiply ? x * y
                        : what == kind::divide   ? x / y
                        : what == kind::min      ? std::min(x, y)
                        : what == kind::max      ? std::max(x, y)
                                                 : x + y;
  if (!std::isfinite(result)) return formula_error{"#value"};
  return result;
}

// sum, min, max or avg. Empty cells do not take part; of nothing the average is a division by zero, all others are 0.
inline cell_value folded(const std::vector<cell_value>& values, std::size_t first, formula_step::kind what) {
  using kind = formula_step::kind;
  std::optional<cell_value> result;
  double count = 0;
  for (std::size_t i = first; i < values.size(); ++i) {
    if (std::holds_alternative<std::monostate>(values[i])) continue;
    result = result ? combined(*result, what, values[i]) : number_of(values[i]);
    ++count;
  }
  if (what == kind::average) return combined(result.value_or(0.0), kind::divide, count);
  return result.value_or(0.0);
}

// value_at(position) has the values of the inputs. A formula that is nothing but a reference to text is that text.
template <class ValueAt>
cell_value evaluate(const cell_content& content, ValueAt value_at) {
  using kind = formula_step::kind;
  if (content.steps.empty()) return content.constant;
  std::vector<cell_value> stack;
  for (const auto& s : content.steps) {
    if (s.what == kind::push_value) {
      stack.emplace_back(s.number);
    } else if (s.what == kind::push_cell) {
      stack.push_back(value_at(s.cell));
    } else if (s.what == kind::negate) {
      stack.back() = combined(0.0, kind::subtract, stack.back());
    } else if (s.what >= kind::sum) {
      const std::size_t first = stack.size() - s.arguments;
      cell_value result = folded(stack, first, s.what);
      stack.resize(first);
      stack.push_back(std::move(result));
    } else {
      const cell_value right = std::move(stack.back());
      stack.pop_back();
      stack.back() = combined(stack.back(), s.what, right);
    }
  }
  return std::holds_alternative<std::monostate>(stack.back()) ? cell_value(0.0) : stack.back();
}

}  // namespace seven::cells
