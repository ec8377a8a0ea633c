#include "config/contact_method.h"

const char *contact_method_word(size_t k)
{
#define WORD(word, value, ...) [value] = word,
    static const char *const words[] = {CONTACT_METHODS(WORD)};
#undef WORD
    return k < sizeof words / sizeof words[0] ? words[k] : NULL;
}
