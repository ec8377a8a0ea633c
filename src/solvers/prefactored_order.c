#include "solvers/prefactored_parts.h"

#include "base/memory.h"

#include <metis.h>
#include <stdlib.h>

/* The graph of the matrix as METIS wants it. */
struct graph {
    idx_t n;
    idx_t *start, *neighbor;
};

static void graph_free(struct graph *graph)
{
    free(graph->start);
    free(graph->neighbor);
}

static enum status graph_of(struct graph *graph, const struct sparse_rows *a, struct error *error)
{
    if (a->n > INT32_MAX || a->start[a->n] > INT32_MAX)
        return error_set(error, STATUS_FAILED, "a matrix of %zu rows is too large to be factored",
                         a->n);
    if (array_create(&graph->start, a->n + 1, sizeof *graph->start, "a graph", error) ||
        array_create(&graph->neighbor, a->start[a->n], sizeof *graph->neighbor, "a graph", error))
        return STATUS_FAILED;
    graph->n = (idx_t)a->n;
    for (size_t k = 0; k <= a->n; k++)
        graph->start[k] = (idx_t)a->start[k];
    for (size_t e = 0; e < a->start[a->n]; e++)
        graph->neighbor[e] = (idx_t)a->column[e];
    return STATUS_OK;
}

static enum status dissect(struct graph *graph, uint32_t *row, uint32_t *place, struct error *error)
{
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    idx_t *order = (idx_t *)row, *inverse = (idx_t *)place;
    if (METIS_NodeND(&graph->n, graph->start, graph->neighbor, NULL, options, order, inverse) !=
        METIS_OK)
        return error_set(error, STATUS_FAILED,
                         "METIS found no order of elimination for a matrix of %d rows",
                         (int)graph->n);
    return STATUS_OK;
}

enum status prefactored_order(const struct sparse_rows *a, uint32_t *row, uint32_t *place,
                              struct error *error)
{
    struct graph graph = {0};
    enum status status = graph_of(&graph, a, error);
    if (!status && a->n > 0)
        status = dissect(&graph, row, place, error);
    graph_free(&graph);
    return status;
}
