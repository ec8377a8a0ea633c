/* The tables of a run. Everything that deals with them goes through this list: ms-analyze writes,
 * explains and names them, and make and the scripts take whatever it has written. */
#include "analysis/run_tables.h"

const struct run_table *const run_tables[] = {
    &metrics_csv,   /* a row per time step */
    &bodies_csv,    /* how every body moved */
    &spectrum_csv,  /* how every sheet bent */
    &layers_csv,    /* the pressure of every fluid against height */
    &fragments_csv, /* pieces of what can break */
    &diffuse_csv,   /* where smoke and spray are */
    &sampling_csv,  /* how well particles represent shapes */
    NULL,
};
