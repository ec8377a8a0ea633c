#include "solvers/prefactored_parts.h"

#include "base/memory.h"
#include "solvers/dissection.h"

#include <stdlib.h>
#include <string.h>

/* The elimination tree, with path compression (Liu, "A compact row storage scheme for Cholesky
 * factors using elimination trees", ACM TOMS 12, 1986). */
static void find_tree(const struct prefactored_plan *plan, const struct sparse_rows *a,
                      uint32_t *parent, uint32_t *ancestor)
{
    for (uint32_t k = 0; k < plan->n; k++) {
        const size_t row = plan->row[k];
        parent[k] = ancestor[k] = PREFACTORED_NONE;
        for (size_t e = a->start[row]; e < a->start[row + 1]; e++) {
            uint32_t i = plan->place[a->column[e]];
            while (i < k) {
                uint32_t next = ancestor[i];
                ancestor[i] = k;
                if (next == PREFACTORED_NONE)
                    parent[i] = k;
                i = next;
            }
        }
    }
}

/* Numbers a tree so that children come before parents and subtrees are ranges; number[k] is the new
 * number of k. child and sibling are scratch (n each). */
static void find_postorder(size_t n, const uint32_t *parent, uint32_t *child, uint32_t *sibling,
                           uint32_t *number)
{
    uint32_t roots = PREFACTORED_NONE, next = 0;
    memset(child, 0xff, n * sizeof *child);
    for (size_t k = n; k-- > 0;) { /* backward, so that lists ascend */
        uint32_t *list = parent[k] == PREFACTORED_NONE ? &roots : &child[parent[k]];
        sibling[k] = *list;
        *list = (uint32_t)k;
    }
    for (uint32_t k = roots; k != PREFACTORED_NONE;) {
        if (child[k] != PREFACTORED_NONE) { /* go down, but only once */
            uint32_t down = child[k];
            child[k] = PREFACTORED_NONE;
            k = down;
        } else {
            number[k] = next++;
            k = sibling[k] != PREFACTORED_NONE ? sibling[k] : parent[k];
        }
    }
}

static void renumber(struct prefactored_plan *plan, uint32_t *parent, const uint32_t *number,
                     uint32_t *old_parent)
{
    memcpy(old_parent, parent, plan->n * sizeof *parent);
    for (size_t k = 0; k < plan->n; k++)
        parent[number[k]] =
            old_parent[k] == PREFACTORED_NONE ? PREFACTORED_NONE : number[old_parent[k]];
    for (size_t row = 0; row < plan->n; row++)
        plan->place[row] = number[plan->place[row]];
    for (size_t row = 0; row < plan->n; row++)
        plan->row[plan->place[row]] = (uint32_t)row;
}

enum status prefactored_order(struct prefactored_plan *plan, const struct sparse_rows *a,
                              uint32_t *parent, struct error *error)
{
    uint32_t *scratch = NULL;
    enum status status = dissection_order(a->n, a->start, a->column, plan->row, plan->place, error);
    if (!status)
        status = array_create(&scratch, 3 * plan->n, sizeof *scratch, "a tree", error);
    if (!status) {
        find_tree(plan, a, parent, scratch);
        find_postorder(plan->n, parent, scratch, scratch + plan->n, scratch + 2 * plan->n);
        renumber(plan, parent, scratch + 2 * plan->n, scratch);
    }
    free(scratch);
    return status;
}
