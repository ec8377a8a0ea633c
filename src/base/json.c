#include "base/json.h"

#include "base/number.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static void print_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *c = text; *c;) {
        gunichar code = g_utf8_get_char_validated(c, -1);
        bool valid = code != (gunichar)-1 && code != (gunichar)-2;
        size_t length = valid ? (size_t)g_unichar_to_utf8(code, NULL) : 1;
        if (!valid)
            fputs("\\ufffd", stream);
        else if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", stream);
        else if (code < 0x20 || code == 0x7f)
            fprintf(stream, "\\u%04x", (unsigned)code);
        else
            fwrite(c, 1, length, stream);
        c += length;
    }
    fputc('"', stream);
}

/* key NULL: an entry of a list, which has no key and stays on its line. */
static void print_key(struct json *json, const char *key)
{
    if (!key) {
        fputs(json->inside ? ", " : "", json->stream);
        json->inside = true;
        return;
    }
    fprintf(json->stream, "%s\n%*s", json->inside ? "," : "", 2 * json->depth, "");
    print_text(json->stream, key);
    fputs(": ", json->stream);
    json->inside = true;
}

struct json json_open(FILE *stream)
{
    fputc('{', stream);
    return (struct json){stream, 1, false};
}

void json_object(struct json *json, const char *key)
{
    print_key(json, key);
    fputc('{', json->stream);
    json->depth++;
    json->inside = false;
}

void json_close(struct json *json)
{
    json->depth--;
    fprintf(json->stream, "\n%*s}", 2 * json->depth, "");
    if (json->depth == 0)
        fputc('\n', json->stream);
    json->inside = true;
}

void json_list(struct json *json, const char *key)
{
    print_key(json, key);
    fputc('[', json->stream);
    json->inside = false;
}

void json_list_close(struct json *json)
{
    fputc(']', json->stream);
    json->inside = true;
}

void json_number_text(struct json *json, const char *key, const char *text)
{
    print_key(json, key);
    fputs(text, json->stream);
}

void json_text(struct json *json, const char *key, const char *text)
{
    print_key(json, key);
    if (text)
        print_text(json->stream, text);
    else
        fputs("null", json->stream);
}

void json_number(struct json *json, const char *key, double value)
{
    char text[NUMBER_TEXT];
    const char *quote = isfinite(value) ? "" : "\"";
    print_key(json, key);
    fprintf(json->stream, "%s%s%s", quote, number_format(value, text), quote);
}

void json_whole(struct json *json, const char *key, uint64_t value)
{
    print_key(json, key);
    fprintf(json->stream, "%llu", (unsigned long long)value);
}

void json_truth(struct json *json, const char *key, bool value)
{
    print_key(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void json_null(struct json *json, const char *key)
{
    json_text(json, key, NULL);
}
