/* The settings of a scene from a complete tree. */
#include "config/config_scene_parts.h"

#include <math.h>

/* The word "kinetic" reads as infinity and means the value of `friction`. */
static double static_friction(const struct node *contact)
{
    double given = number(contact, "static_friction");
    return isinf(given) ? number(contact, "friction") : given;
}

void config_scene_settings(const struct node *root, struct scene *scene)
{
    const struct node *time = node_get(root, "time"), *contact = node_get(root, "contact");
    const struct node *solver = node_get(root, "solver"), *stop = node_get(root, "stop");
    const struct node *position = node_get(root, "position");
    const struct node *pressure = node_get(root, "pressure"), *air = node_get(root, "air");
    scene->seed = node_get(root, "seed")->count;
    scene->nudge = node_get(root, "nudge")->count;
    scene->gravity = vector(root, "gravity");
    scene->air = (struct air_settings){.density = number(air, "density"),
                                       .wind = vector(air, "wind"),
                                       .drag = number(air, "drag"),
                                       .lift = number(air, "lift")};
    scene->time = (struct time_settings){.end = number(time, "end"),
                                         .max_step = number(time, "max_step"),
                                         .courant = number(time, "courant"),
                                         .motion = CHOSEN(CFL_RULES, time, "motion"),
                                         .frame_interval = number(time, "frame_interval")};
    scene->contact = (struct contact_settings){
        .method = CHOSEN(CONTACT_METHODS, contact, "method"),
        .detection = CHOSEN(DETECTIONS, contact, "detection"),
        .order = CHOSEN(MERGE_ORDERS, contact, "order"),
        .synchronization = CHOSEN(SYNCHRONIZATIONS, contact, "synchronization"),
        .roots = CHOSEN(ROOT_RULES, contact, "roots"),
        .stages = count(contact, "stages"),
        .alpha = number(contact, "alpha"),
        .beta = number(contact, "beta"),
        .group_min = count(contact, "group_min"),
        .group_max = count(contact, "group_max"),
        .stiffness = number(contact, "stiffness"),
        .correction = number(contact, "correction"),
        .friction = number(contact, "friction"),
        .static_friction = static_friction(contact)};
    scene->position =
        (struct position_settings){.iterations = count(position, "iterations"),
                                   .stabilization = count(position, "stabilization"),
                                   .omega = number(position, "omega"),
                                   .averaging = CHOSEN(AVERAGINGS, position, "averaging"),
                                   .friction = CHOSEN(FRICTIONS, position, "friction"),
                                   .mass_scaling = number(position, "mass_scaling"),
                                   .sleep_speed = number(position, "sleep_speed"),
                                   .stiffness = CHOSEN(BOND_STIFFNESSES, position, "stiffness"),
                                   .tethered = isfinite(number(position, "tether")),
                                   .slack = number(position, "tether"),
                                   .solid_weight = number(position, "solid_weight")};
    scene->pressure =
        (struct pressure_keys){.solver = CHOSEN(PRESSURE_SOLVERS, pressure, "solver"),
                               .correction = CHOSEN(PRESSURE_CORRECTIONS, pressure, "correction"),
                               .solids = CHOSEN(PRESSURE_SOLIDS, pressure, "solids"),
                               .density_tolerance = number(pressure, "density_tolerance"),
                               .divergence_tolerance = number(pressure, "divergence_tolerance"),
                               .most_iterations = count(pressure, "most_iterations")};
    scene->solver =
        (struct solver_settings){.integrator = CHOSEN(INTEGRATORS, solver, "integrator"),
                                 .tolerance = number(solver, "tolerance"),
                                 .max_iterations = count(solver, "max_iterations")};
    scene->stop = (struct stop_settings){.energy_gain = number(stop, "energy_gain"),
                                         .speed_ratio = number(stop, "speed_ratio")};
}
