/* How much softer links are than D, the block diagonal of A, says: what an impulse at one of them
 * does to speeds along normals is J A^-1 J^T, of which J D^-1 J^T is only what the particles of the
 * link feel when all others stand still. In stiff bodies it is several times as much. A local
 * problem that is too stiff answers to a link that approaches by an impulse that is too large and
 * lifts its neighbors off; in the next stage these approach, and so on.
 *
 * Two stages say how much: their solutions are exact, so that normal impulses and speeds differ by
 * dg = J A^-1 J^T dl. Of the two quotients of Barzilai and Borwein ("Two-point step size gradient
 * methods", IMA Journal of Numerical Analysis 8, 1988), |dg|^2 / (dl . dg) in variables in which
 * the diagonal of J D^-1 J^T is 1 weights soft directions most, which is the careful choice.
 * Solutions of the problem are the same whatever the softness is. */
#include "systems/bonds/bond_implicit.h"

double bond_linked_softness(struct bond_linked *l)
{
    const double *diagonal = l->matrix.rows.diagonal;
    double gg = 0.0, lg = 0.0;
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        uint32_t row = l->scope[k];
        double speed = bond_linked_speed(l, row, l->x), more = speed - l->last_speed[row];
        gg += more * more / diagonal[row];
        lg += more * (l->impulse[row] - l->last_impulse[row]);
        l->last_speed[row] = speed;
        l->last_impulse[row] = l->impulse[row];
    }
    if (l->softness == 0.0)
        l->softness = 1.0;
    else if (lg > 0.0 && isfinite(gg / lg))
        l->softness = gg / lg;
    return l->softness;
}
