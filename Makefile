# `make help` lists the targets; docs/make.md describes how the parts work together: this one with the programs, and those of scripts/make.
#
# X.stamp is touched whenever a prerequisite is newer; X itself is replaced only if its content is
# different. So times decide what is looked at, and contents decide what is redone.

SCALE ?= small#                 small | paper
QUALITY ?= draft#               of pictures: draft | print, which renders frames at twice the resolution
JOBS ?= $(shell nproc)#         jobs at once, by default one more than this; -j overrides it
RUN ?=#                         put in front of each simulation: RUN='srun -n1 -c4'; of make plot, compare, film, preview, render, watch: folders of runs
SWEEP ?=#                       make plot: the folder of a sweep's results
Y ?=#                           make plot: columns of metrics.csv, as Y=kinetic,elastic
PNG ?=#                         make plot, preview, render: the picture; make plot of one run is on the terminal without it
T ?=#                           make why: an experiment or one of its runs, as T=fig05 or T=fig05/RUN
V ?=#                           make release: the version
ARCHIVE ?=#                     make archive, compare: the file that is written, or compared with
E ?=#                           make figures, ablations, verify, texts, reference, chance, archive, compare, plan, same-results, film: only these experiments, as E='fig07 sph-column'
NUDGE ?=#                       results of runs that differ by displacements as small as rounding, drawn with this number
BASE ?=#                        make same-results, bench-against: another checkout
PAIRS ?=#                       make bench-against: how many pairs of runs
BUSY ?=#                        make bench-against: beside how many busy loops, one after the other: BUSY='0 2'
RENAMES ?=#                     make same-results: a file of names that changed since
TESTS ?=#                       make check: only tests whose path contains this word
N ?=#                           make kills, fuzz, random-scenes: how many
WORDS ?=#                       make mutants, defects: only defects whose file or description contains one of these words; bench-against: only work with this word
MESHES ?=#                      a folder of meshes that are not ours to give away, for runs that need one (scripts/experiment.py)
export MESHES
# What names experiments, files and numbers is data: nothing in it is expanded, or carried out.
$(foreach name,E T V S N ARCHIVE BASE BUSY PAIRS RENAMES TESTS WORDS,$(eval override $(name) := $$(value $(name))))
PREFIX ?= /usr/local
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)# of the scripts: Debian's, which has Debian's modules, or the first in PATH
export PYTHON
export LC_ALL := C#             numbers are written with a point in every language
ifeq ($(origin CC),default)
# The thread sanitizer understands clang's OpenMP (through its tool Archer) but not gcc's.
CC = $(if $(findstring thread,$(SANITIZE)),clang,gcc)
endif

# A make that another one started for WANTED (see `made`): what the other has looked at, it does not look at again.
inner := $(filter command,$(origin WANTED))
MAKEFLAGS += --no-builtin-rules
# POV-Ray sleeps for half a second of every picture, so that by default there is a job more than there are cores.
# One that another make started has that one's jobs, although its MAKEFLAGS do not say so yet.
ifeq ($(filter -j%,$(MAKEFLAGS))$(findstring jobserver,$(MAKEFLAGS))$(filter-out 0,$(MAKELEVEL)),)
MAKEFLAGS += -j$(if $(and $(filter file,$(origin JOBS)),$(filter-out sweep,$(or $(MAKECMDGOALS),all))),$(shell expr $(JOBS) + 1),$(JOBS))
endif
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
.PHONY: FORCE
FORCE:

# ---- flavours: one build folder each -------------------------------------------------------------

comma := ,
space := $() $()
flavour := $(subst $(space),-,$(strip $(filter-out gcc,$(notdir $(CC))) $(if $(DEBUG),debug) $(if $(COVERAGE),coverage) \
           $(subst $(comma), ,$(SANITIZE)) $(if $(NATIVE),native)))
BUILD := build$(if $(flavour),/$(flavour))
RESULTS := results/$(SCALE)$(if $(flavour),-$(flavour))$(if $(NUDGE),-nudge-$(NUDGE))$(if $(MESHES),-meshes)
# Where frames are rendered to, and where drawings go. Pictures for print have folders of their own, beside the drafts.
$(if $(filter draft print,$(QUALITY)),,$(error there is no QUALITY=$(QUALITY); write QUALITY=draft or QUALITY=print))
$(if $(filter print,$(QUALITY)),$(if $(filter plan why archive compare same-results publish film scaling,$(MAKECMDGOALS)),\
    $(error QUALITY=print is for what draws experiments, such as figures or fig05)))
DRAWN := $(RESULTS)$(if $(filter print,$(QUALITY)),/print)
PICTURES := $(if $(filter results/small,$(DRAWN)),paper-figures,$(DRAWN)/figures)
python := $(PYTHON)
bare := $(PYTHON) -S# of scripts that need no modules but Python's own: it starts in half the time

# What this machine has; checked again when packages change. Only `make setup` installs packages.
ifneq ($(filter-out help clean uninstall,$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/setup.mk
endif
$(BUILD)/setup.mk: scripts/setup scripts/packages.txt $(wildcard /var/lib/dpkg/status)
	@scripts/setup '$(CC)' $@ $(if $(filter setup,$(MAKECMDGOALS)),install)

.PHONY: setup
setup: $(BUILD)/setup.mk ## installs missing packages (Debian, Ubuntu; as root or with sudo)
	@:

# ---- programs ------------------------------------------------------------------------------------

WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef \
           -Wdouble-promotion
optimize := $(if $(SANITIZE),-O1 -g -fno-omit-frame-pointer -fsanitize=$(SANITIZE),$(if $(COVERAGE),-O1 -g --coverage,$(if $(DEBUG),-Og -g,-O3))) \
            $(if $(NATIVE),-march=native,$(ARCHITECTURE))
# Without -g and __FILE__ a comment does not change the binary. Without fused multiply-add and -ffast-math
# the results do not depend on how the compiler arranges the arithmetic. Nobody reads errno after sqrt().
CFLAGS = -std=c11 $(optimize) -ffp-contract=off -fno-math-errno -fopenmp $(WARNINGS)
CPPFLAGS = -D_GNU_SOURCE $(if $(SANITIZE)$(COVERAGE),-DTAP_SECONDS=1800$(if $(COVERAGE), -DTAP_COVERAGE)) -Isrc -Itests $(LIBRARY_CFLAGS)
LDLIBS = -Wl,--wrap=GOMP_parallel $(LIBRARY_LIBS) -lm# the wrap: src/base/one_thread.c

library_objects := $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/stages/%,$(wildcard src/*/*.c src/*/*/*.c)))
stages := $(wildcard src/stages/*.c)
programs := $(patsubst src/stages/%.c,$(BUILD)/ms-%,$(subst _,-,$(stages)))
test_sources := $(wildcard tests/unit/test_*.c)
test_programs := $(test_sources:tests/unit/%.c=$(BUILD)/tests/%.t)
bench_sources := $(wildcard tests/bench/bench_*.c)
bench_programs := $(bench_sources:tests/bench/%.c=$(BUILD)/tests/%.t)
fuzz_sources := $(wildcard tests/fuzz/fuzz_*.c)
fuzz_programs := $(fuzz_sources:tests/fuzz/%.c=$(BUILD)/tests/%.t)
objects := $(library_objects) $(stages:%.c=$(BUILD)/%.o) $(test_sources:%.c=$(BUILD)/%.o) \
           $(bench_sources:%.c=$(BUILD)/%.o) $(fuzz_sources:%.c=$(BUILD)/%.o)
manuals := $(programs:$(BUILD)/%=$(BUILD)/man/%.1)
scene_manual := $(BUILD)/man/mergesplit-scene.5

# As a prerequisite of X.stamp: makes the stamp again if X was removed.
missing = $(if $(wildcard $1),,FORCE)
replace := scripts/replace
# The recipe of X, which the recipe of X.stamp has written already. For a plan it is one that runs even under `make -n`,
# so that make sees that X did not change.
same = $(if $(PLAN),+@:)

.PHONY: all
all: $(programs) $(manuals) $(scene_manual) $(BUILD)/mergesplit.bash ## builds programs, man pages and bash completion

print_flags = { $(CC) --version | head -n 1; echo '$(CPPFLAGS) $(CFLAGS) $(LDLIBS)'; }
$(BUILD)/flags: $(if $(PLAN)$(inner),,FORCE)
	@mkdir -p $(@D)
	@$(print_flags) >$@.$$$$ && $(replace) $@.$$$$ $@
	@scripts/commit >$(@D)/commit.$$$$ && $(replace) $(@D)/commit.$$$$ $(@D)/commit

# Every warning is an error in continuous integration, which sets STRICT (tests/cli/lib.sh).
$(objects): private CFLAGS += $(if $(STRICT),-Werror)
$(objects): $(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  compile   $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $@.d.$$$$ -MT $@ -c -o $@.$$$$ $< && \
	    mv -f $@.d.$$$$ $(@:.o=.d) && mv -f $@.$$$$ $@

$(BUILD)/libmergesplit.a: $(library_objects)
	@rm -f $@.$$$$ && ar rcsD $@.$$$$ $^ && mv -f $@.$$$$ $@

link = $(CC) $(CFLAGS) $(if $(findstring /fuzz_,$@),-fsanitize=fuzzer) -o $@.$$$$ $(filter %.o %.a,$^) $(LDLIBS)
define program_rule
$2.stamp: $1 $(BUILD)/libmergesplit.a $(BUILD)/flags $$(call missing,$2)
	$(if $(filter %.t,$2),,@echo "  link      $(notdir $2)")
	@$$(link) && $(replace) $$@.$$$$$$$$ $2 && touch $$@
$2: $2.stamp ; $$(same)
endef
$(foreach t,$(test_programs),$(eval $(call program_rule,$(t:$(BUILD)/tests/%.t=$(BUILD)/tests/unit/%.o),$t)))
$(foreach t,$(bench_programs),$(eval $(call program_rule,$(t:$(BUILD)/tests/%.t=$(BUILD)/tests/bench/%.o),$t)))
$(foreach t,$(fuzz_programs),$(eval $(call program_rule,$(t:$(BUILD)/tests/%.t=$(BUILD)/tests/fuzz/%.o),$t)))
$(foreach s,$(stages),$(eval $(call program_rule,$(s:%.c=$(BUILD)/%.o),$(BUILD)/ms-$(subst _,-,$(basename $(notdir $s))))))

-include $(objects:.o=.d)

$(manuals): $(BUILD)/man/%.1: $(BUILD)/% scripts/manual $(wildcard scripts/manuals/*)
	@mkdir -p $(@D)
	@scripts/manual $< $@

$(BUILD)/man/mergesplit-scene.5: scripts/manual-scene $(BUILD)/ms-sample configs/examples/ball-on-cloth.yaml
	@mkdir -p $(@D)
	@scripts/manual-scene $(BUILD)/ms-sample configs/examples/ball-on-cloth.yaml $@

$(BUILD)/mergesplit.bash: scripts/completion $(programs)
	@scripts/completion $(programs) >$@.$$$$ && mv -f $@.$$$$ $@

$(BUILD)/mergesplit.pc: scripts/pkgconfig src/base/program.h $(BUILD)/flags
	@mkdir -p $(@D)
	@scripts/pkgconfig '$(if $(NATIVE),-march=native,$(ARCHITECTURE))' >$@.$$$$ && mv -f $@.$$$$ $@

export DESTDIR PREFIX
.PHONY: install uninstall
install: all $(BUILD)/libmergesplit.a $(BUILD)/mergesplit.pc ## installs programs, man pages, completion, library, Python module and examples in PREFIX (/usr/local)
	@scripts/install put $(BUILD)

uninstall: ## removes what make install put there
	@scripts/install remove $(BUILD)

# ---- the rest: a file each ------------------------------------------------------------------------

include $(addprefix scripts/make/,tests.mk experiments.mk goals.mk sweeps.mk)

.PHONY: help
help: ## prints this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 - \2/p' $(filter Makefile scripts/make/%,$(MAKEFILE_LIST)) | awk -F ' - ' '{ printf "%-32s %s\n", $$1, $$2 }'
	@for e in $(experiments); do \
	    printf '  make %-25s %s\n' $$e "$$(sed -n '1s/^# *//p' experiments/$$e/README.md)"; done
	@echo 'Options: SCALE=small|paper QUALITY=draft|print E=experiments JOBS=n N=n RUN=prefix TESTS=word WORDS=words CC=gcc|clang DEBUG=1 NATIVE=1'
	@echo '         SANITIZE=address,undefined|thread PREFIX=folder DESTDIR=folder BASE=checkout RENAMES=file PAIRS=n ARCHIVE=file PYTHON=program'
	@echo '         of make plot: RUN=folders or SWEEP=folder, Y=columns PNG=file; of make why: T=experiment; of make sweep: S=file ENGINE=make|slurm RETRY=1'

.PHONY: clean
clean: ## removes build/ (results stay: rm -r results/small)
	rm -rf build
