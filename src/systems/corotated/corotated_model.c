#include "systems/corotated/corotated_model.h"

#include "config/key_rows.h"
#include "config/model_keys.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("young_modulus"), .type = KEY_NUMBER, .unit = "Pa", .range = ABOVE(0),
      .required = true,
      .help = "stress over strain of a bar that is pulled"},
     offsetof(struct corotated_material, young)},
    {{.path = MATERIAL_KEY("poisson_ratio"), .type = KEY_NUMBER, .unit = "1",
      .range = FROM_BELOW(0, 0.5), .required = true,
      .help = "strain across such a bar over strain along it; 0.5 would be an incompressible solid"},
     offsetof(struct corotated_material, poisson)},
    {{.path = MATERIAL_KEY("zero_energy_control"), .type = KEY_NUMBER, .unit = "1",
      .range = AT_LEAST(0), .fallback = "0.1",
      .help = "weight of the forces against displacements that the deformation gradient does not "
              "see; 0: none"},
     offsetof(struct corotated_material, control)},
    {{.path = MATERIAL_KEY("control"), .type = KEY_CHOICE, .words = "implicit|explicit",
      .fallback = "implicit",
      .help = "whether these forces are part of the solve, with an energy of their own, or those of "
              "Ganzenmueller (2015) at the start of the step, which are stable for small weights alone"},
     offsetof(struct corotated_material, way)},
    {{.path = MATERIAL_KEY("quadrature"), .type = KEY_CHOICE, .words = "uniform|kernel",
      .fallback = "uniform",
      .help = "volume of a particle in its elastic energy: that of its lattice cell, or one over the "
              "sum of the kernel, which is up to 1.39 times as large at faces and edges and makes "
              "them stiffer"},
     offsetof(struct corotated_material, quadrature)},
    {{.path = MATERIAL_KEY("flat_neighborhoods"), .type = KEY_CHOICE, .words = "refused|blind",
      .fallback = "refused",
      .help = "particles whose neighbors lie almost in a plane, as in parts of one layer: an error, or "
              "they are blind for what happens across it, which leaves such parts limp"},
     offsetof(struct corotated_material, flat)},
    {{.path = MATERIAL_KEY("neighbors"), .type = KEY_COUNT, .unit = "1", .range = COUNT_FROM(4),
      .words = "all", .fallback = "all",
      .help = "how many of the nearest particles within two spacings a particle has as neighbors, beside "
              "those that have it as one of theirs; all of them: 26 on a lattice"},
     offsetof(struct corotated_material, neighbors)},
    {{.path = MATERIAL_KEY("solver"), .type = KEY_CHOICE, .words = "prefactored|assembled|whole|newton",
      .fallback = "prefactored",
      .help = "how a step is solved: shape with a factor of its constant matrix and then volume, the "
              "same by conjugate gradients with that matrix, both at once by conjugate gradients "
              "without a matrix (as Peer et al. 2018), or both at once with the rotations of the end of "
              "the step, by Newton's method: those of the others lag, which slows swings in long steps"},
     offsetof(struct corotated_material, solver)},
    {{.path = MATERIAL_KEY("volume_rotations"), .type = KEY_CHOICE, .words = "renewed|kept",
      .fallback = "renewed",
      .help = "with a solver that solves for shape and then for volume: whether the latter has the "
              "rotations of the motion that the former found (Algorithm 1 of Kugelstadt et al. 2021), or "
              "the same as that"},
     offsetof(struct corotated_material, turning)},
};
/* clang-format on */

/* Refuses a body whose particles do not determine its deformation. */
static enum status check_shape(const struct body *body, const struct material *material, size_t n,
                               const struct vec3 *rest, struct error *error)
{
    const struct rest_setting setting = corotated_rest(material->parameters, body, n, rest);
    struct rest shape;
    enum status status = rest_create(&shape, &setting, error);
    if (status)
        return error_prefix(error, "%s:%d:%d: body '%s'", body->origin.file, body->origin.line,
                            body->origin.column, body->name);
    rest_free(&shape);
    return STATUS_OK;
}

const struct material_model corotated_model = {
    .name = "corotated",
    .help = "an elastic solid by corotated SPH",
    .size = sizeof(struct corotated_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .check_body = check_shape,
};

const struct material_model *const corotated_models[] = {&corotated_model, NULL};
