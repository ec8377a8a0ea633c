"""Scenes that nobody chose: a seed gives up to four bodies of any materials that fly at each other, and any methods, options
and surroundings that go together. The rules of the configuration refuse none of them."""

import math
import random

SPACING = 0.17  # between the middles of bodies, m: more than the largest of them is across, however it is turned
SOLIDS = {"ball": {"radius": 0.055}, "box": {"size": [0.1, 0.08, 0.06]}, "cylinder": {"radius": 0.04, "height": 0.1}}
BASELINES = ["penalty", "implicit-penalty", "sph", "impulse", "iterated-impulse", "corrected-penalty", "corrected-impulse", "barrier", "none"]
FLUIDS = {"fluid", "flip"}
HOLDABLE = {"mass-spring", "peridynamics", "corotated"}


class Dice(random.Random):
    def within(self, low, high):
        """A number whose logarithm is evenly distributed."""
        return round(math.exp(self.uniform(math.log(low), math.log(high))), 6)

    def vector(self, most):
        return [round(self.uniform(-most, most), 4) for _ in range(3)]

    def chance(self, probability):
        return self.random() < probability


# ---- materials -----------------------------------------------------------------------------------

def mass_spring(dice):
    return {"stretch_stiffness": dice.within(10, 1000), "shear_stiffness": dice.within(5, 500), "bend_stiffness": dice.choice([0, 5, 50]),
            "damping": dice.choice([0, 2e-4])}


def peridynamics(dice):
    material = {"stiffness": dice.within(20, 2000), "horizon": dice.choice([1.5, 2, 3]), "damping": dice.choice([0, 1e-4]),
                "volumes": dice.choice(["whole", "reduced"])}
    if dice.chance(0.4):
        material["critical_stretch"] = dice.within(0.002, 0.1)
    elif dice.chance(0.3):
        material["fracture_energy"] = dice.within(0.01, 10)
    if ("critical_stretch" in material or "fracture_energy" in material) and dice.chance(0.3):
        material["strengthening"] = dice.choice([0, 0.25])
    return material


def corotated(dice):
    return {"young_modulus": dice.within(1e4, 3e6), "poisson_ratio": dice.choice([0, 0.3, 0.45, 0.49, 0.4999]),
            "quadrature": dice.choice(["uniform", "kernel"]), "zero_energy_control": dice.choice([0, 0.1, 0.1, 1]),
            "solver": dice.choice(["coupled", "prefactored", "assembled", "whole", "newton"])}


def fluid(dice):
    return {"pressure": dice.within(1e4, 3e5), "viscosity": dice.within(1e-4, 1e-2)}


def flip(dice):
    material = {"marking": dice.choice(["all", "fluid"]), "transfer": dice.choice(["flip", "apic"])}
    if material["transfer"] == "flip":
        material["blend"] = dice.choice([0, 0.97, 1])
    return material


MATERIALS = {"mass-spring": mass_spring, "peridynamics": peridynamics, "corotated": corotated, "fluid": fluid, "flip": flip, "loose": lambda dice: {}}


# ---- methods -------------------------------------------------------------------------------------

def merging(dice):
    return {"alpha": dice.choice([0, 0.5, 1]), "beta": dice.choice([0, 0.5, 1]), "order": dice.choice(["index", "shuffled"]),
            "synchronization": dice.choice(["own-members", "average", "sum", "sequential"]),
            "stages": dice.choice([1, 2, 3, 8]), "group_min": dice.choice([2, 4]), "group_max": dice.choice([4, 16, 64, "unlimited"]),
            "roots": dice.choice(["taken", "taken", "ignored"])}


def sliding(dice):
    return {"alpha": dice.choice([0, 0.5, 1])}


def contact(dice, models):
    """The method and its options, for bodies of these models."""
    method = dice.choice(["merging-and-splitting"] * 4 + ["sliding"] * 4 + BASELINES)
    if "corotated" in models and method in ("implicit-penalty", "barrier") or method == "barrier" and models & FLUIDS:
        method = "merging-and-splitting"
    chosen = {"method": method}
    if method == "merging-and-splitting":
        chosen.update(merging(dice))
    elif method == "sliding":
        chosen.update(sliding(dice))
    elif "penalty" in method:
        chosen["stiffness"] = dice.within(1e3, 1e5)
    elif method == "sph":
        chosen["stiffness"] = dice.within(1e3, 1e6)
    return chosen


def choose_integrator(dice, scene, models):
    only_backward = "corotated" in models or scene["contact"]["method"] in ("barrier", "iterated-impulse", "corrected-impulse")
    explicit = [] if scene["contact"]["method"] == "sliding" else ["verlet"]
    choices = ["backward-euler"] if only_backward else ["backward-euler", "newmark", *explicit]
    scene["solver"] = {"integrator": dice.choice(choices), "tolerance": dice.choice([1e-5, 1e-8, 1e-10]), "max_iterations": 100000}


def choose_detection(dice, scene):
    """Swept detection, and with it longer steps, or, for sliding contact, discrete detection and friction."""
    chosen = scene["contact"]
    if chosen["method"] in ("merging-and-splitting", "sliding") and dice.chance(0.4):
        chosen["detection"] = "swept"
        scene["time"]["courant"] = dice.choice([1, 2.5, 5])
    elif chosen["method"] == "sliding":
        chosen["detection"] = "discrete"
        chosen["friction"] = dice.choice([0, 0.3, 0.6])
        chosen["static_friction"] = chosen["friction"] + dice.choice([0, 0.2])


# ---- bodies --------------------------------------------------------------------------------------

def shape(dice, model):
    if model == "mass-spring":
        return {"sheet": {"cells": [dice.choice([5, 6]), 6]}}
    kind = dice.choice(sorted(SOLIDS))
    return {kind: SOLIDS[kind]}


def body(dice, model, place):
    """A body that flies towards the middle of the scene, or is held."""
    made = {"radius": 0.01 if dice.chance(0.6) else dice.choice([0.008, 0.012]), "density": dice.within(200, 5000), "position": place,
            "shape": shape(dice, model)}
    if model == "mass-spring":
        made["fixed"] = dice.choice(["none", "rim", "left", "corners"])
    elif model in HOLDABLE and dice.chance(0.2):
        made["fixed_in"] = {"ball": {"radius": 0.025}}
    if model == "loose" and dice.chance(0.2):
        made["fixed"] = "all"
        return made
    if model not in FLUIDS and dice.chance(0.3):
        made["mass_from"] = "volume"
    if model not in FLUIDS and dice.chance(0.15):
        made["self_contact"] = "ignored"
    made["velocity"] = [round(-x * dice.uniform(10, 40), 3) for x in place]
    if dice.chance(0.4):
        made["spin"] = dice.vector(20)
    if dice.chance(0.4):
        made["rotation"] = {"axis": [1, dice.uniform(-1, 1), dice.uniform(-1, 1)], "degrees": round(dice.uniform(0, 180), 1)}
    return made


def is_held(made):
    return "fixed_in" in made or made.get("fixed", "none") not in ("none", "all")


def settings(dice, scene, model):
    """Those of a second FLIP fluid are the first one's, because both are on one grid."""
    drawn = MATERIALS[model](dice)
    alike = [made for made in scene["materials"].values() if made["model"] == model == "flip"]
    return alike[0] if alike else drawn


def add_bodies(dice, scene, models):
    corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    dice.shuffle(corners)
    for number, model in enumerate(models):
        name = f"{model}-{number}"
        scene["materials"][name] = {"model": model, **settings(dice, scene, model)}
        if model == "corotated" and scene["contact"]["method"] == "sliding" and scene["materials"][name]["solver"] != "whole":
            scene["materials"][name]["solver"] = "coupled"
        scene["bodies"][name] = made = {"material": name, **body(dice, model, [SPACING * x for x in corners[number]])}
        if is_held(made) and scene["contact"]["method"] != "barrier" and dice.chance(0.4):
            scene["motions"][name] = {"body": name, "velocity": [0.3, 0, 0.2], "turning": {"axis": [0, 0, 1], "turns": 1.5}, "ramp": 0.002}


def tank(dice):
    """A cube, as one part or as two that meet at a seam."""
    if dice.chance(0.5):
        return {"box": {"size": [0.4, 0.4, 0.4]}}
    return {"union": [{"box": {"size": [0.2, 0.4, 0.4], "center": [x, 0, 0]}} for x in (-0.1, 0.1)]}


def add_surroundings(dice, scene, models):
    """A tank, which FLIP needs, and an outlet for fluids."""
    holds = ["all"] if "corotated" not in models or scene["contact"]["method"] == "sliding" else []
    if models & FLUIDS:
        holds.append("fluids")
    if "flip" in models or holds and dice.chance(0.4):
        scene["walls"]["tank"] = {"keep": "inside", "holds": dice.choice(holds), "shape": tank(dice)}
    if models & FLUIDS and dice.chance(0.2):
        scene["outlets"]["drain"] = {"shape": {"box": {"size": [0.1, 0.1, 0.02]}}, "position": [0, 0, -0.17]}
    if models & FLUIDS and dice.chance(0.3):
        scene["diffuse"]["smoke"] = {"shape": {"ball": {"radius": 0.15}}, "number": 200, "rate": 20000, "lifetime": dice.choice([0.01, 0.1])}


def choose_room(dice, scene, models):
    """Whether solids take room in fluids: not if they are coarser."""
    radii = {flows: [made["radius"] for made in scene["bodies"].values() if (scene["materials"][made["material"]]["model"] in FLUIDS) == flows]
             for flows in (False, True)}
    if models & FLUIDS and models - FLUIDS:
        word = "ignored" if max(radii[False]) > min(radii[True]) else dice.choice(["displace", "displace", "ignored"])
        for material in scene["materials"].values():
            if material["model"] in FLUIDS:
                material["solids"] = word


def choose_models(dice):
    """The models of all bodies."""
    return [dice.choice(["mass-spring", "peridynamics", "corotated", "fluid", "flip", "loose", "peridynamics"]) for _ in range(dice.randint(2, 4))]


def add_air(dice, scene, models):
    """Wind on sheets, which are those of springs."""
    if "mass-spring" in models and dice.chance(0.3):
        scene["air"] = {"density": dice.within(1, 100), "wind": dice.vector(10), "drag": dice.choice([1, 2]), "lift": dice.choice([0, 1])}


def random_scene(seed):
    """A mapping, as Python has a configuration."""
    dice = Dice(seed)
    models = choose_models(dice)
    scene = {"name": f"random-{seed}", "seed": seed, "gravity": dice.choice([[0, 0, -9.81], dice.vector(10)]), "materials": {}, "bodies": {},
             "motions": {}, "walls": {}, "outlets": {}, "diffuse": {},
             "time": {"end": 0.02, "frame_interval": 0.005, "max_step": dice.choice([2e-4, 5e-4, 1e-3, 2e-3]),
                      "motion": dice.choice(["relative", "absolute"])},
             "contact": contact(dice, set(models))}
    choose_integrator(dice, scene, set(models))
    choose_detection(dice, scene)
    add_bodies(dice, scene, models)
    add_surroundings(dice, scene, set(models))
    choose_room(dice, scene, set(models))
    add_air(dice, scene, set(models))
    return scene
