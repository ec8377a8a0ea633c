#include "base/element.h"

static const struct {
    const char *name;
    size_t size;
} elements[] = {
    [ELEMENT_F64] = {"float64", 8}, [ELEMENT_F32] = {"float32", 4}, [ELEMENT_U64] = {"uint64", 8},
    [ELEMENT_I64] = {"int64", 8},   [ELEMENT_U32] = {"uint32", 4},  [ELEMENT_U8] = {"uint8", 1},
};

size_t element_size(enum element element)
{
    return elements[element].size;
}

const char *element_name(enum element element)
{
    return elements[element].name;
}
