#include "systems/sph/fluid_model.h"

#include "base/number.h"
#include "config/fluid_keys.h"
#include "constraints/density.h"

/* clang-format off */
static const struct model_key keys[] = {
    {{.path = MATERIAL_KEY("pressure"), .type = KEY_NUMBER, .unit = "Pa", .range = ABOVE(0),
      .words = "none", .fallback = "none",
      .help = "stiffness k of the pressure p = k ((density / density at rest)^2 - 1), which is never "
              "negative; with contact.method: position-based it plays no part, and otherwise it must "
              "be given"},
     offsetof(struct fluid_material, pressure)},
    {{.path = MATERIAL_KEY("viscosity"), .type = KEY_NUMBER, .unit = "m^2/s",
      .range = AT_LEAST(0), .required = true,
      .help = "kinematic viscosity"},
     offsetof(struct fluid_material, viscosity)},
    {{.path = MATERIAL_KEY("support"), .type = KEY_NUMBER, .unit = "spacings",
      .range = FROM_TO(2, 3), .fallback = "2",
      .help = "how far particles of the fluid see each other: 2 is cheap, but such a fluid at rest "
              "bears loads as a heap of grains does, so that bodies that are let go in it begin to "
              "move too slowly; the farther, the less so. Not for contact.method: position-based"},
     offsetof(struct fluid_material, support)},
    FLUID_KEY_SOLIDS(offsetof(struct fluid_material, solids)),
    {{.path = MATERIAL_KEY("wall_pressure"), .type = KEY_CHOICE,
      .words = CHOICE_WORDS(WALL_PRESSURES), .fallback = "own",
      .help = "pressure at points of walls: own, from the density of the fluid there, so that walls "
              "make no energy; mirrored, that of the particle that they push and the weight between "
              "(Adami, Hu and Adams 2012)"},
     offsetof(struct fluid_material, wall_pressure)},
    {{.path = MATERIAL_KEY("cohesion"), .type = KEY_NUMBER, .unit = "m/s^2", .range = AT_LEAST(0),
      .fallback = "0",
      .help = "the acceleration with which two particles of the fluid pull at each other at half the support, "
              "where it is largest (after Akinci et al. 2013), so that drops are round. For "
              "contact.method: position-based"},
     offsetof(struct fluid_material, cohesion)},
    {{.path = MATERIAL_KEY("buoyancy"), .type = KEY_NUMBER, .unit = "1", .range = ANY, .fallback = "0",
      .help = "of gas, the part of its weight that air or other gas around it, which is not simulated, "
              "bears: above 1 it rises (1 - alpha of UPP 7.2.1). For contact.method: position-based."},
     offsetof(struct fluid_material, buoyancy)},
    {{.path = MATERIAL_KEY("drag"), .type = KEY_NUMBER, .unit = "1/s", .range = AT_LEAST(0),
      .fallback = "0",
      .help = "of gas, the rate at which air around it, which moves with air.wind, takes the velocity "
              "of a lone particle; inside the gas nothing does (k of UPP 29). For contact.method: "
              "position-based"},
     offsetof(struct fluid_material, drag)},
    {{.path = MATERIAL_KEY("baroclinity"), .type = KEY_NUMBER, .unit = "1/s", .range = AT_LEAST(0),
      .fallback = "0",
      .help = "of gas, how strongly weight makes vortices at its surface, which drive it: as of gas "
              "that is lighter than the air around it (beta of UPP 31). For contact.method: position-based"},
     offsetof(struct fluid_material, baroclinity)},
};
/* clang-format on */

static double pressure_at(const void *parameters, double ratio)
{
    const struct fluid_material *fluid = parameters;
    if (isinf(fluid->pressure))
        return (double)NAN;
    return fmax(fluid->pressure * (ratio * ratio - 1.0), 0.0);
}

/* Refuses a cohesion that steps of constraints of positions are too long for: with g dt^2 of 0.0128
 * spacings a cube stays a drop, with 0.018 it flies apart. */
static void check_cohesion(struct model_check *check, const struct fluid_material *fluid)
{
    static const double most_of_spacing = 0.013;
    const double most = most_of_spacing * 2 * check->radius / (check->longest * check->longest);
    char value[NUMBER_TEXT], step[NUMBER_TEXT];
    if (!(fluid->cohesion > most))
        return;
    number_write(fluid->cohesion, value);
    number_write(check->longest, step);
    model_complain(check, "cohesion",
                   "a cohesion of %s m/s^2 tears the fluid apart in steps of %s s (time.max_step); "
                   "give at most %.3g m/s^2, or steps of at most %.3g s",
                   value, step, 0.99 * most, sqrt(0.99 * most / fluid->cohesion) * check->longest);
}

/* Refuses a viscosity that steps of constraints of positions are too long for. */
static void check_viscosity(struct model_check *check, const struct fluid_material *fluid)
{
    char value[NUMBER_TEXT], step[NUMBER_TEXT];
    double spacing = 2 * check->radius;
    double most = density_most_viscosity(spacing, 2 * spacing, check->longest);
    if (!(fluid->viscosity > most))
        return;
    number_write(fluid->viscosity, value);
    number_write(check->longest, step);
    model_complain(check, "viscosity",
                   "a viscosity of %s m^2/s takes more than all motion in a step of %s s "
                   "(time.max_step); give at most %.3g m^2/s, or steps of at most %.3g s",
                   value, step, 0.99 * most, 0.99 * most / fluid->viscosity * check->longest);
}

bool fluid_is_gas(const struct fluid_material *fluid)
{
    return fluid->buoyancy != 0.0 || fluid->drag != 0.0 || fluid->baroclinity != 0.0;
}

/* Refuses what only weight does. */
static void check_weight(struct model_check *check, const struct fluid_material *fluid)
{
    static const char *const name[] = {"buoyancy", "baroclinity"};
    const double value[] = {fluid->buoyancy, fluid->baroclinity};
    for (size_t k = 0; check->gravity == 0.0 && k < sizeof value / sizeof value[0]; k++)
        if (fabs(value[k]) > 0.0)
            model_complain(check, name[k],
                           "'%s' is a part of weight, and there is no gravity; leave it out, or "
                           "give a gravity",
                           name[k]);
}

/* Refuses vortices that grow by so much in a step that they move their neighbors by more than a
 * spacing in the same one, beta g dt^3. A plume of eight particles across in steps of 2 to 8 ms is
 * compressed by at most 1.4 % up to 1.25 spacings, and by 19 to 35 % from 1.6 on. */
static void check_vortices(struct model_check *check, const struct fluid_material *fluid)
{
    const double dt = check->longest, of_one = check->gravity * dt * dt * dt;
    const double most = 2 * check->radius / of_one;
    char value[NUMBER_TEXT], step[NUMBER_TEXT];
    if (!(of_one > 0.0) || !(fluid->baroclinity > most))
        return;
    number_write(fluid->baroclinity, value);
    number_write(dt, step);
    model_complain(check, "baroclinity",
                   "a rate of %s 1/s makes vortices in a step of %s s (time.max_step) that throw "
                   "particles past each other; give at most %.3g 1/s, or steps of at most %.3g s",
                   value, step, 0.99 * most, cbrt(0.99 * most / fluid->baroclinity) * dt);
}

/* Refuses what only constraints of positions do. */
static void check_no_pull(struct model_check *check, const struct fluid_material *fluid)
{
    static const char *const name[] = {"cohesion", "buoyancy", "drag", "baroclinity"};
    const double value[] = {fluid->cohesion, fluid->buoyancy, fluid->drag, fluid->baroclinity};
    for (size_t k = 0; k < sizeof value / sizeof value[0]; k++)
        if (fabs(value[k]) > 0.0)
            model_complain(
                check, name[k],
                "it is for contact.method: position-based, where fluids keep their density "
                "without a pressure; leave it out");
}

/* Refuses materials that allow only explicit steps so short (sph_limit.c) that a run would take
 * more than 1e9 of them. */
static void check_steps(struct model_check *check, const void *parameters)
{
    static const double most_steps = 1e9;
    const struct fluid_material *fluid = parameters;
    double s = 2 * check->radius, least = check->end / most_steps;
    char value[NUMBER_TEXT], radius[NUMBER_TEXT];
    if (check->positions) {
        check_viscosity(check, fluid);
        check_cohesion(check, fluid);
        check_weight(check, fluid);
        check_vortices(check, fluid);
        if (fluid->support > 2.0)
            model_complain(check, "support",
                           "constraints of positions (contact.method: position-based) have a "
                           "support of 2 spacings; leave it out");
        return;
    }
    check_no_pull(check, fluid);
    if (isinf(fluid->pressure))
        model_complain(check, "pressure",
                       "a fluid without 'pressure' is for contact.method: position-based; give it "
                       "one, in Pa, above 0");
    if (!(s > 0) || !(least > 0))
        return;
    number_write(check->radius, radius);
    double thinnest = 0.0625 * s * s / least;
    if (fluid->viscosity > thinnest) {
        number_write(fluid->viscosity, value);
        model_complain(check, "viscosity",
                       "a viscosity of %s m^2/s makes steps of %.3g s for particles of radius %s "
                       "m, more than 1e9 until time.end; give at most %.3g m^2/s",
                       value, 0.0625 * s * s / fluid->viscosity, radius, 0.99 * thinnest);
    }
    double density = check->particle_mass / (s * s * s);
    double softest = 0.08 * s * s * density / (least * least);
    if (fluid->pressure > softest && isfinite(fluid->pressure)) {
        number_write(fluid->pressure, value);
        model_complain(check, "pressure",
                       "a pressure of %s Pa makes steps of %.3g s for particles of radius %s m, "
                       "more than 1e9 until time.end; give at most %.3g Pa",
                       value, 0.4 * s / sqrt(2 * fluid->pressure / density), radius,
                       0.99 * softest);
    }
}

const struct material_model fluid_model = {
    .name = "fluid",
    .help = "a fluid",
    .size = sizeof(struct fluid_material),
    .n_keys = sizeof keys / sizeof keys[0],
    .key = keys,
    .flows = true,
    .nearly_incompressible = true,
    .excludes = EXCLUDES_PRESSURE,
    .pressure = pressure_at,
    .check = check_steps,
};

const struct material_model *const fluid_models[] = {&fluid_model, NULL};
