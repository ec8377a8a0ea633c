/* Orders in which the rows of a sparse matrix are best eliminated: nested dissection by METIS
 * (Karypis and Kumar, "A fast and high quality multilevel scheme for partitioning irregular
 * graphs", SIAM J. Sci. Comput. 20, 1998). The same graph always has the same order. */
#ifndef SOLVERS_DISSECTION_H
#define SOLVERS_DISSECTION_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The n rows are coupled as the entries column[start[k] .. start[k + 1] - 1] of each say, both (k,
 * l) and (l, k), without the diagonal. row[k] is eliminated k-th, place[row[k]] = k (n each). */
enum status dissection_order(size_t n, const size_t *start, const uint32_t *column, uint32_t *row,
                             uint32_t *place, struct error *error);

#endif
