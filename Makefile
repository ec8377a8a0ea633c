# mergesplit: `make help` lists the targets.
CC = gcc
PACKAGES = gsl hdf5-serial yaml-0.1 gts
BUILD ?= build

WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef \
           -Wdouble-promotion
CFLAGS = -std=c11 -O3 -mavx2 -ffp-contract=off -fopenmp $(WARNINGS)
CPPFLAGS = -D_GNU_SOURCE -Isrc -Itests $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PACKAGES)))
LDLIBS = $(shell pkg-config --libs $(PACKAGES)) -lm

library_sources = $(filter-out src/stages/%,$(wildcard src/*/*.c))
library_objects = $(library_sources:%.c=$(BUILD)/%.o)
programs = $(patsubst src/stages/%.c,$(BUILD)/ms-%,$(subst _,-,$(wildcard src/stages/*.c)))
unit_tests = $(patsubst tests/unit/%.c,$(BUILD)/tests/%.t,$(wildcard tests/unit/test_*.c))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all check clean
all: $(programs)

check: $(unit_tests)
	prove -j2 $(unit_tests)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libmergesplit.a: $(library_objects)
	rm -f $@ && ar rcsD $@ $^

$(BUILD)/ms-render-prep: $(BUILD)/src/stages/render_prep.o $(BUILD)/libmergesplit.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/ms-%: $(BUILD)/src/stages/%.o $(BUILD)/libmergesplit.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/tests/%.t: $(BUILD)/tests/unit/%.o $(BUILD)/libmergesplit.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
