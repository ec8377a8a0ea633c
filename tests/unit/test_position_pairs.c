/* What a particle is to contact.method: position-based, and which pairs its phase lets collide.
 * Values that claims about unified particle physics are about. */
#include "theory_scenes.h"

/* Grains, a cloth that collides with itself, one that does not, rigid bodies and two fluids, all in
 * each other; `kinds` says which of them there are, bit by bit. */
enum { GRAINS, CLOTH, QUIET_CLOTH, BODIES, FLUIDS, KINDS };

static void add_kind(struct hand_scene *h, int kind, double radius)
{
    const struct vec3 still = vec3(0.0, 0.0, 0.0);
    size_t material;
    switch (kind) {
    case GRAINS:
        add_body(h, add_loose(h), radius, 0.2);
        add_block(h, 5, 5, 3, vec3(0.01, 0.0, 0.02), still);
        break;
    case CLOTH:
    case QUIET_CLOTH:
        add_body(h, add_springs(h, 400.0, 400.0, 20.0, 0.0), radius, 0.3);
        add_block(h, 6, 6, 1, vec3(0.0, 0.03, kind == CLOTH ? 0.1 : 0.17), still);
        if (kind == QUIET_CLOTH)
            h->body[h->scene.n_bodies - 1].self_contact = SELF_CONTACT_IGNORED;
        break;
    case BODIES:
        material = add_rigid(h);
        for (int b = 0; b < 2; b++) {
            add_body(h, material, radius, 0.4);
            add_block(h, 3, 3, 3, vec3(0.12 * b, 0.05, 0.06 * b), still);
        }
        break;
    default:
        for (int b = 0; b < 2; b++) {
            add_body(h, add_fluid(h, 2e4, 0.0), 0.05, 1.0 + b);
            add_block(h, 3, 4, 3, vec3(0.1 * b, 0.02, 0.04), still);
        }
    }
}

static void begin_kinds(struct hand_scene *h, unsigned kinds)
{
    /* bonds come before fluids, and these before rigid bodies */
    static const int order[KINDS] = {CLOTH, QUIET_CLOTH, GRAINS, FLUIDS, BODIES};
    begin(h, 1, 1.0 / 240.0);
    h->scene.position.solid_weight = 1.0;
    add_gravity(h);
    for (int k = 0; k < KINDS; k++)
        if (kinds >> order[k] & 1)
            add_kind(h, order[k], 0.05);
    jitter(h, 0.04, kinds + 1);
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.velocity[i] = random_vector(77, i);
}

/* Whether two particles may collide by what their bodies are: not two of fluids, not two of a rigid
 * body or of a cloth that does not collide with itself, and not two that are bonded or that touch
 * at rest. */
static bool may_collide(const struct hand_scene *h, const struct simulation *s, uint32_t i,
                        uint32_t j)
{
    const uint32_t a = s->particles.body[i], b = s->particles.body[j];
    if (scene_body_flows(&h->scene, a) && scene_body_flows(&h->scene, b))
        return false;
    if (a != b)
        return true;
    const struct material_model *model = h->material[h->body[a].material].model;
    if (model == &rigid_model || h->body[a].self_contact == SELF_CONTACT_IGNORED)
        return false;
    if (model == &loose_model)
        return true;
    return !bonded_whole(s->bonded, i, j) &&
           vec3_norm(vec3_sub(h->rest[j], h->rest[i])) >= 2.0 * s->particles.radius[i];
}

static size_t wrong_pairs(unsigned kinds, size_t *found)
{
    struct hand_scene h;
    struct simulation s;
    size_t wrong = 0, at = 0;
    begin_kinds(&h, kinds);
    start(&h, &s);
    const size_t n = s.particles.n;
    struct vec3 *there = malloc(n * sizeof *there);
    const double dt = h.scene.time.max_step;
    for (size_t i = 0; i < n; i++)
        there[i] = vec3_axpy(s.particles.position[i], dt,
                             vec3_axpy(s.particles.velocity[i], dt, h.scene.gravity));
    step_once(&s);
    const struct position_based *p = (const struct position_based *)s.scheme;
    const struct pair_list *near = &p->near.list;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            const double reach = s.particles.radius[i] + s.particles.radius[j] + p->margin * 0.05;
            const bool meant =
                vec3_norm(vec3_sub(there[j], there[i])) < reach && may_collide(&h, &s, i, j);
            const bool is = at < near->n && near->pair[at].i == i && near->pair[at].j == j;
            wrong += meant != is;
            at += is;
        }
    *found += near->n;
    check_equal(at, near->n, "pairs in ascending order");
    free(there);
    leave(&h, &s);
    return wrong;
}

TEST(exactly_those_collide_that_may)
{
    size_t wrong = 0, found = 0;
    for (unsigned kinds = 1; kinds < 1u << KINDS; kinds++)
        wrong += wrong_pairs(kinds, &found);
    measured("UPP.pairs.wrong", (double)wrong);
    measured("UPP.pairs.found", (double)found);
    check_equal(wrong, 0, "pairs that are found and may not collide, or the other way round");
    check(found > 1000);
}

/* A run goes on to the bit from place, velocity, mass and body of its particles, which is its
 * phase, where all have one radius and none is fixed. */
TEST(a_particle_is_seven_numbers_and_an_integer)
{
    struct hand_scene h;
    struct simulation s, again;
    struct error error = {0};
    struct particles copy;
    const struct restart fresh = {0};
    begin_kinds(&h, (1u << KINDS) - 1);
    start(&h, &s);
    for (int k = 0; k < 10; k++)
        step_once(&s);
    const struct particles *p = &s.particles;
    check_equal(particles_create(&copy, p->n, &error), STATUS_OK, error.message);
    memcpy(copy.position, p->position, p->n * sizeof *copy.position);
    memcpy(copy.velocity, p->velocity, p->n * sizeof *copy.velocity);
    memcpy(copy.mass, p->mass, p->n * sizeof *copy.mass);
    memcpy(copy.body, p->body, p->n * sizeof *copy.body);
    for (size_t i = 0; i < p->n; i++)
        copy.radius[i] = 0.05;
    check_equal(simulation_create(&again, &h.scene, &copy, h.rest, &fresh, &error), STATUS_OK,
                error.message);
    size_t differs = 0;
    for (int k = 0; k < 10; k++) {
        step_once(&s);
        step_once(&again);
    }
    for (size_t i = 0; i < p->n; i++)
        differs += memcmp(&p->position[i], &again.particles.position[i], sizeof *p->position) != 0;
    measured("UPP.core.differs", (double)differs);
    measured("UPP.core.bytes", (double)(sizeof *copy.position + sizeof *copy.velocity +
                                        sizeof *copy.mass + sizeof *copy.body));
    check_equal(differs, 0, "particles elsewhere");
    simulation_free(&again);
    leave(&h, &s);
}
