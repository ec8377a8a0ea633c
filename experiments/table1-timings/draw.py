"""Table 1: wall times of a step, ours beside the paper's, as a picture, CSV, Markdown and LaTeX."""

import csv
import os
import sys
import textwrap

import panels
import style
from timings import COLUMNS, timing_read

PUBLISHED = os.path.join(os.path.dirname(__file__), "truong-2021-table1.csv")
# column of the table -> column of the published one
THEIRS = {"detection": "collision_detection_s", "merging": "particle_merging_s", "stage 1": "integration_stage1_s",
          "stage 2": "integration_stage2_s", "splitting": "particle_splitting_s", "total": "total_s"}
FLOWS = ("fluid", "flip")


def published():
    table = style.table(PUBLISHED)
    return {scene: {name: values[row] for name, values in table.items()} for row, scene in enumerate(table["scene"])}


def fluid_particles(results, run):
    """At the start."""
    rows = style.table(os.path.join(results, run, "bodies.csv"))
    count = 0
    for body, frame, number in zip(rows["body"], rows["frame"], rows["particles"]):
        material = style.setting(results, run, f"bodies.{body}.material")
        if frame == 0 and style.setting(results, run, f"materials.{material}.model") in FLOWS:
            count += int(number)
    return count


class Row:
    """A scene: our times, and the paper's of the scene whose name it begins with."""

    def __init__(self, results, run, theirs):
        self.run, self.timing = run, timing_read(os.path.join(results, run))
        self.theirs = next(row for scene, row in theirs.items() if run == scene or run.startswith(scene + "-"))
        self.fluid = fluid_particles(results, run)
        self.solid = self.timing.record["particles"] - self.fluid  # fixed ones, too, which bodies.csv does not count

    def rest(self):
        """The paper's total less its columns; ours is measured."""
        return self.theirs["total_s"] - sum(self.theirs[THEIRS[column]] for column in COLUMNS if column in THEIRS)

    def paper(self, column):
        return self.rest() if column == "rest" else self.theirs[THEIRS[column]]

    def paper_particles(self):
        return self.theirs["solid_particles"] + self.theirs["fluid_particles"]

    def bonds(self):
        return 2 * self.timing.record["bonds"] / self.solid


# ---- text --------------------------------------------------------------------------------------

def digits(value, figures=2):
    """Two significant figures, without an exponent."""
    if value == 0:
        return "0"
    text = f"{value:.{figures}g}"
    return f"{float(text):.0f}" if "e+" in text else f"{float(text):.7f}".rstrip("0") if "e-" in text else text


def thousands(number):
    return f"{number / 1e6:.1f}M" if number >= 999_950 else f"{number / 1e3:.1f}K" if number else "–"


ALL = [*COLUMNS, "total"]


def times(row):
    """Two lines: per step in ms and per particle-step in ns, the paper's and ours."""
    yield ["Truong et al.", thousands(row.theirs["solid_particles"]), thousands(row.theirs["fluid_particles"]),
           *(digits(1e3 * row.paper(column)) for column in ALL), digits(1e9 * row.paper("total") / row.paper_particles(), 3)]
    mark = " †" if row.timing.disturbed() else ""
    yield ["here" + mark, thousands(row.solid), thousands(row.fluid), *(digits(1e3 * row.timing.mean(column)) for column in ALL),
           digits(1e9 * row.timing.mean("total") / row.timing.record["particles"], 3)]


HEAD = ["", "solid", "fluid", *("stage 2\n(and later)" if column == "stage 2" else column for column in ALL), "ns per\nparticle"]


def work(row):
    """What there was to do in a step, and how the times spread."""
    t = row.timing
    spread = f"{digits(1e3 * t.least('total'), 3)} / {digits(1e3 * t.median('total'), 3)}"
    ratio = t.stages_ratio()
    later = t.count("iterations_later") if ratio == ratio else 0
    return [row.run, f"{row.bonds():.0f}", f"{t.count('contacts'):.0f}", f"{t.merged():.0f}", f"{t.count('groups'):.0f}", f"{t.count('stages'):.1f}",
            f"{t.count('iterations_first'):.1f}", f"{later:.1f}", "–" if ratio != ratio else digits(ratio), digits(100 * (t.mean("merging") + t.mean("splitting")) / t.mean("total")),
            spread, f"{t.record['peak_memory_bytes'] / 2**30:.2f}", f"{t.rows[0]['load']:.1f} / {t.record['load_after']:.1f}"]


WORK = ["", "bonds\nper solid\nparticle", "contacts", "pairs\nmerged", "meta-\nparticles", "stages", "iterations,\nstage 1", "iterations,\nlater\nstages",
        "later\nstage /\nstage 1", "merging,\nsplitting,\n%", "total, ms:\nleast /\nmedian", "memory,\nGiB", "load\nbefore /\nafter"]


# ---- outputs -----------------------------------------------------------------------------------

def write_csv(rows, path):
    names = [f"{column.replace(' ', '_')}_{what}_s" for column in ALL for what in ("mean", "min", "median")]
    counts = ["contacts", "approaching", "late", "groups", "coupled", "largest_group", "stages", "iterations_first", "iterations_later"]
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["scene", "solid_particles", "fluid_particles", "bonds_per_solid_particle", "steps", "threads", "cores", "processor", *names,
                      "merged", *counts, "peak_memory_bytes", "load_before", "load_after", "cores_taken_by_others", "disturbed", "total_per_particle_s",
                      *(f"paper_{name}" for name in THEIRS.values()), "paper_total_per_particle_s"])
        for row in rows:
            t = row.timing
            out.writerow([row.run, row.solid, row.fluid, f"{row.bonds():.2f}", len(t.rows), t.record["threads"], t.record["cores"], t.record["processor"],
                          *(f"{value:.9f}" for column in ALL for value in (t.mean(column), t.least(column), t.median(column))), t.merged(),
                          *(t.count(name) for name in counts), t.record["peak_memory_bytes"], t.rows[0]["load"], t.record["load_after"],
                          f"{t.others():.3f}", int(bool(t.disturbed())), f"{t.mean('total') / t.record['particles']:.6g}",
                          *(row.theirs[name] for name in THEIRS.values()), f"{row.paper('total') / row.paper_particles():.6g}"])


def one_line(cells):
    return [cell.replace("-\n", "-").replace("\n", " ") for cell in cells]


def write_markdown(rows, path, notes):
    def line(cells):
        return "| " + " | ".join(cells) + " |\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(line(["scene", *one_line(HEAD)]) + line(["---"] * (len(HEAD) + 1)))
        for row in rows:
            for k, cells in enumerate(times(row)):
                file.write(line([row.run if k == 0 else "", *cells]))
        file.write("\n" + line(["scene", *one_line(WORK[1:])]) + line(["---"] * len(WORK)))
        for row in rows:
            file.write(line(work(row)))
        file.write("\n" + "\n\n".join(notes) + "\n")


def write_latex(rows, path, notes):
    def line(cells):
        text = " & ".join(cells).replace("%", r"\%").replace("†", r"\textdagger").replace("–", "--")
        return text + r" \\" + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write("\\begin{tabular}{ll" + "r" * (len(HEAD) - 1) + "}\n\\toprule\n" + line(["scene", *one_line(HEAD)]) + "\\midrule\n")
        for row in rows:
            for k, cells in enumerate(times(row)):
                file.write(line([row.run if k == 0 else "", *cells]))
        file.write("\\bottomrule\n\\end{tabular}\n\n\\begin{tabular}{l" + "r" * (len(WORK) - 1) + "}\n\\toprule\n" + line(["scene", *one_line(WORK[1:])]) + "\\midrule\n")
        for row in rows:
            file.write(line(work(row)))
        file.write("\\bottomrule\n\\end{tabular}\n" + "".join(f"% {note}\n" for note in notes))


def notes_of(rows):
    record = rows[0].timing.record
    yield (f"Mean wall times of a step, in ms, over {len(rows[0].timing.rows)} steps from the frame that the busiest contact follows. Here: {record['threads']} threads "
           f"on {record['cores']} cores of an {record['processor']}. The paper names neither its hardware nor its number of threads, nor the steps it averaged over.")
    yield ("rest: the paper's total less its columns, of which it does not say what they are; here moving, breaking and the forces that this needs, ledger and measures.")
    for row in rows:
        if row.timing.disturbed():
            yield f"† {row.run}: {row.timing.disturbed()} meanwhile."


LINE = 0.16  # inches: of a row


def deep(head):
    """How high the head of a table is, in rows."""
    return 0.2 + 0.8 * max(cell.count("\n") + 1 for cell in head)


def height(head, blocks):
    """Of a table with its title, in rows."""
    return 2.0 + deep(head) + sum(map(len, blocks))


def widths(head, blocks):
    """Of the columns, in letters: their longest line, and some space before it."""
    rows = [head, *(cells for block in blocks for cells in block)]
    return [2.5 * (k > 0) + max(len(line) for cells in rows for line in cells[k].split("\n")) for k in range(len(head))]


def booktabs(axes, blocks, head, title):
    """Text in columns, with rules above and below; blocks: rows that belong together."""
    axes.set_axis_off()
    wide, below = widths(head, blocks), deep(head)
    right = [sum(wide[:k + 2]) / sum(wide) for k in range(len(head) - 1)]
    axes.set_xlim(0, 1)
    axes.set_ylim(height(head, blocks) - 1.2, -1.2)
    axes.text(0, -0.7, title, fontsize=8, fontweight="bold", va="center")

    def rule(y, width):
        axes.plot([0, 1], [y, y], color="black", linewidth=width, clip_on=False)

    def write(y, cells):
        axes.text(0, y, cells[0], fontsize=panels.SMALLEST, va="center")
        for x, cell in zip(right, cells[1:]):
            axes.text(x, y, cell, fontsize=panels.SMALLEST, ha="right", va="center")
    rule(0, 0.9)
    write(below / 2, head)
    rule(below, 0.5)
    y = below + 0.55
    for k, block in enumerate(blocks):
        for cells in block:
            write(y, cells)
            y += 1
        if k + 1 < len(blocks) and len(block) > 1:
            rule(y - 0.5, 0.25)
    rule(y - 0.4, 0.9)


def picture(rows, folder, notes):
    per_step = [[[row.run, *[""] * (len(HEAD) - 1)], *([f"   {cells[0]}", *cells[1:]] for cells in times(row))] for row in rows]
    done = [[work(row)] for row in rows]
    heights = [height(HEAD, per_step), height(WORK, done)]
    figure, axes = panels.sheet(2, 1, LINE * sum(heights), height_ratios=heights)
    booktabs(axes[0], per_step, HEAD, "Wall time of a step, ms")
    booktabs(axes[1], done, WORK, "What there was to do in a step, and how it was measured")
    figure.text(0.005, -0.01, "\n".join(textwrap.fill(note, 135) for note in notes), fontsize=panels.SMALLEST, va="top")
    style.save(figure, folder, "table1-timings")


def main():
    results, folder = sys.argv[1:]
    theirs = published()
    rows = [Row(results, run.name, theirs) for run in style.experiment(__file__).runs]
    notes = list(notes_of(rows))
    write_csv(rows, os.path.join(folder, "table1-timings.csv"))
    write_markdown(rows, os.path.join(folder, "table1-timings.md"), notes)
    write_latex(rows, os.path.join(folder, "table1-timings.tex"), notes)
    picture(rows, folder, notes)


if __name__ == "__main__":
    main()
