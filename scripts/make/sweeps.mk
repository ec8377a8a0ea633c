# Sweeps, a file each (scripts/sweep.py).

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
