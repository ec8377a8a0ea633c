/* Folders for results. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "base/error.h"

/* Makes the folder, whose parent must exist; does nothing if it is there. STATUS_FAILED with the
 * cause. */
enum status folder_make(const char *path, struct error *error);

#endif
