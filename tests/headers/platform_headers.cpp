// A program includes what systems and libraries put before the user, as far as it is here, then tact, and simulates.
#include <arpa/nameser.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <syslog.h>
#include <termios.h>
#include <unistd.h>

#include <complex>
#if __has_include(<curses.h>)
#include <curses.h>
#endif
#if __has_include(<X11/Xutil.h>)
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#endif

#include "tact/future.hpp"
#include "tact/guarded.hpp"
#include "tact/patterns.hpp"
#include "tact/tact.hpp"

namespace {

struct deposit {
  long cents;
};
struct balance {
  using reply = long;
};
struct account : tact::protocol<deposit, tact::request<balance>> {};

tact::behavior<account> open_account(long cents) {
  return {
      [=](tact::self<account>& self, const deposit& m) { self.become(open_account(cents + m.cents)); },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

}  // namespace

bool platform_headers();
bool platform_headers() {
  const tact::exploration found = tact::explore(10, [](tact::simulation& s) {
    const auto a = s.engine().create(open_account(0), tact::named("savings"));
    a | deposit{1};
    s.check(s.engine().ask(a, balance{}) == 1, "a deposit counts");
  });
  return found.failed;
}
