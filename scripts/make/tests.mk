# Tests, and what else finds faults: planted defects, sanitizers, kills, random scenes.

test_scripts := $(wildcard tests/*/test_*.sh)
# Tests of what is written and drawn for readers take long and depend on little of the code: `make verify` runs them. So it does
# those that do nothing but measure the values of claims.
measuring := corotated_buckling factor_size peer_beam position_ablations position_floors position_theory position_variants
verifying := $(filter tests/verify/%,$(test_scripts))
word := $(or $(strip $(TESTS)),test_)
tests := $(strip $(foreach t,$(test_programs) $(test_scripts),$(if $(findstring $(word),$(t:$(BUILD)/tests/%=tests/unit/%)),$t)))
tests := $(if $(strip $(TESTS)),$(tests),$(filter-out $(verifying) $(measuring:%=$(BUILD)/tests/test_%.t),$(tests)))

.PHONY: lint
lint: ## runs the tests of tests/lint: format, names in texts and claims, paths and links, faults in scripts
	@$(MAKE) --no-print-directory check tests='$(filter tests/lint/%,$(test_scripts))'

# A program about which a sanitizer has a report ends with a status that no program has. Tests have a core each; those of threads say how many.
in_tests = env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS BUILD='$(CURDIR)/$(BUILD)' PATH='$(CURDIR)/$(BUILD)':"$$PATH" \
           CC='$(CC)' OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive ASAN_OPTIONS=allocator_may_return_null=1:exitcode=99 \
           UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99 \
           TSAN_OPTIONS='allocator_may_return_null=1 ignore_noninstrumented_modules=1'
# The toy project of tests/make, with all that make makes of it; each of them works on a copy.
toy := $(BUILD)/tests/toy
$(toy).stamp: Makefile $(wildcard scripts/* scripts/*/*) $(wildcard docs/*paper.csv) tests/make/toy_project.sh $(wildcard tests/make/toy/*) \
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
	@$(python) -B scripts/mutants.py --claims $(WORDS)

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
