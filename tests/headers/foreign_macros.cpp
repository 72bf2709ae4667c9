// The macros that Qt, X11 and Windows leave behind, defined before the headers: none of them meets a name of tact's.
// Qt, without QT_NO_KEYWORDS.
#define slots
#define signals public
#define emit
#define foreach(variable, container) for (variable : container)
#define forever for (;;)
#define Q_OBJECT
#define Q_SIGNALS public
#define Q_SLOTS
#define Q_EMIT
// X11: Xlib.h and X.h.
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define Always 2
#define Above 0
#define Below 1
#define True 1
#define False 0
#define Unsorted 0
#define Complex 0
#define Convex 2
#define Nonconvex 1
#define KeyPress 2
#define KeyRelease 3
#define Expose 12
#define FocusIn 9
#define FocusOut 10
#define CursorShape 0
#define ControlMask (1 << 2)
#define DestroyAll 0
#define RetainPermanent 1
#define NotUseful 0
#define WhenMapped 1
#define CurrentTime 0L
#define InputOutput 1
#define PreferBlanking 1
// Windows: windef.h, winbase.h, wingdi.h, winuser.h, winerror.h, rpcndr.h, objbase.h.
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define IN
#define OUT
#define OPTIONAL
#define far
#define near
#define FAR
#define NEAR
#define pascal
#define cdecl
#define small char
#define hyper long
#define interface struct
#define ERROR 0
#define NO_ERROR 0L
#define DELETE 0x00010000L
#define ABSOLUTE 1
#define RELATIVE 2
#define STRICT 1
#define TRANSPARENT 1
#define OPAQUE 2
#define PASSTHROUGH 19
#define IGNORE 0
#define INFINITE 0xFFFFFFFF
#define TRUE 1
#define FALSE 0
#define CALLBACK
#define CONST const
#define VOID void
#define SendMessage SendMessageW
#define PostMessage PostMessageW
#define GetMessage GetMessageW
#define PeekMessage PeekMessageW
#define DispatchMessage DispatchMessageW
#define CreateEvent CreateEventW
#define CreateMutex CreateMutexW
#define CreateWindow CreateWindowW
#define GetObject GetObjectW
#define Yield()

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
      [=](tact::self<account>& self, const deposit& m) {
        self.become(open_account(cents + m.cents));
        self.on_commit([] {});
      },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

class logger : public tact::actor<logger, deposit> {
 public:
  tact::allocation receive(tact::self<logger>& self, const deposit&) {
    self.send_after(std::chrono::seconds(1), self.ref(), deposit{2});
    return tact::allocation::finished;
  }
};

}  // namespace

long foreign_macros();
long foreign_macros() {
  tact::engine engine({.workers = 1, .shutdown_timeout = std::chrono::milliseconds(100)});
  const tact::ref<account> a = engine.create(open_account(0));
  engine.spawn<logger>() | deposit{1} | tact::finished_msg;
  a | deposit{1};
  (void)engine.try_send(a, deposit{2});
  engine.wait_idle();
  return engine.ask(a, balance{}) + static_cast<long>(engine.statistics().commits);
}
