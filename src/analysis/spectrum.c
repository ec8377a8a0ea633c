#include "analysis/spectrum.h"

#include "analysis/rigid_fit.h"
#include "analysis/run_tables.h"
#include "analysis/summary_parts.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

const struct column spectrum_columns[SPECTRUM_WIDTH] = {
#define SPECTRUM_COLUMN(name, unit, sentence) {#name, unit, sentence},
    SPECTRUM_COLUMNS(SPECTRUM_COLUMN)
#undef SPECTRUM_COLUMN
};

const struct column bending_columns[BENDING_WIDTH] = {
#define BENDING_COLUMN(name, unit, sentence) {#name, unit, sentence},
    BENDING_COLUMNS(BENDING_COLUMN)
#undef BENDING_COLUMN
};

/* Modes with at least this many half-waves count as bending. */
static const double bending_from = 4.0;

static size_t first_of_body(const struct particles *p, uint32_t body, size_t *n)
{
    size_t first = p->n;
    *n = 0;
    for (size_t i = p->n; i-- > 0;)
        if (p->body[i] == body) {
            first = i;
            ++*n;
        }
    return first;
}

static bool rim_is_held(const uint8_t *fixed, size_t nx, size_t ny)
{
    for (size_t r = 0; r < ny; r++)
        for (size_t c = 0; c < nx; c++)
            if ((r == 0 || c == 0 || r == ny - 1 || c == nx - 1) && !fixed[r * nx + c])
                return false;
    return true;
}

static bool any_is_held(const uint8_t *fixed, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fixed[i])
            return true;
    return false;
}

static enum status create_modes(struct sheet_modes *s, size_t nx, size_t ny, struct error *error)
{
    enum status (*create)(struct modes *, size_t, struct error *) =
        s->margin ? modes_sine : modes_cosine;
    size_t inside_x = nx - 2 * s->margin, inside_y = ny - 2 * s->margin;
    s->n = inside_x * inside_y;
    if (create(&s->x, inside_x, error) || create(&s->y, inside_y, error) ||
        array_create(&s->rest, nx * ny, sizeof *s->rest, "a sheet at rest", error) ||
        array_create(&s->value, s->n, sizeof *s->value, "displacements", error) ||
        array_create(&s->scratch, s->n, sizeof *s->scratch, "displacements", error) ||
        array_create(&s->coefficient, s->n, sizeof *s->coefficient, "modes", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

static enum status begin_sheet(struct sheet_modes *s, const struct body *body, uint32_t index,
                               const struct particles *p, struct error *error)
{
    size_t nx = body->shape.cells[0], ny = body->shape.cells[1], n;
    size_t first = first_of_body(p, index, &n);
    if (n != nx * ny || first + n > p->n || p->body[first + n - 1] != index)
        return error_set(error, STATUS_INVALID,
                         "sheet \"%s\" has %zu particles that do not make %zu x %zu", body->name, n,
                         nx, ny);
    *s = (struct sheet_modes){.body = index,
                              .first = first,
                              .columns = nx,
                              .margin = rim_is_held(p->state + first, nx, ny),
                              .held = any_is_held(p->state + first, n),
                              .normal =
                                  vec3(body->rotation[2], body->rotation[5], body->rotation[8])};
    if (create_modes(s, nx, ny, error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++)
        s->rest[i] = p->position[first + i];
    return STATUS_OK;
}

enum status spectrum_begin(struct spectrum *spectrum, const struct scene *scene,
                           const struct frame *initial, struct error *error)
{
    *spectrum = (struct spectrum){0};
    size_t n = 0;
    for (size_t b = 0; b < scene->n_bodies; b++)
        n += scene->body[b].shape.kind == SHAPE_SHEET;
    enum status status =
        array_create(&spectrum->sheet, n, sizeof *spectrum->sheet, "modes of sheets", error);
    for (size_t b = 0; b < scene->n_bodies && status == STATUS_OK; b++)
        if (scene->body[b].shape.kind == SHAPE_SHEET)
            status = begin_sheet(&spectrum->sheet[spectrum->n_sheets++], &scene->body[b],
                                 (uint32_t)b, &initial->particles, error);
    return status;
}

void spectrum_free(struct spectrum *spectrum)
{
    for (size_t k = 0; spectrum->sheet && k < spectrum->n_sheets; k++) {
        struct sheet_modes *s = &spectrum->sheet[k];
        modes_free(&s->x);
        modes_free(&s->y);
        free(s->rest);
        free(s->value);
        free(s->scratch);
        free(s->coefficient);
    }
    free(spectrum->sheet);
    free(spectrum->row);
    *spectrum = (struct spectrum){0};
}

/* Displacements out of the rest plane. If particles are held, the plane stays where it was at the
 * start; otherwise it follows the rigid motion that fits best. */
static void measure_displacements(struct sheet_modes *s, const struct vec3 *position)
{
    size_t rows = s->y.n + 2 * s->margin;
    struct rigid_placement motion = RIGID_REST;
    if (!s->held)
        motion = rigid_fit(s->columns * rows, s->rest, position);
    struct vec3 normal = rigid_rotate(&motion, s->normal);
    for (size_t r = 0; r < s->y.n; r++)
        for (size_t c = 0; c < s->x.n; c++) {
            size_t i = (r + s->margin) * s->columns + c + s->margin;
            struct vec3 rest = rigid_carry(&motion, s->rest[i]);
            s->value[r * s->x.n + c] = vec3_dot(normal, vec3_sub(position[i], rest));
        }
}

static size_t band_of(double waves)
{
    int exponent;
    if (waves < 1.0)
        return 0;
    frexp(waves, &exponent); /* 2^(exponent-1) <= waves < 2^exponent */
    return (size_t)exponent < SPECTRUM_BANDS ? (size_t)exponent : SPECTRUM_BANDS - 1;
}

static void measure_bands(const struct sheet_modes *s, struct spectrum_row *row)
{
    double *band = (double *)row + SPECTRUM_FIRST_BAND;
    for (size_t l = 0; l < s->y.n; l++)
        for (size_t k = 0; k < s->x.n; k++) {
            double kx = (double)(k + s->x.first), ky = (double)(l + s->y.first);
            double waves = sqrt(kx * kx + ky * ky), c = s->coefficient[l * s->x.n + k];
            band[band_of(waves)] += c * c;
            row->bending += waves >= bending_from ? c * c : 0.0;
        }
    double inverse_n = s->n > 0 ? 1.0 / (double)s->n : 0.0;
    row->bending = sqrt(inverse_n * row->bending);
    for (size_t b = 0; b < SPECTRUM_BANDS; b++)
        band[b] = sqrt(inverse_n * band[b]);
    for (size_t i = 0; i < s->n; i++)
        row->rms += s->value[i] * s->value[i];
    row->rms = sqrt(inverse_n * row->rms);
}

enum status spectrum_add(struct spectrum *spectrum, const struct frame *frame, struct error *error)
{
    size_t n = spectrum->n_sheets, used = spectrum->n_frames * n;
    if (array_reserve(&spectrum->row, &spectrum->capacity, used + n, sizeof *spectrum->row,
                      "rows of sheets", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++) {
        struct sheet_modes *s = &spectrum->sheet[k];
        struct spectrum_row *row = &spectrum->row[used + k];
        *row = (struct spectrum_row){
            .sheet = s->body, .frame = (double)frame->number, .time = frame->time};
        if (s->first + s->columns * (s->y.n + 2 * s->margin) > frame->particles.n)
            return error_set(error, STATUS_INVALID, "has fewer particles than the initial frame");
        measure_displacements(s, frame->particles.position + s->first);
        modes_expand(&s->x, &s->y, s->value, s->scratch, s->coefficient);
        measure_bands(s, row);
    }
    spectrum->n_frames++;
    return STATUS_OK;
}

static double worse(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

struct bending spectrum_bending(const struct spectrum *spectrum, size_t sheet)
{
    struct bending bending = {0};
    double inverse_n = 1.0 / (double)spectrum->n_frames;
    for (size_t f = 0; f < spectrum->n_frames; f++) {
        const struct spectrum_row *row = &spectrum->row[f * spectrum->n_sheets + sheet];
        bending.bending_mean += inverse_n * row->bending;
        bending.bending_max = worse(bending.bending_max, row->bending);
        bending.rms_mean += inverse_n * row->rms;
        bending.rms_max = worse(bending.rms_max, row->rms);
    }
    return bending;
}

static struct table table_of(const void *memory)
{
    const struct spectrum *spectrum = memory;
    return (struct table){SPECTRUM_WIDTH, spectrum_columns, spectrum->n_frames * spectrum->n_sheets,
                          (double *)spectrum->row};
}

static enum status begin_table(void *history, const struct analysis *analysis, struct error *error)
{
    return spectrum_begin(history, &analysis->scene, &analysis->record->initial, error);
}

static enum status add_to_table(void *history, const struct frame *frame, struct error *error)
{
    return spectrum_add(history, frame, error);
}

static void free_table(void *history)
{
    spectrum_free(history);
}

/* Writes how much each sheet bent. */
static void summarize(struct json *json, const void *history, const struct analysis *analysis)
{
    const struct spectrum *spectrum = history;
    json_object(json, "sheets");
    for (size_t k = 0; k < spectrum->n_sheets; k++) {
        struct bending bending = spectrum_bending(spectrum, k);
        json_object(json, analysis->record->initial.body_name[spectrum->sheet[k].body]);
        summary_print_columns(json, BENDING_WIDTH, bending_columns, (const double *)&bending);
        json_close(json);
    }
    json_close(json);
}

static void explain_summary(FILE *stream)
{
    columns_print(stream, "sheets.NAME of summary.json", BENDING_WIDTH, bending_columns);
}

const struct run_table spectrum_csv = {
    .file = "spectrum.csv",
    .rows = "frame and sheet",
    .size = sizeof(struct spectrum),
    .begin = begin_table,
    .add = add_to_table,
    .free = free_table,
    .table = table_of,
    .n_columns = SPECTRUM_WIDTH,
    .column = spectrum_columns,
    .summarize = summarize,
    .explain_summary = explain_summary,
};
