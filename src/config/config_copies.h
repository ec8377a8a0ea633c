/* Bodies that are copies of one: `bodies.<name>.copies` makes a grid of them. */
#ifndef CONFIG_CONFIG_COPIES_H
#define CONFIG_CONFIG_COPIES_H

#include "config/config_tree.h"

/* Each body is a name, a place in lists, and a line in tables. */
enum { MOST_BODIES = 1000000 };

/* How many bodies a mapping describes, >= 1, exact up to 2^53. */
double copies_number(const struct node *body);

/* Moves a body, which is at the place of the first of its copies, to that of body->copy, and
 * displaces and turns it at random; `index` is its number in the scene by name. */
void copies_place(const struct node *node, uint64_t seed, size_t index, struct body *body);

/* Complains about copies where there can be only one body, about names that copies have as well,
 * and about more than MOST_BODIES. */
void rule_copies(struct reading *reading, const struct node *root);

#endif
