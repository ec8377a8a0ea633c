# What one asks for: experiments, their claims and pictures, comparisons, benchmarks; and what a goal would do.

# E='fig07 sph-column' chooses experiments, for all goals that are about several.
named = $(or $(filter $1,$(experiments)),$(filter $1-%,$(grouped)),\
        $(error no experiment is named '$1'; there are $(experiments)))
chosen := $(if $(E),$(foreach e,$(E),$(call named,$e)),$(experiments))

# The value of a variable as one word of a shell, whatever is in it: names of folders are data.
quoted = '$(subst ','\'',$(value $1))'
ifneq ($(filter compare plot film preview render watch,$(MAKECMDGOALS)),)
unexport RUN Y PNG N SWEEP
endif

# Which experiments a goal is about.
$(foreach g,figures tables ablations,$(eval about_$g := $(filter $($g),$(chosen))))
$(foreach g,verify texts reference chance archive plan,$(eval about_$g := $(chosen)))
# Cheap ones that between them have every part of the paper's method, fluids and elastic bodies.
about_verify-short := unit-properties fig01-one-collision ablation-stages fig07-mass-ratio sph-column
about_why := $(if $(T),$(call named,$(firstword $(subst /, ,$(T)))))
$(foreach e,$(experiments),$(eval about_$e := $e))
$(foreach e,$(grouped),$(eval about_$(firstword $(subst -, ,$e)) += $e))
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
	@$(if $(MEASURING),:,$(if $(READY),$(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES) $(DRAWN),:))
sampled: $(foreach e,$(WANTED),$(patsubst %,$(RESULTS)/%/initial.hdf,$(runs_$e)))
	@:
finish: $(call finishing,$(filter-out $(READY),$(WANTED)))
	@:
$(experiments:%=ahead-%): ahead-%:
	+@$(MAKE) --no-print-directory -k WANTED=$* AHEAD= MEASURING='$(MEASURING)' finish-$*
	$(if $(MEASURING),,@$(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES) $(DRAWN) $*)
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

.PHONY: figures tables ablations verify verify-short texts reference chance bench $(experiments)
figures: reported ## runs and draws the paper's figures, at SCALE=small (minutes) or SCALE=paper
	@$(unfinished)
ablations: reported ## runs and draws our own experiments
	@$(unfinished)
tables: reported ## makes the paper's tables
	@$(if $(tables),$(unfinished),echo "no experiment is named table* yet")
$(experiments): %: reported
	@$(python) -B scripts/verify.py short $(BUILD)/finished $(RESULTS) $*
# A short name, fig03, for fig03-solid-solid; or for all whose names begin with it, if a figure has several scenes, or a paper several figures.
define alias_rule
.PHONY: $1
$1: $2
endef
$(foreach e,$(grouped),$(eval $(call alias_rule,$(firstword $(subst -, ,$e)),$e)))

verify: made ## measures the claims and checks the numbers in texts, as TAP; of every experiment, with tests/verify, or of E=fig07
	@$(python) -B scripts/verify.py print $(BUILD)/finished $(RESULTS) $(about_$@)
	$(if $(if $(E),,$(verifying)),@$(MAKE) --no-print-directory check tests='$(verifying)' >&2)

verify-short: made ## a few minutes of make verify; fails also if a value is not the one that results/reference/ keeps
	@$(python) -B scripts/verify.py print $(BUILD)/finished $(RESULTS) $(about_$@)
	@$(python) -B scripts/verify.py moved $(BUILD)/finished $(RESULTS) $(about_$@)

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

compare: ## says how the results differ from those of ARCHIVE=file.tar.gz, and whether within the tolerances; or what differs between runs, RUN='A B'
ifneq ($(value RUN),)
compare: $(programs)
	@$(python) -B scripts/own_runs.py compare $(BUILD) $(call quoted,RUN)
else
	@$(if $(ARCHIVE),,echo "write make compare ARCHIVE=file.tar.gz, of make archive, or RUN='A B', of two runs" >&2; exit 2)
	@$(python) -B scripts/compare.py '$(ARCHIVE)' $(SCALE) $(RESULTS) $(PICTURES) $(if $(E),$(chosen))
endif

.PHONY: release
release: ## writes the version V=1.2.0 into what names it; once that is committed, packs source and Python module into results/releases/
	@$(python) -B scripts/release.py '$(V)'

.PHONY: site
site: ## makes build/site/index.html from docs/, the READMEs of experiments and the comments of headers (Doxygen)
	@$(python) -B scripts/site.py $(BUILD)

.PHONY: publish
publish: $(if $(WANTED),reported) ## renews the small copies of the pictures that the repository keeps
	@$(python) -B scripts/publish.py paper-figures

bench: $(programs) $(bench_programs) ## measures the time per particle, bond and iteration, as a table
	@$(python) -B scripts/bench.py $(BUILD)
	@$(python) -B scripts/roofline.py $(BUILD)

.PHONY: bench-stills
bench-stills: $(programs) ## measures how long pictures of 10^4 to 10^6 particles take: previews, spheres, surfaces of fluids and solids
	@$(python) -B scripts/stills.py $(BUILD)

.PHONY: scaling
scaling: $(programs) ## measures time and memory against the number of particles, 10^4 to 10^6 (SCALE=paper: to 6.5 million), and of threads
	@$(python) -B scripts/scaling.py $(BUILD) $(PICTURES) $(if $(filter paper,$(SCALE)),6600000,1100000)

.PHONY: bench-against
bench-against: $(programs) $(bench_programs) ## compares this build with that of another checkout, BASE=folder, run in turns, alone or beside busy loops, BUSY='0 2': ratios and their spread
	@$(if $(BASE),:,echo "write make bench-against BASE=folder, another checkout with what make bench builds" >&2; exit 2)
	@$(python) -B scripts/bench_against.py '$(BASE)' $(or $(PAIRS),5) '$(or $(BUSY),0)' '$(WORDS)'

.PHONY: flavours
flavours: | $(BUILD)/setup.mk ## runs the scenes of configs/examples with other compilers and flags, and writes what stays to the bit into docs/determinism.md
	@$(python) -B scripts/flavours.py table docs/determinism.md


.PHONY: plot film preview render watch
plot: $(programs) ## plots columns of runs, RUN='A B', Y=kinetic,ball.z, in plot.png or PNG=name.png; of one run without PNG on the terminal; or metrics of SWEEP=results/small/sweep-NAME
	@$(python) -B scripts/own_runs.py $(if $(value SWEEP),sweep,plot) $(BUILD) $(call quoted,$(if $(value SWEEP),SWEEP,RUN)) $(call quoted,Y) $(call quoted,PNG)

film: $(programs) ## makes a film of the runs of E=fig05 side by side, in paper-figures/, of the results that there are; or of runs of yours, RUN='A B'
ifneq ($(value RUN),)
	@$(python) -B scripts/own_runs.py film $(BUILD) $(call quoted,RUN)
else
	@$(if $(E),,echo "write make film E=fig05, of an experiment that was made, or RUN='A B', of runs of yours" >&2; exit 2)
	@$(foreach e,$(if $(E),$(chosen)),$(python) -B scripts/film.py film $(BUILD) $(RESULTS) $(PICTURES) $e &&) \
	    $(python) -B scripts/report.py $(SCALE) $(RESULTS) $(PICTURES)
endif

preview: $(programs) ## draws some frames of a run on one sheet, or, before it, its bodies with their sizes: RUN=results/small/EXPERIMENT/NAME [PNG=preview.png]
	@$(python) -B scripts/own_runs.py preview $(BUILD) $(call quoted,RUN) $(if $(value PNG),$(call quoted,PNG),preview.png)

render: $(programs) ## draws a frame of a run by POV-Ray, all bodies as surfaces: RUN=my/drop [N=3, by default the last] [PNG=render.png]
	@$(python) -B scripts/own_runs.py render $(BUILD) $(call quoted,RUN) $(if $(value PNG),$(call quoted,PNG),render.png) $(call quoted,N)

watch: $(programs) ## draws the newest frame of a run, RUN=my/drop, into my/drop-now.png, again and again until the run ends
	@$(python) -B scripts/own_runs.py watch $(BUILD) $(call quoted,RUN)

.PHONY: bench-peers
bench-peers: $(bench_programs) ## compares the explicit step with that of LAMMPS, and the factor with that of CHOLMOD, where these are installed
	@$(python) -B scripts/peer_step.py $(BUILD)
	@$(python) -B scripts/peer_factor.py $(BUILD)

# ---- before anything is done: plan and why -------------------------------------------------------

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
