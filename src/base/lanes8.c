#include "base/lanes8.h"

/* The sixteen sets of the lanes 0 to 3, each together with the higher lanes given. */
#define WITH_LOWER(...)                                                                            \
    {__VA_ARGS__}, {0, __VA_ARGS__}, {1, __VA_ARGS__}, {0, 1, __VA_ARGS__}, {2, __VA_ARGS__},      \
        {0, 2, __VA_ARGS__}, {1, 2, __VA_ARGS__}, {0, 1, 2, __VA_ARGS__}, {3, __VA_ARGS__},        \
        {0, 3, __VA_ARGS__}, {1, 3, __VA_ARGS__}, {0, 1, 3, __VA_ARGS__}, {2, 3, __VA_ARGS__},     \
        {0, 2, 3, __VA_ARGS__}, {1, 2, 3, __VA_ARGS__}, {0, 1, 2, 3, __VA_ARGS__},

const uint8_t lanes8_chosen_lanes[1 << LANES8][LANES8] = {
    WITH_LOWER(0) /* none: what follows means nothing */
    WITH_LOWER(4) WITH_LOWER(5) WITH_LOWER(4, 5) WITH_LOWER(6) WITH_LOWER(4, 6) WITH_LOWER(5, 6)
        WITH_LOWER(4, 5, 6) WITH_LOWER(7) WITH_LOWER(4, 7) WITH_LOWER(5, 7) WITH_LOWER(4, 5, 7)
            WITH_LOWER(6, 7) WITH_LOWER(4, 6, 7) WITH_LOWER(5, 6, 7) WITH_LOWER(4, 5, 6, 7)};
