# Experiments, a folder each: how every file of their runs, measurements and drawings is made.

folders := $(sort $(patsubst experiments/%/runs,%,$(wildcard experiments/*/runs)))
figures := $(filter fig%,$(folders))
tables := $(filter table%,$(folders))
# Those about other papers: scripts/papers.py has how their names begin, as "ces-",
papers := $(patsubst "%-"$(comma),%,$(filter "%-"$(comma),$(file <scripts/papers.py)))
grouped := $(figures) $(tables) $(filter $(papers:%=%-%),$(folders))
ablations := $(filter-out $(figures) $(tables),$(folders))
experiments := $(figures) $(tables) $(ablations)

sweeping := sweep swept swept-by-make swept-by-slurm
facts := $(patsubst %,$(BUILD)/rules/$(SCALE)/%.mk,$(if $(inner),$(WANTED),$(experiments)))
ifneq ($(filter-out help clean setup all check install uninstall mutants defects sanitize clean-memory clean-threads clean-valgrind coverage counted kills fuzz fuzzed random-scenes plot preview render watch publish scaling flavours $(sweeping) $(if $(E),,same-results compare),$(or $(MAKECMDGOALS),all)),)
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
scripts := $(wildcard scripts/*.py scripts/mergesplit/*.py scripts/mergesplit/*.json scripts/steps/* experiments/*/draw*.py experiments/*/*.pov experiments/*/claims*.py \
           experiments/*/captions.md experiments/claims.py)
# One process looks at all that are newer.
unread := $(patsubst $(BUILD)/content/%,%,$(filter-out $(wildcard $(call content,$(scripts))),$(call content,$(scripts))))
$(BUILD)/content/.stamp: $(scripts) $(if $(unread),FORCE)
	@mkdir -p $(@D)
	@$(bare) -B scripts/contents.py --into $(BUILD)/content $(sort $(filter $(scripts),$?) $(unread)) && touch $@
$(call content,$(scripts)): $(BUILD)/content/.stamp ; $(same)

# config.yaml -> initial.hdf -> frames.sha256 (of all frames) -> tables.sha256 (of all that ms-analyze wrote: the tables
# and summary.json). Only ms-analyze knows which tables there are.
in = $(foreach file,$1,$(patsubst %,$(RESULTS)/%/$(file),$(runs)))
# The experiment that a file in RESULTS is of, and its facts.
experiment_of = $(firstword $(subst /, ,$1))
facts_of = $(BUILD)/rules/$(SCALE)/$(experiment_of).mk
nudged = $(if $(NUDGE),--set nudge=$(NUDGE))

# Meshes that their experiments compute.
meshes := experiments/ces-fig01/funnel.obj experiments/ces-fig05/finned-ring.obj
$(foreach mesh,$(meshes),$(eval $(mesh): $(dir $(mesh))shape.py))
$(meshes):
	@$(bare) -B $< >$@.$$$$ && mv -f $@.$$$$ $@

.SECONDEXPANSION:

# The configuration has digests of its meshes.
$(call in,config.yaml.stamp): $(RESULTS)/%/config.yaml.stamp: $$(layers_$$*) $$(inputs_$$*) $(BUILD)/ms-sample \
    $(call content,scripts/steps/effective) $$(call facts_of,$$*) $$(call missing,$(RESULTS)/$$*/config.yaml)
	@scripts/steps/effective $(BUILD) $(RESULTS)/$* $(arguments_$*) $(nudged) && touch $@

$(call in,initial.hdf.stamp): $(RESULTS)/%/initial.hdf.stamp: $(RESULTS)/%/config.yaml $$(inputs_$$*) \
    $(BUILD)/ms-sample $(call content,scripts/steps/sample) $$(call missing,$(RESULTS)/$$*/initial.hdf)
	@scripts/steps/sample $(BUILD) $(RESULTS)/$* $(arguments_$*) $(nudged) && touch $@

$(call in,frames.sha256.stamp): $(RESULTS)/%/frames.sha256.stamp: $(RESULTS)/%/initial.hdf \
    $(BUILD)/ms-simulate $(call content,scripts/steps/simulate) $$(call missing,$(RESULTS)/$$*/frames.sha256)
	@rm -f $@
	@RUN='$(RUN)' scripts/steps/simulate $(BUILD) $(RESULTS)/$* && touch $@

# FORCE if the record of a run, or a file in it, was removed.
lost = $(if $(filter-out $(wildcard $1/*),$1/tables.sha256 $(if $(wildcard $1/tables.sha256),\
       $(patsubst %,$1/%,$(filter %.csv %.json,$(file <$1/tables.sha256))))),FORCE)
$(call in,tables.sha256.stamp): $(RESULTS)/%/tables.sha256.stamp: $(RESULTS)/%/frames.sha256 \
    $(BUILD)/ms-analyze $(call content,scripts/steps/analyze) $$(call facts_of,$$*) $$(call lost,$(RESULTS)/$$*)
	@scripts/steps/analyze $(BUILD) $(RESULTS)/$* $(rows_$(call experiment_of,$*)) && touch $@

$(sections:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $(RESULTS)/$$(dir $$*)frames.sha256 \
    $(BUILD)/ms-render-prep $(call content,scripts/steps/section) $$(call facts_of,$$*) $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/section $(BUILD) $(RESULTS)/$* $(arguments_$*) && touch $@

$(views:%=$(DRAWN)/%.stamp): $(DRAWN)/%.stamp: $(RESULTS)/$$(dir $$*)frames.sha256 $(BUILD)/ms-render-prep \
    $$(call content,$$(scene_$$*)) $(call content,scripts/steps/view) \
    $$(call facts_of,$$*) $$(call missing,$(DRAWN)/$$*)
	@scripts/steps/view $(BUILD) $(RESULTS)/$(dir $*) $(DRAWN)/$* $(QUALITY) $(arguments_$*) && touch $@

$(points:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $(RESULTS)/$$(dir $$*)frames.sha256 \
    $(call content,scripts/steps/points scripts/points.py) $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/points $(RESULTS)/$* && touch $@

$(distances:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: \
    $$(addprefix $(RESULTS)/,$$(addsuffix /frames.sha256,$$(between_$$*))) $(BUILD)/ms-analyze \
    $(call content,scripts/steps/distance) $$(call facts_of,$$*) $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/distance $(BUILD) $(RESULTS)/$* $(arguments_$*) && touch $@

$(taps:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $$(addprefix $(BUILD)/tests/,$$(program_$$*)) \
    $(call content,scripts/steps/measure) $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/measure $< $(RESULTS)/$* && touch $@

# Times of steps are measured one run after the other, when all else that was asked for is done: see `made`.
$(timed:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $(RESULTS)/$$(dir $$*)tables.sha256 $(BUILD)/ms-simulate \
    $(call content,scripts/steps/time scripts/timings.py scripts/columns.py) $$(call facts_of,$$*) $$(call missing,$(RESULTS)/$$*)
	@RUN='$(RUN)' scripts/steps/time $(BUILD) $(RESULTS)/$(patsubst %/,%,$(dir $*)) $(steps_$(call experiment_of,$*)) && touch $@

$(benches:%=$(RESULTS)/%.stamp): $(RESULTS)/%.stamp: $$(addprefix $(BUILD)/tests/,$$(program_$$*)) \
    $(call content,scripts/steps/bench scripts/timings.py scripts/columns.py) $$(call facts_of,$$*) $$(call missing,$(RESULTS)/$$*)
	@scripts/steps/bench $(BUILD) $< $(RESULTS)/$* $(arguments_$*) && touch $@

# All of these are written by the recipes of their stamps.
$(call in,config.yaml initial.hdf frames.sha256 tables.sha256) $(views:%=$(DRAWN)/%) \
    $(patsubst %,$(RESULTS)/%,$(sections) $(points) $(distances) $(taps) $(timed) $(benches)): %: %.stamp ; $(same)

# What the pictures and claims of experiment $1 are made of, and what only its pictures show. Nobody looks at pictures or times of nudged runs.
data = $(patsubst %,$(RESULTS)/%/tables.sha256,$(runs_$1)) $(patsubst %,$(RESULTS)/%,$(sections_$1) $(distances_$1) $(taps_$1))
rendered = $(if $(NUDGE),,$(patsubst %,$(DRAWN)/%,$(views_$1)))
times = $(if $(NUDGE),,$(patsubst %,$(RESULTS)/%,$(timed_$1) $(benches_$1)))

reading := $(addprefix scripts/,experiment.py columns.py measurements.py arithmetic.py timings.py frame_ends.py all_pairs.py mergesplit/frames.py)

# The draw.py of an experiment writes all its pictures, with the help of draw_*.py; drawn.txt lists them.
drawn = $(patsubst %,$(PICTURES)/%,$(file <$(DRAWN)/$1/drawn.txt))
undrawn = $(if $(wildcard $(DRAWN)/$1/drawn.txt),$(if $(filter-out $(wildcard $(PICTURES)/*),$(call drawn,$1)),FORCE),FORCE)
$(experiments:%=$(DRAWN)/%/drawn.stamp): $(DRAWN)/%/drawn.stamp: $$(call data,$$*) $$(call rendered,$$*) $$(call times,$$*) \
    $$(call content,$$(wildcard experiments/$$*/draw*.py) scripts/style.py scripts/panels.py scripts/outlines.py scripts/camera.py scripts/sizes.py scripts/methods.py \
        scripts/picture_rules.py scripts/picture_said.py scripts/captions.py scripts/written.py $$(wildcard experiments/$$*/captions.md) \
        scripts/mergesplit/drawing.py scripts/mergesplit/colors.json $(reading) scripts/steps/draw) \
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
