#include "constraints/constraint.h"

#include <stdlib.h>

void constraint_set_free(struct constraint_set *set)
{
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        if (set->group[k])
            set->group[k]->class->free(set->group[k]);
    free(set->field);
    free(set->lift);
    *set = (struct constraint_set){0};
}
