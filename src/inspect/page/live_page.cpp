#include "tact/inspect/live_page.hpp"

#include <csignal>
#include <thread>

#include "inspect/page/checked_options.hpp"
#include "inspect/page/page_server.hpp"
#include "inspect/page/survey.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

class live_page::server_thread {
 public:
  server_thread(engine& of, recorder* steps, live_page_options options)
      : survey_(of, steps, options.allow_control),
        server_(options, survey_),
        url_(place_of(options, server_.port()) + '#' + options.token),
        thread_(started([this] { server_.run(); })) {}
  ~server_thread() {
    server_.stop();
    thread_.join();
  }
  server_thread(const server_thread&) = delete;
  server_thread& operator=(const server_thread&) = delete;

  [[nodiscard]] const std::string& url() const noexcept { return url_; }

 private:
  // Signals are for the threads of the program.
  template <class F>
  static std::thread started(F body) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto restored = [&] { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); };
    try {
      std::thread made(body);
      ::pthread_setname_np(made.native_handle(), "tact-page");
      restored();
      return made;
    } catch (...) {
      restored();
      throw;
    }
  }

  survey survey_;
  page_server server_;
  const std::string url_;
  std::thread thread_;
};

namespace {

live_page_options served(const live_page_options& options) {
  if (detail::is_simulated())
    throw usage_error("live_page: a simulation has one thread and virtual time; record it by tact::inspect::recorder");
  return checked(options);
}

}  // namespace

live_page::live_page(engine& of, const live_page_options& options)
    : thread_(std::make_unique<server_thread>(of, nullptr, served(options))) {}
live_page::live_page(engine& of, recorder& steps, const live_page_options& options)
    : thread_(std::make_unique<server_thread>(of, &steps, served(options))) {}
live_page::~live_page() = default;

const std::string& live_page::url() const noexcept { return thread_->url(); }

}  // namespace tact::inspect
