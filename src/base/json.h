/* Writes JSON: objects, texts and numbers, in the order of the calls. Numbers read back to
 * the same bits. JSON has no numbers that are not finite; they become the texts "nan",
 * "inf" and "-inf"; null means that a value has no meaning here. Write errors stay in the stream.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *stream;
    int depth;
    bool inside; /* something was written at this depth: a comma is due */
};

/* The outermost object, and objects in it under a key; each is closed with json_close. The end of
 * the outermost one ends the line. */
struct json json_open(FILE *stream);
void json_object(struct json *json, const char *key);
void json_close(struct json *json);

/* A list under a key; between these two calls, values are its entries and have NULL for a key. */
void json_list(struct json *json, const char *key);
void json_list_close(struct json *json);

/* A number that is already text in the form that JSON requires. */
void json_number_text(struct json *json, const char *key, const char *text);

/* A NULL text becomes null. Bytes that are not UTF-8 become U+FFFD. */
void json_text(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, double value);
void json_whole(struct json *json, const char *key, uint64_t value);
void json_truth(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

#endif
