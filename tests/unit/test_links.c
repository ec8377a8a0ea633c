/* Links: their ends, components and matrix, against plain loops. */
#include "failing_memory.h"
#include "particles/links.h"
#include "particles/random.h"
#include "tap.h"

enum { PARTICLES = 400, LINKS = 900 };

/* Random links between particles near each other on a line, some fixed, and some walls. */
static void fill(struct links *links, struct particles *p, size_t n, uint64_t seed)
{
    struct error error = {0};
    if (particles_create(p, PARTICLES, &error) || links_create(links, PARTICLES, &error) ||
        links_reserve(links, n, &error))
        abort();
    for (uint32_t i = 0; i < PARTICLES; i++) {
        p->position[i] = vec3(i, random_uniform(seed, 0, i, RANDOM_TEST), 0.0);
        p->state[i] = i % 7 == 3 ? PARTICLE_FIXED : PARTICLE_FREE;
    }
    for (size_t c = 0; c < n; c++) {
        uint32_t i = (uint32_t)(random_uniform(seed, 1, c, RANDOM_TEST) * (PARTICLES - 6));
        uint32_t j = i + 1 + (uint32_t)(random_uniform(seed, 2, c, RANDOM_TEST) * 4.0);
        struct vec3 n_c = vec3(random_uniform(seed, 3, c, RANDOM_TEST) - 0.5, 0.3, 0.4);
        links->link[c] = (struct link){.i = i,
                                       .j = c % 9 == 0 ? LINK_WALL : j,
                                       .normal = vec3_scale(1.0 / vec3_norm(n_c), n_c)};
    }
    links->n = n;
    links_connect(links, p);
}

static void release(struct links *links, struct particles *p)
{
    links_free(links);
    particles_free(p);
}

static bool shares(const struct links *links, const struct particles *p, size_t c, size_t d)
{
    const struct link *a = &links->link[c], *b = &links->link[d];
    bool at_i = (a->i == b->i || a->i == b->j) && !p->state[a->i];
    bool at_j = a->j != LINK_WALL && (a->j == b->i || a->j == b->j) && !p->state[a->j];
    return at_i || at_j;
}

TEST(components_share_free_particles)
{
    struct links links;
    struct particles p;
    static uint32_t label[LINKS];
    static bool seen[LINKS];
    fill(&links, &p, 160, 1);
    for (uint32_t c = 0; c < links.n; c++)
        label[c] = c;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t c = 0; c < links.n; c++)
            for (size_t d = 0; d < links.n; d++)
                if (shares(&links, &p, c, d) && label[d] < label[c]) {
                    label[c] = label[d];
                    changed = true;
                }
    }
    for (size_t c = 0; c < links.n; c++)
        for (size_t d = 0; d < links.n; d++)
            check((label[c] == label[d]) == (links.component[c] == links.component[d]));
    for (size_t k = 0; k < links.n_components; k++)
        for (size_t m = links.start[k]; m < links.start[k + 1]; m++) {
            check_equal(links.component[links.member[m]], k, "component of a member");
            check(!seen[links.member[m]]);
            seen[links.member[m]] = true;
        }
    check(links.n_components > 10 && links.start[links.n_components] == links.n);
    release(&links, &p);
}

TEST(ends_are_those_of_links)
{
    struct links links;
    struct particles p;
    fill(&links, &p, LINKS, 2);
    for (size_t e = 1; e < links.n_ends; e++)
        check(links.particle[e - 1] < links.particle[e]);
    for (size_t c = 0; c < links.n; c++) {
        check_equal(links.particle[links.end_i[c]], links.link[c].i, "i");
        if (links.link[c].j == LINK_WALL)
            check_equal(links.end_j[c], LINK_WALL, "wall");
        else
            check_equal(links.particle[links.end_j[c]], links.link[c].j, "j");
    }
    links_clear(&links);
    links_connect(&links, &p);
    check(links.n_ends == 0 && links.n_components == 0);
    release(&links, &p);
}

/* The same by what links move. */
static void check_sides(const struct links *links, const struct sym3 *mobility, const double *x,
                        const struct vec3 *pushed)
{
    static struct contact_side side[2 * LINKS];
    static double motion[PARTICLES][6];
    links_find_sides(links, mobility, side);
    for (size_t k = 0; k < 2 * links->n; k++)
        for (size_t i = 0; i < side[k].width; i++)
            motion[side[k].moved][i] += side[k].along[0][i] * x[k / 2];
    for (size_t c = 0; c < links->n; c++) {
        double speed = 0.0;
        for (size_t k = 2 * c; k < 2 * c + 2; k++)
            for (size_t i = 0; i < side[k].width; i++)
                speed += side[k].along[0][i] * motion[side[k].moved][i];
        check_close(speed, links_speed(links, c, pushed), 1e-12, "by what moves");
    }
}

/* J D J^T applied to a vector is J of D of J^T of it. */
TEST(the_matrix_is_that_of_its_rows)
{
    struct links links;
    struct particles p;
    struct links_matrix matrix = {0};
    struct error error = {0};
    static struct sym3 mobility[PARTICLES];
    static struct vec3 pushed[PARTICLES];
    static double x[LINKS];
    fill(&links, &p, LINKS, 3);
    for (size_t e = 0; e < links.n_ends; e++)
        if (!p.state[links.particle[e]])
            mobility[e] = (struct sym3){2.0 + (double)(e % 3), 0.3, -0.2, 3.0, 0.1, 1.5};
    check(!links_matrix_build(&matrix, &links, mobility, &error));
    for (size_t c = 0; c < links.n; c++) {
        x[c] = random_uniform(4, 0, c, RANDOM_TEST);
        links_push(&links, c, x[c], pushed);
    }
    for (size_t e = 0; e < links.n_ends; e++)
        pushed[e] = sym3_mul(mobility[e], pushed[e]);
    for (size_t c = 0; c < links.n; c++)
        check_close(sparse_rows_times(&matrix.rows, c, x), links_speed(&links, c, pushed), 1e-12,
                    "row");
    check_sides(&links, mobility, x, pushed);
    links_matrix_free(&matrix);
    release(&links, &p);
}

/* Of links that are kept, what they share with each other; of the others likewise. */
TEST(a_part_of_the_matrix_is_that_of_its_rows)
{
    struct links links;
    struct particles p;
    struct links_matrix whole = {0}, part = {0};
    struct error error = {0};
    static struct sym3 mobility[PARTICLES];
    static double x[LINKS], y[LINKS];
    static uint8_t kept[LINKS];
    fill(&links, &p, LINKS, 5);
    for (size_t e = 0; e < links.n_ends; e++)
        mobility[e] = (struct sym3){1.0, 0.0, 0.0, 1.0, 0.0, 1.0};
    check(!links_matrix_build(&whole, &links, mobility, &error));
    check(!links_matrix_build(&part, &links, mobility, &error));
    for (size_t c = 0; c < links.n; c++) {
        kept[c] = c % 3 == 0;
        x[c] = kept[c] ? random_uniform(6, 0, c, RANDOM_TEST) : 0.0;
        y[c] = kept[c] ? x[c] : random_uniform(6, 1, c, RANDOM_TEST);
    }
    links_matrix_keep(&part, kept);
    for (size_t c = 0; c < links.n; c++)
        if (kept[c])
            check_close(sparse_rows_times(&part.rows, c, y), sparse_rows_times(&whole.rows, c, x),
                        1e-14, "row");
    check(part.rows.start[links.n] < whole.rows.start[links.n]);
    links_matrix_free(&whole);
    links_matrix_free(&part);
    release(&links, &p);
}

TEST(no_allocation_fails_unnoticed)
{
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct links links;
        memory.status = links_create(&links, 10, &memory.error);
        if (!memory.status)
            memory.status = links_reserve(&links, 100, &memory.error);
        memory_works(&memory);
        links_free(&links);
    }
    check(memory.n > 0);
}
