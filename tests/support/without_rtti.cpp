#include "support/without_rtti.hpp"

#include <exception>

#include "tact/tact.hpp"

namespace tact::support {
namespace {

// Its virtual table is made here, without type information.
class own_exception : public std::exception {
 public:
  explicit own_exception(const char* text) noexcept : text_(text) {}
  [[nodiscard]] const char* what() const noexcept override { return text_; }

 private:
  const char* text_;
};

struct plain {};
struct nested {};
struct asked {
  using reply = int;
};
struct clumsy : tact::protocol<plain, nested, tact::request<asked>> {};

tact::behavior<clumsy> make_clumsy() {
  return {
      [](auto&, const plain&) { throw own_exception("its own"); },
      [](auto&, const nested&) {
        try {
          throw own_exception("inner");
        } catch (...) {
          std::throw_with_nested(own_exception("outer"));
        }
      },
      [](auto&, const tact::request<asked>&) { throw own_exception("asked"); },
  };
}

}  // namespace

reported_without_rtti report_without_rtti() {
  reported_without_rtti all;
  tact::engine engine({.workers = 1, .on_failure = [&](const tact::failure_report& r) {
                         if (r.message.ends_with("plain")) all.plain = r.what;
                         if (!r.message.ends_with("nested")) return;
                         all.nested = r.what;
                         all.causes = r.causes;
                       }});
  const tact::ref<clumsy> a = engine.create(make_clumsy(), tact::parallel);
  a | plain{} | nested{};
  engine.wait_idle();
  try {
    (void)engine.ask(a, asked{});
  } catch (const tact::ask_error& e) {
    all.asked = e.what();
  }
  return all;
}

}  // namespace tact::support
