/* Configurations of one body, as texts that the tests put together. */
#ifndef TESTS_CONFIG_TEXTS_H
#define TESTS_CONFIG_TEXTS_H

#define TIME "time: {end: 1, frame_interval: 0.1}\n"
#define SAND "materials: {sand: {model: loose}}\n"
#define BALL "material: sand, radius: 1, density: 1, shape: {ball: {radius: 3}}"
#define SHEET "material: sand, radius: 1, density: 1, shape: {sheet: {cells: [3, 4]}}"
#define SCENE "name: x\n" TIME SAND "bodies: {b: {" BALL "}}\n"
/* `inside` begins in line 4, column 14, of this. */
#define BODY(inside) "name: x\n" TIME SAND "bodies: {b: {" inside "}}\n"
#define SHAPE(inside) BODY("material: sand, radius: 1, density: 1, shape: {" inside "}")
#define WATER                                                                                      \
    "materials: {sand: {model: loose}, water: {model: fluid, pressure: 1, viscosity: 1}}\n"

#endif
