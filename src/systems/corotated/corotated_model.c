#include "systems/corotated/corotated_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("young_modulus"), .type = KEY_NUMBER, .unit = "Pa", .range = ABOVE(0),
      .required = true,
      .help = "Young's modulus: stress over strain of a bar that is pulled"},
     offsetof(struct corotated_material, young)},
    {{.path = MATERIAL_KEY("poisson_ratio"), .type = KEY_NUMBER, .unit = "1",
      .range = FROM_BELOW(0, 0.5), .required = true,
      .help = "Poisson's ratio: how much such a bar narrows across, over how much it stretches along; 0.5 "
              "would be an incompressible solid"},
     offsetof(struct corotated_material, poisson)},
    {{.path = MATERIAL_KEY("zero_energy_control"), .type = KEY_NUMBER, .unit = "1",
      .range = AT_LEAST(0), .fallback = "0.1",
      .help = "weight alpha of the forces against zero-energy modes, which are displacements that the "
              "deformation gradient does not see; 0: none"},
     offsetof(struct corotated_material, control)},
    {{.path = MATERIAL_KEY("control"), .type = KEY_CHOICE, .words = "implicit|explicit",
      .fallback = "implicit",
      .help = "how zero-energy modes are controlled: implicit, by forces that are part of the solve and "
              "have an energy of their own; explicit, by those of Ganzenmueller (2015) at the start of the "
              "step, which are stable only for small weights"},
     offsetof(struct corotated_material, way)},
    {{.path = MATERIAL_KEY("quadrature"), .type = KEY_CHOICE, .words = "uniform|kernel",
      .fallback = "uniform",
      .help = "volume of a particle in its elastic energy: uniform, that of its lattice cell; kernel, one "
              "over the sum of the kernel, which is up to 1.39 times as large at faces and edges and makes "
              "them stiffer"},
     offsetof(struct corotated_material, quadrature)},
    {{.path = MATERIAL_KEY("flat_neighborhoods"), .type = KEY_CHOICE, .words = "refused|blind|strained",
      .fallback = "refused",
      .help = "what is done with particles whose neighbors lie almost in a plane, as in parts of one "
              "layer: refused, they are an error; blind, they feel no deformation across that plane, which "
              "leaves such parts limp; strained, nor do they, but their energies are those of others, which "
              "count what they do not see as compressed: they push their neighbors apart at rest"},
     offsetof(struct corotated_material, flat)},
    {{.path = MATERIAL_KEY("neighbors"), .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(4),
      .words = "all", .fallback = "all",
      .help = "how many of the nearest particles within two spacings a particle takes as its neighbors; "
              "those that take it are its neighbors, too. all: every particle within two spacings, 26 on a "
              "lattice"},
     offsetof(struct corotated_material, neighbors)},
    {{.path = MATERIAL_KEY("solver"), .type = KEY_CHOICE, .words = "coupled|prefactored|assembled|whole|newton",
      .fallback = "coupled",
      .help = "how a step is solved: coupled, for shape and volume at once, with a factor of the constant "
              "matrix of shape; prefactored, for shape with that factor and then for volume (Algorithm 1 of "
              "Kugelstadt et al. 2021), which leaves bodies at rest too soft, the more so the longer steps "
              "are; assembled, the same, but by conjugate gradients with that matrix; whole, as coupled, but "
              "without a matrix (as Peer et al. 2018); newton, for both at once by Newton's method, with the "
              "rotations of the end of the step. The rotations of the other four lag behind, which slows "
              "oscillations in long steps. contact.method: sliding goes with coupled and whole"},
     offsetof(struct corotated_material, solver)},
    {{.path = MATERIAL_KEY("volume_rotations"), .type = KEY_CHOICE, .words = "renewed|kept",
      .fallback = "renewed",
      .help = "which rotations the solve for volume uses, with a solver that solves for shape first: "
              "renewed, those after the motion that the solve for shape found (Algorithm 1 of Kugelstadt "
              "et al. 2021); kept, those that the solve for shape used"},
     offsetof(struct corotated_material, turning)},
};
/* clang-format on */

/* Refuses a body whose particles do not determine its deformation. */
static enum status check_shape(const struct body *body, const struct material *material, size_t n,
                               const struct vec3 *rest, const struct sheet *surface,
                               struct error *error)
{
    (void)surface;
    const struct rest_setting setting = corotated_rest(material->parameters, body, n, rest);
    struct rest shape;
    enum status status = rest_create(&shape, &setting, error);
    if (status)
        return error_prefix(error, "%s:%d:%d: body '%s'", body->origin.file, body->origin.line,
                            body->origin.column, body->name);
    rest_free(&shape);
    return STATUS_OK;
}

/* Constraints are solved with one linear problem of all forces. */
static void check_solver(struct model_check *check, const void *parameters)
{
    const struct corotated_material *material = parameters;
    if (check->links && material->solver != COROTATED_COUPLED &&
        material->solver != COROTATED_WHOLE)
        model_complain(
            check, "solver",
            "'solver' is neither coupled nor whole, and contact.method: sliding needs one "
            "that finds all forces of a step at once, with rotations that are known; give "
            "coupled");
}

const struct material_model corotated_model = {
    .name = "corotated",
    .help = "an elastic solid by corotated SPH",
    .size = sizeof(struct corotated_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .excludes = EXCLUDES_OTHER_INTEGRATORS | EXCLUDES_IMPLICIT_CONTACT | EXCLUDES_WALLS |
                EXCLUDES_POSITIONS,
    .check = check_solver,
    .check_body = check_shape,
};

const struct material_model *const corotated_models[] = {&corotated_model, NULL};
