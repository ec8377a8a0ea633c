#include "sph/sph_sums.h"

#include "base/lanes8.h"
#include "sph/sph_kernel.h"

void sph_sum_lattice(double h, double spacing, double *kernel, double *compression)
{
    int reach = (int)(h / spacing);
    *kernel = *compression = 0.0;
    for (int i = -reach; i <= reach; i++)
        for (int j = -reach; j <= reach; j++)
            for (int k = -reach; k <= reach; k++) {
                double d = spacing * sqrt((double)(i * i + j * j + k * k));
                if (d > 0.0)
                    *kernel += sph_wendland(h, d);
                *compression += d * d * sph_wendland_slope(h, d) / 3.0;
            }
}

/* Lengths are in places: powers of two of a support, which change no bits. */
static const double PLACES5 = SPH_PLACES * SPH_PLACES * SPH_PLACES * SPH_PLACES * SPH_PLACES;

double sph_sum_found(const struct sph_found *found)
{
    const lanes8 one = lanes8_all((float)SPH_PLACES), four = lanes8_all(4.0f);
    lanes sum[2] = {{0.0}, {0.0}};
    for (size_t k = 0; k < found->n; k += LANES8) {
        lanes8 q = lanes8_sqrt(lanes8_load(found->distance2 + k));
        lanes8 g = one - q, g2 = g * g;
        lanes8_add_to(sum, g2 * g2 * (one + four * q));
    }
    return lanes_sum(sum[0] + sum[1]) / PLACES5 - 1.0;
}

void sph_add_walls(const struct wall_points *walls, double h, struct vec3 position,
                   const uint32_t *point, size_t n, double *sum)
{
    for (size_t k = 0; k < n; k++) {
        struct vec3 x = sph_from_wall(walls, point[k], position);
        *sum += walls->weight[point[k]] * sph_wendland(h, vec3_norm(x));
    }
}
