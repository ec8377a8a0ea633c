# `make help` lists the targets; docs/make.md describes how the parts below work together.
#
# X.stamp is touched whenever a prerequisite is newer; X itself is replaced only if its content is
# different. So times decide what is looked at, and contents decide what is redone.

SCALE ?= small#                 small | paper
QUALITY ?= draft#               of pictures: draft | print, which renders frames at twice the resolution
JOBS ?= $(shell nproc)#         jobs at once, by default one more than this; -j overrides it
RUN ?=#                         put in front of each simulation: RUN='srun -n1 -c4'; of make plot and preview: the folder of a run
Y ?=#                           make plot: columns of metrics.csv, as Y=kinetic,elastic
PNG ?=#                         make plot: the picture to write instead of plotting on the terminal; of make preview: the picture
T ?=#                           make why: an experiment or one of its runs, as T=fig05 or T=fig05/RUN
ARCHIVE ?=#                     make archive, compare: the file that is written, or compared with
E ?=#                           make verify, texts, reference, chance, archive, compare, plan, same-results, film: only these experiments, as E='fig07 sph-column'
NUDGE ?=#                       results of runs that differ by displacements as small as rounding, drawn with this number
BASE ?=#                        make same-results, bench-against: another checkout
PAIRS ?=#                       make bench-against: how many pairs of runs
RENAMES ?=#                     make same-results: a file of names that changed since
TESTS ?=#                       make check: only tests whose path contains this word
N ?=#                           make kills, fuzz, random-scenes: how many
WORDS ?=#                       make mutants, defects: only defects whose file or description contains one of these words
MESHES ?=#                      a folder of meshes that are not ours to give away, for runs that need one (scripts/experiment.py)
export MESHES
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
LDLIBS = $(LIBRARY_LIBS) -lm

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

# A test that its program does not run is an error. So is every warning in continuous integration, which sets STRICT (tests/cli/lib.sh).
$(test_sources:%.c=$(BUILD)/%.o): private CFLAGS += -Werror=unused-function
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

# ---- tests ---------------------------------------------------------------------------------------

test_scripts := $(wildcard tests/*/test_*.sh)
# Tests of what is written and drawn for readers take long and depend on little of the code: `make verify` runs them.
verifying := $(filter tests/verify/%,$(test_scripts))
word := $(or $(strip $(TESTS)),test_)
tests := $(strip $(foreach t,$(test_programs) $(test_scripts),$(if $(findstring $(word),$(t:$(BUILD)/tests/%=tests/unit/%)),$t)))
tests := $(if $(strip $(TESTS)),$(tests),$(filter-out $(verifying),$(tests)))

.PHONY: lint
lint: ## runs the tests of tests/lint: format, names in texts and claims, paths and links, faults in scripts
	@$(MAKE) --no-print-directory check tests='$(filter tests/lint/%,$(test_scripts))'

# A program about which a sanitizer has a report ends with a status that no program has.
in_tests = env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS BUILD='$(CURDIR)/$(BUILD)' PATH='$(CURDIR)/$(BUILD)':"$$PATH" \
           CC='$(CC)' OMP_WAIT_POLICY=passive ASAN_OPTIONS=allocator_may_return_null=1:exitcode=99 \
           UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99 \
           TSAN_OPTIONS='allocator_may_return_null=1 ignore_noninstrumented_modules=1'
# The toy project of tests/make, with all that make makes of it; each of them works on a copy.
toy := $(BUILD)/tests/toy
$(toy).stamp: Makefile $(wildcard scripts/* scripts/*/*) docs/paper.csv docs/corotated-paper.csv tests/make/toy_project.sh $(wildcard tests/make/toy/*) \
    $(BUILD)/setup.mk
	@$(in_tests) tests/make/toy_project.sh $(toy) && touch $@

.PHONY: check
check: all $(BUILD)/mergesplit.pc $(filter %.t,$(tests)) $(if $(filter tests/make/%,$(tests)),$(toy).stamp) ## runs the tests but those of tests/verify; TESTS=word: all whose path contains the word
	@$(if $(tests),:,echo "no test has '$(TESTS)' in its path" >&2; exit 2)
	@$(in_tests) prove -j$(JOBS) --exec '' $(tests)

.PHONY: mutants
mutants: ## plants defects one at a time and lists those that no test detects; WORDS="..." only some; minutes to an hour
	@$(python) -B scripts/mutants.py --jobs $(JOBS) $(WORDS)

.PHONY: defects
defects: ## plants a defect of each kind, and says which test of make check and which claim of make verify notice it
	@env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS $(python) -B scripts/defects.py $(WORDS)

# Of the unit tests: those that set the number of threads; and some that call readers, writers and allocations and take no time.
# Of the shell tests those of programs; what tests/make calls are stand-ins.
threaded := $(if $(filter clean-threads,$(MAKECMDGOALS)),$(patsubst tests/unit/%.c,%,$(shell grep -l omp_set_num_threads $(test_sources))))
checked_memory := $(patsubst %,test_%,atomic_file config_layers frame frame_refused groups lock mesh_file mesh_formats \
                  number renamed section split_properties table words)
shell_tests := $(patsubst tests/cli/%.sh,%,$(filter tests/cli/%,$(test_scripts)))
.PHONY: sanitize clean-memory clean-threads clean-valgrind
sanitize: ## runs unit tests and those of tests/cli under the address, undefined and thread sanitizers, and small ones under valgrind; hours, in as many calls as you like
	@command -v valgrind >/dev/null || { echo "make sanitize needs valgrind: apt-get install -y valgrind" >&2; exit 2; }
	@status=0; for kind in 'SANITIZE=address,undefined clean-memory' 'SANITIZE=thread clean-threads' clean-valgrind; do \
	    $(MAKE) --no-print-directory -k $$kind || status=2; done; exit $$status
clean-memory: $(shell_tests:%=$(BUILD)/passed/shell/%) $(test_sources:tests/unit/%.c=$(BUILD)/passed/%)
clean-threads: $(threaded:%=$(BUILD)/passed/%)
clean-valgrind: $(checked_memory:%=$(BUILD)/passed-valgrind/%)
clean-memory clean-threads clean-valgrind:
	@echo "  $@: $(words $^) programs without a report"

# What a test that passed printed. It is not run again until its program is another one.
$(BUILD)/passed/%: $(BUILD)/tests/%.t | $(programs)
	@mkdir -p $(@D) && echo "  run       $*"
	@$(in_tests) $< >$@.new 2>&1 </dev/null && mv -f $@.new $@ || { cat $@.new; exit 1; }
$(BUILD)/passed/shell/%: tests/cli/%.sh tests/cli/lib.sh $(programs)
	@mkdir -p $(@D) && echo "  run       $*"
	@$(in_tests) $< >$@.new 2>&1 </dev/null && mv -f $@.new $@ || { cat $@.new; exit 1; }
$(BUILD)/passed-valgrind/%: $(BUILD)/tests/%.t | $(programs)
	@mkdir -p $(@D) && echo "  valgrind  $*"
	@$(in_tests) OMP_NUM_THREADS=1 valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite $< >$@.new 2>&1 </dev/null && \
	    mv -f $@.new $@ || { cat $@.new; exit 1; }

.PHONY: coverage counted
coverage: ## runs the tests and says which fraction of the lines of each room they ran; needs gcovr
	@command -v gcovr >/dev/null || { echo "make coverage needs gcovr: apt-get install -y gcovr" >&2; exit 2; }
	@$(MAKE) --no-print-directory COVERAGE=1 counted
counted: all
	@find $(BUILD) -name '*.gcda' -delete
	@status=0; $(MAKE) --no-print-directory COVERAGE=1 check tests='$(filter-out tests/make/% tests/lint/%,$(tests))' || status=2; \
	    $(python) -B scripts/coverage.py $(BUILD) || status=2; exit $$status

.PHONY: kills fuzz fuzzed
kills: all ## kills the programs and make at N random moments (200), and looks at what they leave and at how they go on
	@env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS BUILD='$(CURDIR)/$(BUILD)' $(python) -B scripts/kills.py --count $(or $(N),200)

.PHONY: random-scenes
random-scenes: all ## runs N scenes that chance put together (100): any bodies, methods and options, with 1 to 3 threads and resumed
	@env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS BUILD='$(CURDIR)/$(BUILD)' $(python) -B scripts/random_scenes.py $(or $(N),100)

# libFuzzer is clang's. What is instrumented is a flavour of its own.
fuzz: ## reads N mutated configurations and damaged frames (10000) and a tenth as many meshes: no crash, no hang, every message right
	@$(MAKE) --no-print-directory CC=clang SANITIZE=address,undefined,fuzzer-no-link fuzzed
fuzzed: $(programs) $(fuzz_programs)
	@scripts/fuzz $(BUILD) $(or $(N),10000)

# ---- experiments: a folder each ------------------------------------------------------------------

folders := $(sort $(patsubst experiments/%/runs,%,$(wildcard experiments/*/runs)))
figures := $(filter fig%,$(folders))
tables := $(filter table%,$(folders))
ces := $(filter ces%,$(folders))
ablations := $(filter-out $(figures) $(tables),$(folders))
experiments := $(figures) $(tables) $(ablations)

sweeping := sweep swept swept-by-make swept-by-slurm
facts := $(patsubst %,$(BUILD)/rules/$(SCALE)/%.mk,$(if $(inner),$(WANTED),$(experiments)))
ifneq ($(filter-out help clean setup all check install uninstall mutants defects sanitize clean-memory clean-threads clean-valgrind coverage counted kills fuzz fuzzed random-scenes plot preview publish scaling flavours $(sweeping) $(if $(E),,same-results compare),$(or $(MAKECMDGOALS),all)),)
include $(facts)
endif
# A scene may gain or lose its layer of a scale, and a run its mesh, although no `runs` changes.
$(BUILD)/rules/scenes: $(if $(PLAN)$(inner),,FORCE)
	@mkdir -p $(@D)
	@printf '%s\n' $(wildcard experiments/*/*.yaml) $(if $(MESHES),$(abspath $(wildcard $(MESHES)/*))) >$@.$$$$ && $(replace) $@.$$$$ $@

$(facts): $(BUILD)/rules/$(SCALE)/%.mk: experiments/%/runs scripts/rules.py scripts/experiment.py $(BUILD)/rules/scenes | $(BUILD)/setup.mk
	@mkdir -p $(@D)
	@$(bare) -B scripts/rules.py experiments/$* $(SCALE) $@

# Scripts and scenes count by their content, without comments: prerequisites name them as $(call content,FILE ...).
content = $(1:%=$(BUILD)/content/%)
scripts := $(wildcard scripts/*.py scripts/mergesplit/*.py scripts/steps/* experiments/*/draw*.py experiments/*/*.pov experiments/*/claims*.py \
           experiments/claims.py)
$(scripts:%=$(BUILD)/content/%.stamp): $(BUILD)/content/%.stamp: %
	@mkdir -p $(@D)
	@scripts/content $< >$@.$$$$ && $(replace) $@.$$$$ $(BUILD)/content/$* && touch $@
$(call content,$(scripts)): %: %.stamp ; $(same)

# config.yaml -> initial.hdf -> frames.sha256 (of all frames) -> tables.sha256 (of all that ms-analyze wrote: the tables
# and summary.json). Only ms-analyze knows which tables there are.
in = $(patsubst %,$(RESULTS)/%/$1,$(runs))
nudged = $(if $(NUDGE),--set nudge=$(NUDGE))
.SECONDEXPANSION:

$(call in,config.yaml.stamp): $(RESULTS)/%/config.yaml.stamp: $$(layers_$$*) $(BUILD)/ms-sample \
    $(call content,scripts/steps/effective) $(BUILD)/rules/$(SCALE)/$$(firstword $$(subst /, ,$$*)).mk \
    $$(call missing,$(RESULTS)/$$*/config.yaml)
	@scripts/steps/effective $(BUILD) $(RESULTS)/$* $(arguments_$*) $(nudged) && touch $@
$(call in,config.yaml): %: %.stamp ; $(same)

$(call in,initial.hdf.stamp): $(RESULTS)/%/initial.hdf.stamp: $(RESULTS)/%/config.yaml $$(inputs_$$*) \
    $(BUILD)/ms-sample $(call content,scripts/steps/sample) $$(call missing,$(RESULTS)/$$*/initial.hdf)
	@scripts/steps/sample $(BUILD) $(RESULTS)/$* $(arguments_$*) $(nudged) && touch $@
$(call in,initial.hdf): %: %.stamp ; $(same)

$(call in,frames.sha256.stamp): $(RESULTS)/%/frames.sha256.stamp: $(RESULTS)/%/initial.hdf \
    $(BUILD)/ms-simulate $(call content,scripts/steps/simulate) $$(call missing,$(RESULTS)/$$*/frames.sha256)
	@rm -f $@
	@RUN='$(RUN)' scripts/steps/simulate $(BUILD) $(RESULTS)/$* && touch $@
$(call in,frames.sha256): %: %.stamp ; $(same)

# FORCE if the record of a run, or a file in it, was removed.
lost = $(if $(filter-out $(wildcard $1/*),$1/tables.sha256 $(if $(wildcard $1/tables.sha256),\
       $(patsubst %,$1/%,$(filter %.csv %.json,$(file <$1/tables.sha256))))),FORCE)
$(call in,tables.sha256.stamp): $(RESULTS)/%/tables.sha256.stamp: $(RESULTS)/%/frames.sha256 \
    $(BUILD)/ms-analyze $(call content,scripts/steps/analyze) $(BUILD)/rules/$(SCALE)/$$(firstword $$(subst /, ,$$*)).mk \
    $$(call lost,$(RESULTS)/$$*)
	@scripts/steps/analyze $(BUILD) $(RESULTS)/$* $(rows_$(firstword $(subst /, ,$*))) && touch $@
$(call in,tables.sha256): %: %.stamp ; $(same)

$(sections:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $(RESULTS)/$$(dir $$*)frames.sha256 \
    $(BUILD)/ms-render-prep $(call content,scripts/steps/section) $(BUILD)/rules/$(SCALE)/$$(firstword $$(subst /, ,$$*)).mk \
    $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/section $(BUILD) $(RESULTS)/$* $(arguments_$*) && touch $@
$(sections:%=$(RESULTS)/%): %: %.stamp ; $(same)

$(views:%=$(DRAWN)/%.stamp): $(DRAWN)/%.stamp: $(RESULTS)/$$(dir $$*)frames.sha256 $(BUILD)/ms-render-prep \
    $$(call content,$$(scene_$$*)) $(call content,scripts/steps/view) \
    $(BUILD)/rules/$(SCALE)/$$(firstword $$(subst /, ,$$*)).mk $$(call missing,$(DRAWN)/$$*)
	@scripts/steps/view $(BUILD) $(RESULTS)/$(dir $*) $(DRAWN)/$* $(QUALITY) $(arguments_$*) && touch $@
$(views:%=$(DRAWN)/%): %: %.stamp ; $(same)

$(points:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $(RESULTS)/$$(dir $$*)frames.sha256 \
    $(call content,scripts/steps/points scripts/points.py) $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/points $(RESULTS)/$* && touch $@
$(points:%=$(RESULTS)/%): %: %.stamp ; $(same)

$(distances:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: \
    $$(addprefix $(RESULTS)/,$$(addsuffix /frames.sha256,$$(between_$$*))) $(BUILD)/ms-analyze \
    $(call content,scripts/steps/distance) $(BUILD)/rules/$(SCALE)/$$(firstword $$(subst /, ,$$*)).mk \
    $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/distance $(BUILD) $(RESULTS)/$* $(arguments_$*) && touch $@
$(distances:%=$(RESULTS)/%): %: %.stamp ; $(same)

$(taps:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $$(addprefix $(BUILD)/tests/,$$(program_$$*)) \
    $(call content,scripts/steps/measure) $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/measure $< $(RESULTS)/$* && touch $@
$(taps:%=$(RESULTS)/%): %: %.stamp ; $(same)

# Times of steps are measured one run after the other, when all else that was asked for is done: see `made`.
$(timed:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $(RESULTS)/$$(dir $$*)tables.sha256 $(BUILD)/ms-simulate \
    $(call content,scripts/steps/time scripts/timings.py) $(BUILD)/rules/$(SCALE)/$$(firstword $$(subst /, ,$$*)).mk \
    $$(call missing,$(RESULTS)/$$*)
	@RUN='$(RUN)' scripts/steps/time $(BUILD) $(RESULTS)/$(patsubst %/,%,$(dir $*)) $(steps_$(firstword $(subst /, ,$*))) && touch $@
$(timed:%=$(RESULTS)/%): %: %.stamp ; $(same)

$(benches:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $$(addprefix $(BUILD)/tests/,$$(program_$$*)) \
    $(call content,scripts/steps/bench scripts/timings.py) $(BUILD)/rules/$(SCALE)/$$(firstword $$(subst /, ,$$*)).mk \
    $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/bench $(BUILD) $< $(RESULTS)/$* $(arguments_$*) && touch $@
$(benches:%=$(RESULTS)/%): %: %.stamp ; $(same)

# What the pictures and claims of experiment $1 are made of, and what only its pictures show. Nobody looks at pictures or times of nudged runs.
data = $(patsubst %,$(RESULTS)/%/tables.sha256,$(runs_$1)) $(patsubst %,$(RESULTS)/%,$(sections_$1) $(distances_$1) $(taps_$1))
rendered = $(if $(NUDGE),,$(patsubst %,$(DRAWN)/%,$(views_$1)))

times = $(if $(NUDGE),,$(patsubst %,$(RESULTS)/%,$(timed_$1) $(benches_$1)))

reading := $(addprefix scripts/,experiment.py measurements.py arithmetic.py timings.py frame_ends.py all_pairs.py mergesplit/frames.py)

# The draw.py of an experiment writes all its pictures, with the help of draw_*.py; drawn.txt lists them.
drawn = $(patsubst %,$(PICTURES)/%,$(file <$(DRAWN)/$1/drawn.txt))
undrawn = $(if $(wildcard $(DRAWN)/$1/drawn.txt),$(if $(filter-out $(wildcard $(PICTURES)/*),$(call drawn,$1)),FORCE),FORCE)
$(experiments:%=$(DRAWN)/%/drawn.stamp): $(DRAWN)/%/drawn.stamp: $$(call data,$$*) $$(call rendered,$$*) $$(call times,$$*) \
    $$(call content,$$(wildcard experiments/$$*/draw*.py) scripts/style.py scripts/panels.py scripts/sizes.py scripts/mergesplit/drawing.py $(reading) scripts/steps/draw) \
    $$(call undrawn,$$*)
	@scripts/steps/draw $* $(RESULTS) $(DRAWN) $(PICTURES) $(QUALITY) && touch $@

$(experiments:%=$(RESULTS)/%/claims.json.stamp): $(RESULTS)/%/claims.json.stamp: $$(call data,$$*) $$(call times,$$*) \
    $$(call content,$$(or $$(wildcard experiments/$$*/claims*.py),experiments/$$*/claims.py) $(wildcard experiments/claims.py) scripts/verify.py scripts/claims.py $(reading)) \
    $$(call missing,$(RESULTS)/$$*/claims.json)
	@$(python) -B scripts/verify.py evaluate experiments/$* $(RESULTS) $(RESULTS)/$*/claims.json.new && \
	    $(replace) $(RESULTS)/$*/claims.json.new $(RESULTS)/$*/claims.json && touch $@

# A goal that only measures draws nothing; the points are only for the page.
ifeq ($(inner),)
MEASURING := $(if $(filter-out verify verify-short reference chance,$(MAKECMDGOALS)),,yes)
endif
finished = $(foreach e,$1,$(RESULTS)/$e/claims.json.stamp $(if $(MEASURING),,$(DRAWN)/$e/drawn.stamp $(points_$e:%=$(RESULTS)/%)))

# E='fig07 sph-column' chooses experiments for verify, texts, reference and plan.
named = $(or $(filter $1,$(experiments)),$(filter $1-%,$(figures) $(tables)),\
        $(error no experiment is named '$1'; there are $(experiments)))
chosen := $(if $(E),$(foreach e,$(E),$(call named,$e)),$(experiments))

# Which experiments a goal is about.
$(foreach g,figures tables ces ablations,$(eval about_$g := $(filter $($g),$(chosen))))
$(foreach g,verify texts reference chance archive plan,$(eval about_$g := $(chosen)))
# Cheap ones that between them have every part of the paper's method, fluids and elastic bodies.
about_verify-short := unit-properties fig01-one-collision ablation-stages fig07-mass-ratio sph-column
about_why := $(if $(T),$(call named,$(firstword $(subst /, ,$(T)))))
$(foreach e,$(experiments),$(eval about_$e := $e))
$(foreach e,$(figures) $(tables),$(eval about_$(firstword $(subst -, ,$e)) += $e))
WANTED := $(sort $(foreach g,$(MAKECMDGOALS),$(about_$g)))

# What the goals ask for is made by makes of their own, which continue when one experiment fails: a fault in one experiment
# does not stop the others. $(BUILD)/finished/ has a file for each experiment that was finished. If steps are to be timed,
# all other work is done before, so that nothing of ours disturbs them. A make starts all runs before it draws the first picture;
# therefore each experiment that has runs to simulate, AHEAD, gets a make of its own, which draws when these have ended. Those that
# have none are READY, and drawn before, because the makes of the others take all jobs.
each := $(MAKE) --no-print-directory -k WANTED='$(WANTED)' MEASURING='$(MEASURING)'
with_times := $(strip $(foreach e,$(WANTED),$(if $(timed_$e)$(benches_$e),$e)))
AHEAD ?=
READY = $(if $(AHEAD),$(filter-out $(AHEAD) $(with_times),$(WANTED)))
finishing = $(foreach e,$1,$(if $(filter $e,$(AHEAD)),ahead,finish)-$e)
.PHONY: made sampled ready untimed finish claimed $(experiments:%=finish-%) $(experiments:%=ahead-%)
made: $(if $(filter archive,$(MAKECMDGOALS)),archivable) $(if $(WANTED),$(programs)) $(sort $(foreach e,$(WANTED),$(foreach t,$(taps_$e) $(benches_$e),$(BUILD)/tests/$(program_$t))))
	@rm -rf $(BUILD)/finished && mkdir -p $(BUILD)/finished
	+@$(each) sampled || :
	@$(bare) -B scripts/progress.py start $(BUILD) $(RESULTS) $(WANTED) >$(BUILD)/ahead
	+@! grep -q . $(BUILD)/ahead || $(each) AHEAD="$$(cat $(BUILD)/ahead)" ready || :
	$(if $(with_times),+@$(each) AHEAD="$$(cat $(BUILD)/ahead 2>/dev/null)" untimed || :)
	+@$(each) $(if $(with_times),,AHEAD="$$(cat $(BUILD)/ahead 2>/dev/null)") finish || :
	$(if $(WANTED),@$(bare) -B scripts/warned.py $(RESULTS) $(WANTED))
untimed: $(foreach e,$(WANTED),$(if $(timed_$e)$(benches_$e),$(call data,$e) $(if $(MEASURING),,$(call rendered,$e)),$(call finishing,$e)))
	@:
ready: $(READY:%=finish-%)
	$(if $(MEASURING),@:,$(if $(READY),@$(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES) $(DRAWN)))
sampled: $(foreach e,$(WANTED),$(patsubst %,$(RESULTS)/%/initial.hdf,$(runs_$e)))
	@:
finish: $(call finishing,$(filter-out $(READY),$(WANTED)))
	@:
$(experiments:%=ahead-%): ahead-%:
	+@$(MAKE) --no-print-directory -k WANTED=$* AHEAD= MEASURING='$(MEASURING)' finish-$*
	$(if $(MEASURING),,@$(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES) $(DRAWN))
claimed: $(foreach e,$(WANTED),$(RESULTS)/$e/claims.json.stamp)
	@:
$(filter-out $(broken:%=finish-%),$(experiments:%=finish-%)): finish-%: $$(call finished,%)
	@touch $(BUILD)/finished/$*
$(broken:%=finish-%): finish-%:
	@cat $(BUILD)/rules/$(SCALE)/$*.fault >&2; exit 2

.PHONY: reported
reported: made
	@$(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES) $(DRAWN)

# The last line in the recipe of a goal: it fails if one of the goal's experiments was not finished.
unfinished = $(foreach e,$(about_$@),test -e $(BUILD)/finished/$e || { echo "$e: not finished; see above" >&2; exit 2; };)

.PHONY: figures tables ces ablations verify verify-short texts reference chance bench $(experiments)
figures: reported ## runs and draws the paper's figures, at SCALE=small (minutes) or SCALE=paper
	@$(unfinished)
ablations: reported ## runs and draws our own experiments
	@$(unfinished)
tables: reported ## makes the paper's tables
	@$(if $(tables),$(unfinished),echo "no experiment is named table* yet")
ces: reported ## makes what is about corotated solids; part of the ablations
	@$(unfinished)
$(experiments): %: reported
	@$(python) -B scripts/verify.py short $(BUILD)/finished $(RESULTS) $*
# A short name, fig03, for fig03-solid-solid; or for all whose names begin with it, if a figure has several scenes.
define alias_rule
.PHONY: $1
$1: $2
endef
$(foreach e,$(figures) $(tables),$(eval $(call alias_rule,$(firstword $(subst -, ,$e)),$e)))

verify: made ## measures the claims and checks the numbers in texts, as TAP; of every experiment, with tests/verify, or of E=fig07
	@$(python) -B scripts/verify.py print $(BUILD)/finished $(RESULTS) $(about_$@)
	$(if $(if $(E),,$(verifying)),@$(MAKE) --no-print-directory check tests='$(verifying)' >&2)

verify-short: made ## a few minutes of make verify; fails also if a value is not the one that results/reference/ keeps
	@$(python) -B scripts/verify.py print $(BUILD)/finished $(RESULTS) $(about_$@)
	@$(python) -B scripts/moved.py $(BUILD)/finished $(RESULTS) $(about_$@)

texts: made ## writes the numbers in READMEs and docs/ anew, from the results
	@$(python) -B scripts/texts.py write $(RESULTS) $(about_$@)
	@$(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES) $(DRAWN)
	@$(unfinished)

reference: made ## keeps the values of make verify in results/reference/, and says which have changed
	@$(unfinished)
	@$(python) -B scripts/verify.py keep $(BUILD)/finished $(RESULTS) $(about_$@)

nudges := 1 2 3 4
chance: made ## repeats the runs of E=fig05 with displacements as small as rounding, and keeps how much of each value is chance
	@$(unfinished)
	+@for n in $(nudges); do $(MAKE) --no-print-directory NUDGE=$$n WANTED='$(chosen)' claimed || exit 2; done
	@$(python) -B scripts/verify.py chance $(BUILD)/finished $(RESULTS) $(about_$@)

.PHONY: same-results
same-results: ## compares the results with those of another checkout, BASE=folder; RENAMES=file: names that changed
	@$(if $(BASE),:,echo "write make same-results BASE=folder, of another checkout or its results" >&2; exit 2)
	@$(python) -B scripts/same_results.py --jobs $(JOBS) --scale $(SCALE) $(if $(RENAMES),--renames '$(RENAMES)') '$(BASE)' $(RESULTS) $(if $(E),$(chosen))

# By default an archive is named after its experiments.
packed := $(or $(ARCHIVE),results/archives/$(subst $(space),-,$(or $(strip $(E)),all))-$(SCALE)$(if $(flavour),-$(flavour)).tar.gz)
.PHONY: archive compare archivable
archivable:
	@$(if $(E),,echo "write make archive E=fig05, of the experiments that are to be packed" >&2; exit 2)
	@$(python) -B scripts/archive.py check
archive: reported ## packs configuration, manifests, metrics, pictures and source of E=fig05 into one file, ARCHIVE=file.tar.gz
	@$(unfinished)
	@$(python) -B scripts/archive.py pack $(SCALE) $(RESULTS) $(PICTURES) '$(packed)' $(chosen)

compare: ## says how the results differ from those of ARCHIVE=file.tar.gz, and whether within the tolerances
	@$(if $(ARCHIVE),,echo "write make compare ARCHIVE=file.tar.gz, of make archive" >&2; exit 2)
	@$(python) -B scripts/compare.py '$(ARCHIVE)' $(SCALE) $(RESULTS) $(PICTURES) $(if $(E),$(chosen))

.PHONY: publish
publish: $(if $(WANTED),reported) ## renews the small copies of the pictures that the repository keeps
	@$(python) -B scripts/publish.py paper-figures

bench: $(programs) $(bench_programs) ## measures the time per particle, bond and iteration, as a table
	@$(python) -B scripts/bench.py $(BUILD)

.PHONY: bench-stills
bench-stills: $(programs) ## measures how long pictures of 10^4 to 10^6 particles take: previews, spheres, surfaces of fluids and solids
	@$(python) -B scripts/stills.py $(BUILD)

.PHONY: scaling
scaling: $(programs) ## measures time and memory against the number of particles, 10^4 to 10^6 (SCALE=paper: to 6.5 million), and of threads
	@$(python) -B scripts/scaling.py $(BUILD) $(PICTURES) $(if $(filter paper,$(SCALE)),6600000,1100000)

.PHONY: bench-against
bench-against: $(programs) $(bench_programs) ## compares this build with that of another checkout, BASE=folder, run in turns: ratios and their spread
	@$(if $(BASE),:,echo "write make bench-against BASE=folder, another checkout with what make bench builds" >&2; exit 2)
	@$(python) -B scripts/bench_against.py '$(BASE)' $(PAIRS)

.PHONY: flavours
flavours: | $(BUILD)/setup.mk ## runs the scenes of configs/examples with other compilers and flags, and writes what stays to the bit into docs/determinism.md
	@$(python) -B scripts/flavours.py table docs/determinism.md

.PHONY: plot
plot: ## plots columns of a run's metrics.csv: RUN=results/small/EXPERIMENT/NAME Y=kinetic,elastic [PNG=plot.png]
	@scripts/plot '$(RUN)' '$(Y)' '$(PNG)'

.PHONY: film preview
film: $(programs) ## makes a film of all runs of E=fig05 side by side, in paper-figures/, of the results that there are
	@$(if $(E),,echo "write make film E=fig05, of an experiment that was made" >&2; exit 2)
	@$(foreach e,$(if $(E),$(chosen)),$(python) -B scripts/film.py film $(BUILD) $(RESULTS) $(PICTURES) $e &&) \
	    $(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES)

preview: $(programs) ## draws some frames of a run on one sheet: RUN=results/small/EXPERIMENT/NAME [PNG=preview.png]
	@$(if $(RUN),,echo "write make preview RUN=results/small/EXPERIMENT/NAME" >&2; exit 2)
	@$(python) -B scripts/film.py sheet $(BUILD) '$(RUN)' '$(or $(PNG),preview.png)'

.PHONY: bench-peers
bench-peers: $(bench_programs) ## compares the explicit step with that of LAMMPS, if it is installed
	@$(python) -B scripts/peers.py $(BUILD)

# ---- sweeps: a file each (scripts/sweep.py) ------------------------------------------------------

# Each run is one recipe, so that a job of a cluster can be one run. $(due) has those that are to be done.
ifneq ($(filter $(sweeping),$(MAKECMDGOALS)),)
sweep_name := sweep-$(basename $(notdir $(S)))
due := $(BUILD)/$(sweep_name)-$(SCALE).due
sweep_facts := $(BUILD)/rules/$(SCALE)/$(sweep_name).mk
ifneq ($(and $(filter 1,$(words $(S))),$(wildcard $(S))),)
include $(sweep_facts)
endif
$(sweep_facts): $(S) $(wildcard scripts/sweep.py scripts/rules.py) $(BUILD)/rules/scenes | $(BUILD)/setup.mk
	@mkdir -p $(@D)
	@$(python) -B scripts/sweep.py rules '$(S)' $(SCALE) $@
endif
unswept = $(if $(wildcard $1/failed),$(if $(RETRY),FORCE),$(if $(wildcard $1/done),$(call lost,$1),FORCE))
swept_stamps := $(swept:%=$(RESULTS)/%/swept.stamp)
$(swept_stamps): $(RESULTS)/%/swept.stamp: $$(layers_$$*) $$(inputs_$$*) $(addprefix $(BUILD)/ms-,sample simulate analyze) \
    $(call content,$(addprefix scripts/steps/,swept effective sample simulate analyze)) $(sweep_facts) $$(call unswept,$(RESULTS)/$$*)
	@$(if $(LIST),echo $* >>$(due),RETRY='$(RETRY)' RUN='$(RUN)' scripts/steps/swept $(BUILD) $(RESULTS)/$* $(arguments_$*))

# Many runs have a thread each; the cores that few runs would leave idle are shared among them. Results do not depend on it.
due_runs = $$(wc -l <$(due))
threads = OMP_NUM_THREADS=$${OMP_NUM_THREADS:-$$(n=$(due_runs); [ $$n -gt 0 ] && [ $$n -lt $(JOBS) ] && echo $$(($(JOBS) / n)) || echo 1)}
list_due = : >$(due) && $(each) $1 LIST=1 swept && \
    $1 $(python) -B scripts/sweep.py due '$(S)' $(SCALE) $(BUILD) $(RESULTS) <$(due) >$(due).new && mv -f $(due).new $(due)
ENGINE ?= make
.PHONY: sweep swept swept-by-make swept-by-slurm
swept: $(swept_stamps)
	@:
swept-by-make:
	+@$(call list_due)
	+@$(threads) $(each) swept
# Status 3: an earlier job has ended, which may have done what was due.
swept-by-slurm:
	+@status=3; while [ $$status = 3 ]; do status=0; $(call list_due) || exit 2; \
	    RETRY='$(RETRY)' RUN='$(RUN)' $(python) -B scripts/sweep_slurm.py '$(S)' $(SCALE) $(BUILD) $(RESULTS) $(due) || status=$$?; done; exit $$status
	+@$(call list_due,RETRY=)
	@[ ! -s $(due) ] || { echo "$(due_runs) runs did not end, $$(head -n 1 $(due)) for one; $(RESULTS)/$(sweep_name)/slurm has what they printed;" \
	    "the same command submits them again, with twice the time and memory" >&2; exit 2; }
sweep: $(programs) ## runs all combinations of S=configs/sweeps/bounce.yaml, and makes one table of them; ENGINE=slurm: as jobs; RETRY=1: failed ones, too
	@$(if $(and $(filter 1,$(words $(S))),$(wildcard $(S))),,echo "write make sweep S=configs/sweeps/bounce.yaml, a file that there is (head of scripts/sweep.py)" >&2; exit 2)
	@$(if $(filter make slurm,$(ENGINE)),,echo "there is no ENGINE=$(ENGINE); write ENGINE=make or ENGINE=slurm" >&2; exit 2)
	@$(python) -B scripts/sweep.py check '$(S)' $(SCALE) $(BUILD)
	+@$(MAKE) --no-print-directory WANTED= swept-by-$(ENGINE)
	@$(python) -B scripts/sweep_table.py '$(S)' $(SCALE) $(RESULTS)

# ---- the rest ------------------------------------------------------------------------------------

# A plan builds and runs nothing, so it takes seconds. A program whose sources are newer counts as changed, because only
# the compiler can tell whether the program will be another one.
.PHONY: plan contents
contents: $(call content,$(scripts))
	@:
plan: ## lists what would run, why, and how long it took last time
	+@$(each) contents || :
	@LC_ALL=C $(MAKE) --no-print-directory -n --trace PLAN=1 -k finish WANTED='$(WANTED)' 2>&1 | \
	    $(python) -B scripts/plan.py $(BUILD) $(SCALE) $(RESULTS) $(WANTED)

# The scripts' contents and flags of then are kept in $(BUILD)/why meanwhile, so that the same question has the same answer twice.
.PHONY: why
why: ## prints the chain of changed inputs, with old and new values, for which T=fig05 or T=fig05/RUN would be made again
	@$(if $(filter 1,$(words $(T))),,echo "write make why T=fig05, an experiment, or T=fig05/RUN, a run of it" >&2; exit 2)
	@$(if $(word 2,$(about_why)),echo "$(T) is several experiments: write one of $(about_why)" >&2; exit 2)
	@rm -rf $(BUILD)/why && mkdir -p $(BUILD)/why $(BUILD)/content && cp -a $(BUILD)/content $(BUILD)/why && $(print_flags) >$(BUILD)/why/flags
	+@$(each) contents || :
	@LC_ALL=C $(MAKE) --no-print-directory -n --trace PLAN=1 -k finish WANTED='$(WANTED)' 2>&1 | \
	    $(python) -B scripts/why.py $(BUILD) $(SCALE) $(RESULTS) $(BUILD)/why \
	    '$(about_why)$(patsubst $(firstword $(subst /, ,$(T)))%,%,$(T))'; status=$$?; \
	    rm -rf $(BUILD)/content && mv $(BUILD)/why/content $(BUILD)/content && rm -rf $(BUILD)/why && exit $$status

.PHONY: help
help: ## prints this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 - \2/p' Makefile | awk -F ' - ' '{ printf "%-32s %s\n", $$1, $$2 }'
	@for e in $(experiments); do \
	    printf '  make %-25s %s\n' $$e "$$(sed -n '1s/^# *//p' experiments/$$e/README.md)"; done
	@echo 'Options: SCALE=small|paper QUALITY=draft|print E=experiments JOBS=n N=n RUN=prefix TESTS=word WORDS=words CC=gcc|clang DEBUG=1 NATIVE=1'
	@echo '         SANITIZE=address,undefined|thread PREFIX=folder DESTDIR=folder BASE=checkout RENAMES=file PAIRS=n ARCHIVE=file PYTHON=program'
	@echo '         of make plot: RUN=folder Y=columns PNG=file; of make why: T=experiment; of make sweep: S=file ENGINE=make|slurm RETRY=1'

.PHONY: clean
clean: ## removes build/ (results stay: rm -r results/small)
	rm -rf build
