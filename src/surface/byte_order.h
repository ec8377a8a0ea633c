/* Writes numbers into binary files in a given byte order, whatever the machine's. */
#ifndef SURFACE_BYTE_ORDER_H
#define SURFACE_BYTE_ORDER_H

#include "base/vec3.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Writes the lowest `size` bytes of `bits`; put_little begins with the lowest of them, put_big with
 * the highest. */
static inline void put_little(FILE *stream, uint64_t bits, size_t size)
{
    unsigned char byte[8];
    for (size_t k = 0; k < size; k++)
        byte[k] = (unsigned char)(bits >> 8 * k);
    fwrite(byte, 1, size, stream);
}

static inline void put_big(FILE *stream, uint64_t bits, size_t size)
{
    unsigned char byte[8];
    for (size_t k = 0; k < size; k++)
        byte[k] = (unsigned char)(bits >> 8 * (size - 1 - k));
    fwrite(byte, 1, size, stream);
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
