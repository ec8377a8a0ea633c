#include "analysis/compare.h"

#include "store/field_values.h"
#include "store/frame_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static double value_at(const struct field_values *v, size_t i)
{
    const char *p = (const char *)v->data + i * element_size(v->element);
    union {
        double f64;
        float f32;
        uint64_t u64;
        int64_t i64;
        uint32_t u32;
        uint8_t u8;
    } x;
    memcpy(&x, p, element_size(v->element));
    const double as_double[] = {
        [ELEMENT_F64] = x.f64,         [ELEMENT_F32] = (double)x.f32, [ELEMENT_U64] = (double)x.u64,
        [ELEMENT_I64] = (double)x.i64, [ELEMENT_U32] = x.u32,         [ELEMENT_U8] = x.u8,
    };
    return as_double[v->element];
}

static void count_entry(struct difference *d, const struct field_values *a,
                        const struct field_values *b, size_t row, size_t i)
{
    size_t size = element_size(a->element);
    if (memcmp((const char *)a->data + i * size, (const char *)b->data + i * size, size) == 0)
        return;
    double x = value_at(a, i), y = value_at(b, i), gap = fabs(x - y);
    double scale = fmax(fabs(x), fabs(y));
    if (d->n_different++ == 0)
        d->first = row;
    if (!isfinite(x) || !isfinite(y))
        d->max_abs = d->max_rel = (double)NAN;
    if (gap > d->max_abs)
        d->max_abs = gap;
    if (scale > 0.0 && gap / scale > d->max_rel)
        d->max_rel = gap / scale;
}

/* Counts the different entries in columns [begin, end) of both. */
static struct difference count_entries(const char *field, const struct field_values *a,
                                       const struct field_values *b, size_t begin, size_t end)
{
    struct difference d = {.field = field, .comparable = true};
    for (size_t row = 0; row < a->rows; row++)
        for (size_t k = begin; k < end; k++)
            count_entry(&d, a, b, row, row * a->width + k);
    return d;
}

struct comparison {
    const struct frame *a, *b;
    difference_report *report;
    void *context;
    size_t n_different;
};

static void tell(struct comparison *c, const struct difference *d)
{
    if (d->comparable && d->n_different == 0)
        return;
    c->n_different++;
    c->report(d, c->context);
}

static void tell_reason(struct comparison *c, const char *field, const char *reason)
{
    tell(c, &(struct difference){.field = field, .reason = reason});
}

static bool same_columns(const struct table *a, const struct table *b)
{
    for (size_t i = 0; i < a->n_columns; i++)
        if (strcmp(a->column[i].name, b->column[i].name) != 0)
            return false;
    return true;
}

static void compare_columns(struct comparison *c, const struct field *field,
                            const struct field_values *a, const struct field_values *b)
{
    const struct table *table = frame_member_const(c->a, field->offset);
    if (!same_columns(table, frame_member_const(c->b, field->offset))) {
        tell_reason(c, field->name, "has other columns");
        return;
    }
    for (size_t i = 0; i < a->width; i++) {
        struct difference d = count_entries(field->name, a, b, i, i + 1);
        d.column = table->column[i].name;
        tell(c, &d);
    }
}

static void compare_values(struct comparison *c, const struct field *field,
                           const struct field_values *a, const struct field_values *b)
{
    if (a->present != b->present) {
        tell_reason(c, field->name, a->present ? "is only in the first" : "is only in the second");
    } else if (!a->present) {
        return;
    } else if (a->rows != b->rows || a->width != b->width) {
        tell_reason(c, field->name, "has another size");
    } else if (field->form == FORM_TABLE) {
        compare_columns(c, field, a, b);
    } else {
        struct difference d = count_entries(field->name, a, b, 0, a->width);
        tell(c, &d);
    }
}

enum status frame_compare(const struct frame *a, const struct frame *b, difference_report *report,
                          void *context, size_t *n_different, struct error *error)
{
    struct comparison c = {a, b, report, context, 0};
    enum status status = STATUS_OK;
    struct fields all;
    fields_find(&all);
    for (size_t i = 0; status == STATUS_OK && i < all.n; i++) {
        const struct field *field = &all.field[i];
        struct field_values x, y = {0};
        status = field_values_create(a, field, &x, error);
        if (status == STATUS_OK)
            status = field_values_create(b, field, &y, error);
        if (status == STATUS_OK)
            compare_values(&c, field, &x, &y);
        field_values_free(&x);
        field_values_free(&y);
    }
    *n_different = c.n_different;
    return status;
}

struct printer {
    FILE *stream;
    const char *name; /* of the frame */
};

static void print_difference(const struct difference *d, void *context)
{
    const struct printer *p = context;
    fprintf(p->stream, "%s: %s%s%s", p->name, d->field, d->column ? "." : "",
            d->column ? d->column : "");
    if (!d->comparable)
        fprintf(p->stream, " %s\n", d->reason);
    else
        fprintf(p->stream,
                " differs in %zu entries, the first at %zu: max abs %.3g, max rel %.3g\n",
                d->n_different, d->first, d->max_abs, d->max_rel);
}

static enum status compare_files(FILE *stream, const char *name, const char *a, const char *b,
                                 size_t *n_different, struct error *error)
{
    struct frame x, y;
    struct printer printer = {stream, name};
    size_t n = 0;
    enum status status = frame_read(a, &x, error);
    if (status != STATUS_OK)
        return status;
    status = frame_read(b, &y, error); /* after a failure, y is empty */
    if (status == STATUS_OK)
        status = frame_compare(&x, &y, print_difference, &printer, &n, error);
    *n_different += n;
    frame_free(&y);
    frame_free(&x);
    return status;
}

/* Both lists are sorted by number, so one pass over both finds the common frames. */
static enum status compare_lists(FILE *stream, const struct frame_list *a,
                                 const struct frame_list *b, size_t *n_different,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0, j = 0; (i < a->n || j < b->n) && status == STATUS_OK;) {
        bool in_a = i < a->n && (j == b->n || a->frame[i].number <= b->frame[j].number);
        bool in_b = j < b->n && (i == a->n || b->frame[j].number <= a->frame[i].number);
        if (in_a && in_b) {
            const char *name = strrchr(a->frame[i].path, '/') + 1;
            status =
                compare_files(stream, name, a->frame[i].path, b->frame[j].path, n_different, error);
        } else {
            fprintf(stream, "%s: is only in the %s\n",
                    strrchr(in_a ? a->frame[i].path : b->frame[j].path, '/') + 1,
                    in_a ? "first" : "second");
            (*n_different)++;
        }
        i += in_a;
        j += in_b;
    }
    return status;
}

static enum status compare_initial(FILE *stream, const char *a, const char *b, size_t *n_different,
                                   struct error *error)
{
    char *x, *y = NULL;
    enum status status = path_join(a, "initial.hdf", &x, error);
    if (status == STATUS_OK)
        status = path_join(b, "initial.hdf", &y, error);
    if (status == STATUS_OK)
        status = compare_files(stream, "initial.hdf", x, y, n_different, error);
    free(x);
    free(y);
    return status;
}

static enum status compare_runs(FILE *stream, const char *a, const char *b, size_t *n_different,
                                struct error *error)
{
    struct frame_list x = {0}, y = {0};
    enum status status = compare_initial(stream, a, b, n_different, error);
    if (status == STATUS_OK)
        status = frame_list_read(a, &x, error);
    if (status == STATUS_OK)
        status = frame_list_read(b, &y, error);
    if (status == STATUS_OK)
        status = compare_lists(stream, &x, &y, n_different, error);
    frame_list_free(&x);
    frame_list_free(&y);
    return status;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

enum status compare_paths(FILE *stream, const char *a, const char *b, bool *identical,
                          struct error *error)
{
    size_t n = 0;
    enum status status;
    if (is_folder(a) != is_folder(b))
        return error_set(error, STATUS_INVALID,
                         "%s and %s: one is a folder; give two frames or two run folders", a, b);
    if (is_folder(a))
        status = compare_runs(stream, a, b, &n, error);
    else
        status = compare_files(stream, "frame", a, b, &n, error);
    *identical = n == 0;
    if (status == STATUS_OK && n == 0)
        fputs("identical\n", stream);
    return status;
}
