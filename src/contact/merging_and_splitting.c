/* The method itself lives in merge.c and split.c; the loop that uses it in step/step.c. */
#include "contact/methods.h"

const struct contact_class contact_merging_and_splitting = {
    .help = "colliding particles are integrated as one and split afterwards (Truong et al. 2021)",
    .merges = true,
};

const struct contact_class contact_none = {
    .help = "particles of different bodies ignore each other",
};
