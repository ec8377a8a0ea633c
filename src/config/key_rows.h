/* Shorthand for the rows of tables of keys (config_keys.h). */
#ifndef CONFIG_KEY_ROWS_H
#define CONFIG_KEY_ROWS_H

#include "config/config_keys.h"

#include <math.h>
#include <stdint.h>

/* clang-format off */
#define ANY               {-HUGE_VAL, HUGE_VAL, true, true}
#define ABOVE(a)          {(a), HUGE_VAL, true, true}
#define AT_LEAST(a)       {(a), HUGE_VAL, false, true}
#define FROM_TO(a, b)     {(a), (b), false, false}
#define ABOVE_TO(a, b)    {(a), (b), true, false}
#define FROM_BELOW(a, b)  {(a), (b), false, true}
#define BETWEEN(a, b)     {(a), (b), true, true}
#define COUNT_FROM(a)     {(a), UINT32_MAX - 1, false, false}
/* clang-format on */

#endif
