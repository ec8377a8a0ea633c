#include "analysis/analysis.h"

#include "analysis/summary.h"
#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "store/frame_scene.h"

#include <stdlib.h>

static size_t count_tables(void)
{
    size_t n = 0;
    while (run_tables[n])
        n++;
    return n;
}

void analysis_create(const struct record *record, size_t every, struct analysis *analysis)
{
    *analysis = (struct analysis){.record = record, .every = every};
}

void analysis_free(struct analysis *analysis)
{
    for (size_t i = 0; analysis->history && run_tables[i]; i++) {
        if (analysis->history[i] && run_tables[i]->free)
            run_tables[i]->free(analysis->history[i]);
        free(analysis->history[i]);
    }
    free(analysis->history);
    scene_free(&analysis->scene);
    config_free(analysis->config);
    *analysis = (struct analysis){0};
}

/* Reads the configuration that the initial frame holds, as it is and as a scene. */
static enum status read_config(struct analysis *analysis, const char *folder, struct error *error)
{
    const struct frame *initial = &analysis->record->initial;
    struct complaints complaints = {0};
    enum status status = frame_scene(initial, folder, &analysis->scene, error);
    if (status == STATUS_OK)
        status = config_parse(&analysis->config, folder, initial->config, &complaints, error);
    complaints_free(&complaints);
    return status;
}

static enum status begin_histories(struct analysis *analysis, struct error *error)
{
    enum status status = array_create(&analysis->history, count_tables(), sizeof *analysis->history,
                                      "tables of a run", error);
    for (size_t i = 0; status == STATUS_OK && run_tables[i]; i++) {
        const struct run_table *table = run_tables[i];
        char *history;
        if (table->size == 0)
            continue;
        status = array_create(&history, table->size, 1, table->file, error);
        if (status != STATUS_OK)
            break;
        analysis->history[i] = history;
        if (table->begin)
            status = table->begin(history, analysis, error);
    }
    return status;
}

static enum status add_frame(struct analysis *analysis, const char *path, struct error *error)
{
    struct frame frame;
    enum status status = frame_read_again(path, &frame, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && run_tables[i]; i++)
        if (run_tables[i]->add)
            status = run_tables[i]->add(analysis->history[i], &frame, error);
    frame_free(&frame);
    return status ? error_prefix(error, "%s", path) : STATUS_OK;
}

enum status analysis_read_frames(struct analysis *analysis, const char *folder, struct error *error)
{
    const struct frame_list *list = &analysis->record->frames;
    enum status status = read_config(analysis, folder, error);
    if (status == STATUS_OK)
        status = begin_histories(analysis, error);
    for (size_t i = 0; i < list->n && status == STATUS_OK; i++)
        status = add_frame(analysis, list->frame[i].path, error);
    return status;
}

const char *analysis_file(size_t index)
{
    size_t n = count_tables();
    return index < n ? run_tables[index]->file : index == n ? "summary.json" : NULL;
}

static enum status print_file(FILE *stream, size_t index, const struct analysis *analysis,
                              struct error *error)
{
    const struct run_table *made = run_tables[index];
    if (!made) {
        summary_print(stream, analysis);
        return STATUS_OK;
    }
    if (made->print)
        return made->print(stream, analysis->history[index], analysis, error);
    struct table table = made->table(analysis->history[index]);
    table_print_named_csv(stream, &table, (const char *const *)analysis->record->initial.body_name);
    return STATUS_OK;
}

static enum status write_file(const struct analysis *analysis, const char *folder, size_t index,
                              struct error *error)
{
    char *path;
    struct atomic_file file;
    enum status status = path_join(folder, analysis_file(index), &path, error);
    if (status == STATUS_OK)
        status = atomic_file_open(&file, path, error);
    free(path);
    if (status != STATUS_OK)
        return status;
    status = print_file(file.stream, index, analysis, error);
    if (status == STATUS_OK)
        return atomic_file_commit(&file, error);
    atomic_file_abandon(&file);
    return status;
}

enum status analysis_write(const struct analysis *analysis, const char *folder, struct error *error)
{
    enum status status = folder_make(folder, error);
    for (size_t i = 0; analysis_file(i) && status == STATUS_OK; i++)
        status = write_file(analysis, folder, i, error);
    return status;
}

void run_table_explain(FILE *stream, const struct run_table *table)
{
    char title[64];
    if (table->explain) {
        table->explain(stream);
        return;
    }
    snprintf(title, sizeof title, "Columns of %s", table->file);
    columns_print(stream, title, table->n_columns, table->column);
}
