/* The types of an array's numbers, in memory and in files. */
#ifndef BASE_ELEMENT_H
#define BASE_ELEMENT_H

#include <stddef.h>

/* Little-endian in a file. */
enum element { ELEMENT_F64, ELEMENT_F32, ELEMENT_U64, ELEMENT_I64, ELEMENT_U32, ELEMENT_U8 };

size_t element_size(enum element element);
const char *element_name(enum element element); /* "float64", ... */

#endif
