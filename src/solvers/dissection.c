#include "solvers/dissection.h"

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

static enum status graph_of(struct graph *graph, size_t n, const size_t *start,
                            const uint32_t *column, struct error *error)
{
    if (n >= INT32_MAX || start[n] >= INT32_MAX)
        return error_set(error, STATUS_FAILED, "a matrix of %zu rows is too large to be factored",
                         n);
    if (array_create(&graph->start, n + 1, sizeof *graph->start, "a graph", error) ||
        array_create(&graph->neighbor, start[n], sizeof *graph->neighbor, "a graph", error))
        return STATUS_FAILED;
    graph->n = (idx_t)n;
    for (size_t k = 0; k <= n; k++)
        graph->start[k] = (idx_t)start[k];
    for (size_t e = 0; e < start[n]; e++)
        graph->neighbor[e] = (idx_t)column[e];
    return STATUS_OK;
}

static enum status dissect(struct graph *graph, uint32_t *row, uint32_t *place, struct error *error)
{
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int found = METIS_NodeND(&graph->n, graph->start, graph->neighbor, NULL, options, (idx_t *)row,
                             (idx_t *)place);
    if (found == METIS_ERROR_MEMORY)
        return error_memory(error, "METIS, for each row", (size_t)graph->n, sizeof(idx_t));
    if (found != METIS_OK)
        return error_set(error, STATUS_FAILED,
                         "METIS found no order of elimination for a matrix of %d rows",
                         (int)graph->n);
    return STATUS_OK;
}

enum status dissection_order(size_t n, const size_t *start, const uint32_t *column, uint32_t *row,
                             uint32_t *place, struct error *error)
{
    struct graph graph = {0};
    enum status status = graph_of(&graph, n, start, column, error);
    if (!status && n > 0)
        status = dissect(&graph, row, place, error);
    graph_free(&graph);
    return status;
}
