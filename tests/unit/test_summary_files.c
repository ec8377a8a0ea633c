/* What a run folder must have to be read, and its list of frames. */
#include "failing_memory.h"
#include "known_run.h"
#include "store/frame_list.h"

static void check_refused(const char *complaint)
{
    struct record record;
    struct error error = {0};
    check_equal(record_read(folder, &record, &error), STATUS_INVALID, "status");
    check_contains(error.message, complaint);
    check(record.stats.column == NULL && record.frames.n == 0);
}

TEST(a_folder_that_is_no_whole_run_is_refused)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    make_rows(row, 0.0);
    row[2].step = 4.0;
    make_measures(measure);
    make_run(row, measure, 2, 5);
    check_refused("frames/000002.hdf: step 4 comes after step 2");
    rename(in_folder("frames/000001.hdf"), in_folder("frames/later"));
    check_refused("frames/000002.hdf: step 4 comes after step 0");
    rename(in_folder("frames/later"), in_folder("frames/000001.hdf"));
    rename(in_folder("frames/000000.hdf"), in_folder("frames/0001.hdf"));
    check_refused("two frames of one number");
    rename(in_folder("frames/0001.hdf"), in_folder("frames/000000.hdf"));
    unlink(in_folder("frames/000002.hdf"));
    struct frame other = random_frame(3, 1);
    other.number = 3;
    write_frame("frames/000003.hdf", &other);
    check_refused("frames/000003.hdf: has 3 particles, the initial frame has 2");
    frame_free(&other);
    write_end("{}");
    unlink(in_folder("frames/000003.hdf"));
    check_refused("end.json: is not what ms-simulate writes");
    unlink(in_folder("frames/000001.hdf"));
    unlink(in_folder("frames/000000.hdf"));
    check_refused("frames: has no frames");
    rmdir(in_folder("frames"));
    check_refused("frames: cannot be read: No such file");
    unlink(in_folder("initial.hdf"));
    check_refused("initial.hdf: cannot be read: No such file");
    unlink(in_folder("end.json"));
    rmdir(folder);
}

TEST(reading_a_run_survives_every_failed_allocation)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    make_rows(row, 0.0);
    make_measures(measure);
    make_run(row, measure, 2, 5);
    write_end("{ \"reason\": \"complete\" }");
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct record record;
        struct analysis a;
        memory.status = record_read(folder, &record, &memory.error);
        if (memory.status == STATUS_OK) {
            analysis_create(&record, 1, &a);
            analysis_free(&a);
            record_free(&record);
        }
        memory_works(&memory);
    }
    check(memory.n > 20);
    end();
}

TEST(an_index_lists_every_frame)
{
    struct ledger_row row[5];
    struct measure_row measure[5];
    make_rows(row, 0.0);
    make_measures(measure);
    make_run(row, measure, 2, 5);
    struct error error = {0};
    char text[16384] = "";
    check_equal(frame_index_write(folder, &error), STATUS_OK, error.message);
    FILE *file = fopen(in_folder("frames.xmf"), "r");
    check(file && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    check_contains(text, "frames/000000.hdf:/position");
    check_contains(text, "frames/000001.hdf:/velocity");
    check_contains(text, "frames/000002.hdf:/id");
    check_contains(text, "<Time Value=\"2.5\"/>");
    check_contains(text, "</Xdmf>\n");
    end();
}
