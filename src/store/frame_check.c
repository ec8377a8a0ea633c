#include "base/words.h"
#include "store/frame_format.h"

#include <math.h>
#include <stdio.h>

/* The range of the numbers of a field. */
struct range {
    double low, high;
    bool low_open; /* low itself is outside */
    const char *text;
};

static const struct range positive = {0.0, HUGE_VAL, true, "a finite number above 0"};
static const struct range not_negative = {0.0, HUGE_VAL, false, "a finite number from 0"};
static bool is_within(double value, const struct range *range)
{
    return isfinite(value) && value <= range->high &&
           (range->low_open ? value > range->low : value >= range->low);
}

static enum status wrong_number(const char *name, size_t particle, double value,
                                const struct range *range, struct error *error)
{
    return error_set(error, STATUS_INVALID, "%s of particle %zu is %g; it should be %s", name,
                     particle, value, range->text);
}

static enum status check_doubles(const char *name, size_t n, const double *value,
                                 const struct range *range, struct error *error)
{
    for (size_t i = 0; value && i < n; i++)
        if (!is_within(value[i], range))
            return wrong_number(name, i, value[i], range, error);
    return STATUS_OK;
}

static enum status check_vectors(const char *name, size_t n, const struct vec3 *value,
                                 struct error *error)
{
    for (size_t i = 0; value && i < n; i++)
        if (!vec3_finite(value[i]))
            return error_set(
                error, STATUS_INVALID,
                "%s of particle %zu is (%g, %g, %g); it should be three finite numbers", name, i,
                value[i].x, value[i].y, value[i].z);
    return STATUS_OK;
}

static enum status check_values(const struct frame *frame, struct error *error)
{
    const struct particles *p = &frame->particles;
    if (!is_within(frame->time, &not_negative))
        return error_set(error, STATUS_INVALID, "time is %g; it should be %s", frame->time,
                         not_negative.text);
    enum status status = check_vectors("position", p->n, p->position, error);
    if (!status)
        status = check_vectors("velocity", p->n, p->velocity, error);
    if (!status)
        status = check_vectors("rest_position", p->n, frame->rest_position, error);
    if (!status)
        status = check_doubles("mass", p->n, p->mass, &positive, error);
    if (!status)
        status = check_doubles("radius", p->n, p->radius, &positive, error);
    return status;
}

static enum status check_bodies(const struct frame *frame, struct error *error)
{
    const struct particles *p = &frame->particles;
    for (size_t b = 0; b < frame->n_bodies; b++)
        if (!word_is_name(frame->body_name[b], "_-"))
            return error_set(error, STATUS_INVALID,
                             "body %zu is called '%.100s'; a name has letters, digits, _ and -", b,
                             frame->body_name[b]);
    for (size_t i = 0; i < p->n; i++) {
        if (p->body[i] >= frame->n_bodies)
            return error_set(error, STATUS_INVALID, "particle %zu is of body %u, but there are %zu",
                             i, p->body[i], frame->n_bodies);
        if (p->state[i] >= PARTICLE_STATES)
            return error_set(error, STATUS_INVALID,
                             "particle %zu has the state %u instead of 0, 1, 2 or 3", i,
                             p->state[i]);
    }
    return STATUS_OK;
}

/* Checks sets of particles, each of which is named by its smallest member. */
static enum status check_sets(const char *name, size_t n, const uint32_t *smallest,
                              struct error *error)
{
    for (size_t i = 0; smallest && i < n; i++)
        if (smallest[i] > i || smallest[smallest[i]] != smallest[i])
            return error_set(error, STATUS_INVALID,
                             "%s of particle %zu is %u; it should be the smallest particle in its "
                             "%s",
                             name, i, smallest[i], name);
    return STATUS_OK;
}

static enum status check_sheets(const struct frame *frame, struct error *error)
{
    size_t n = frame->particles.n;
    for (size_t s = 0; s < frame->n_sheets; s++) {
        const struct sheet *sheet = &frame->sheet[s];
        if (sheet->body >= frame->n_bodies)
            return error_set(error, STATUS_INVALID, "sheet %zu is of body %u, but there are %zu", s,
                             sheet->body, frame->n_bodies);
        for (size_t t = 0; t < sheet->n_triangles; t++)
            for (size_t k = 0; k < 3; k++)
                if (sheet->triangle[t][k] >= n)
                    return error_set(error, STATUS_INVALID,
                                     "sheet %zu has a corner at particle %u of %zu", s,
                                     sheet->triangle[t][k], n);
    }
    return STATUS_OK;
}

/* Describes for people what the numbers of a system's field can be. */
static const char *describe_limits(const struct state_field *field, char *text, size_t size)
{
    bool any = field->low == field->high;
    if (any && field->width == 3)
        snprintf(text, size, "three finite numbers");
    else if (any)
        snprintf(text, size, "a finite number");
    else if (isfinite(field->high))
        snprintf(text, size, "a number from %g to %g", field->low, field->high);
    else
        snprintf(text, size, "a finite number from %g", field->low);
    return text;
}

static double number_at(const struct state_value *value, size_t k)
{
    const double *f64 = value->data;
    const float *f32 = value->data;
    return value->field->element == ELEMENT_F64 ? f64[k] : (double)f32[k];
}

static bool entry_is_right(const struct state_value *value, size_t row)
{
    const struct state_field *field = value->field;
    bool any = field->low == field->high;
    for (size_t k = row * field->width; k < (row + 1) * field->width; k++) {
        double number = number_at(value, k);
        if (!isfinite(number) || (!any && !(number >= field->low && number <= field->high)))
            return false;
    }
    return true;
}

static enum status wrong_entry(const struct state_value *value, size_t row, struct error *error)
{
    const struct state_field *field = value->field;
    char is[128] = "", limits[64];
    for (size_t k = 0, end = 0; k < field->width && end < sizeof is; k++)
        end += (size_t)snprintf(is + end, sizeof is - end, "%s%g", k ? ", " : "",
                                number_at(value, row * field->width + k));
    return error_set(error, STATUS_INVALID, "%s of %s %zu is %s%s%s; it should be %s", field->name,
                     field->form == STATE_LIST ? "entry" : "particle", row,
                     field->width > 1 ? "(" : "", is, field->width > 1 ? ")" : "",
                     describe_limits(field, limits, sizeof limits));
}

static enum status check_order(const struct state_value *value, struct error *error)
{
    const uint64_t *entry = value->data;
    for (size_t k = 1; k < value->rows; k++)
        if (entry[k] <= entry[k - 1])
            return error_set(
                error, STATUS_INVALID, "entry %zu of %s is %llu after %llu; they should ascend", k,
                value->field->name, (unsigned long long)entry[k], (unsigned long long)entry[k - 1]);
    return STATUS_OK;
}

/* Integers are not checked here; the system that gets them back knows what they can be. */
static enum status check_state(const struct state_value *value, struct error *error)
{
    enum element element = value->field->element;
    if (element == ELEMENT_F64 || element == ELEMENT_F32)
        for (size_t row = 0; row < value->rows; row++)
            if (!entry_is_right(value, row))
                return wrong_entry(value, row, error);
    return value->field->ascends ? check_order(value, error) : STATUS_OK;
}

enum status frame_check_rows(const struct frame *frame, struct error *error)
{
    struct series step = table_series(&frame->ledger, "step"),
                  time = table_series(&frame->ledger, "time");
    if (step.stride == 0 || time.stride == 0 || frame->ledger.n_rows == 0)
        return STATUS_OK;
    double last = step.value[(step.n - 1) * step.stride];
    double end = time.value[(time.n - 1) * time.stride];
    if (last != (double)frame->step || end != frame->time)
        return error_set(error, STATUS_INVALID,
                         "it is of step %llu, t = %.17g s, and the last row of its ledger of step "
                         "%.0f, t = %.17g s; they should be the same",
                         (unsigned long long)frame->step, frame->time, last, end);
    return STATUS_OK;
}

enum status frame_check(const struct frame *frame, struct error *error)
{
    enum status status = check_values(frame, error);
    if (!status)
        status = check_bodies(frame, error);
    if (!status)
        status = frame_check_rows(frame, error);
    if (!status)
        status = check_sets("group", frame->particles.n, frame->group, error);
    if (!status)
        status = check_sets("fragment", frame->particles.n, frame->fragment, error);
    if (!status)
        status = check_sheets(frame, error);
    for (size_t k = 0; k < frame->state.n && !status; k++)
        status = check_state(&frame->state.value[k], error);
    return status;
}
