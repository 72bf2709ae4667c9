// The last line of every header that a user may include: what begin.hpp has set holds no longer.
#pragma GCC diagnostic pop
