// The first line of every header that a user may include; tact/detail/end.hpp is the last. Between the two the compiler
// is silent about three things, whatever the user's options are, because no way of writing the headers avoids them. A
// parameter or local variable has the name of something global in the user's program: it hides nothing that tact would
// use. A cast does nothing: on another machine, or for other arguments of a template, it does. A pointer that is never
// null is looked up by a function that may return null, which GCC sees after inlining. Behind the last line the user's
// own code is warned of as before. This header has no guard, because each header that begins ends, too.
// docs/decisions/0066-warnings-that-no-header-avoids.md
#include "tact/detail/language.hpp"  // first

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wnull-dereference"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
