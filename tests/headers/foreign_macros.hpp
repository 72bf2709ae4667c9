// The macros that headers of systems and libraries leave behind: none of them meets a name of tact's. What the standard
// library does not survive is not among them.
#pragma once

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
// Windows and its relatives, more.
#define huge
#define BLOCK 1
#define PURE
#define THIS
#define DOMAIN 1
#define BOOL int
#define CONTEXT int
#define LEFT 1
#define RIGHT 2
#define WINDING 2
#define ALTERNATE 1
#define CreateFile CreateFileW
#define CopyFile CopyFileW
#define GetClassName GetClassNameW
#define GetCurrentTime() 0
#define GetFreeSpace(w) (0x100000L)
#define UNALIGNED
// Xutil.h, more of X.h and Xlib.h.
#define NoValue 0
#define AllValues 0x000F
#define NormalState 1
#define NoSymbol 0L
#define BadValue 2
#define BadRequest 1
#define GrayScale 1
#define Opposite 4
#define LockMask (1 << 1)
#define Button1 1
#define AllPlanes 0
#define DefaultScreen(d) 0
// macOS: AssertMacros.h, objc.h, MacTypes.h.
#define check(...)
#define verify(assertion)
#define require(assertion, label)
#define check_noerr(error)
#define nil 0
#define Nil 0
#define YES 1
#define NO 0
// sys/param.h, sys/sysmacros.h, termios.h, math.h of System V, curses.h, syslog.h, arpa/nameser.h, readline.
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define howmany(x, y) (((x) + ((y)-1)) / (y))
#define roundup(x, y) ((((x) + ((y)-1)) / (y)) * (y))
#define powerof2(x) ((((x)-1) & (x)) == 0)
#define isset(a, i) 0
#define setbit(a, i) 0
#define NBBY 8
#define HZ 100
#define PAGE_SIZE 4096
#define major(dev) 0
#define minor(dev) 0
#define ECHO 0000010
#define B0 0
#define NL0 0
#define TAB1 1
#define CTRL(x) ((x)&037)
#define OVERFLOW 3
#define UNDERFLOW 4
#define OK (0)
#define ERR (-1)
#define COLOR_RED 1
#define LOG_ERR 3
#define QUERY 0
#define STATUS 2
#define RETURN '\r'
#define TAB '\t'
#define ESC '\033'
// GNU modes of the compilers; GLib; loggers; habits of C programs.
#define unix 1
#define linux 1
#define ABS(a) (((a) < 0) ? -(a) : (a))
#define CLAMP(x, low, high) (x)
#define LOG(severity)
#define CHECK(condition)
#define ASSERT(condition)
#define INFO 0
#define WARNING 1
#define FATAL 2
#define DEBUG 1
#define TRACE 1
#define likely(x) (x)
#define unlikely(x) (x)
#define BIT(n) (1 << (n))
#define PI 3.14
