# Two commands matter: `make run` and `make test`. Both install what is missing first.
SHELL := /bin/bash
SWIFT ?= swift
export STEPWELL_PORT ?= 8443
BUILD = $(SWIFT) build -c release --product stepwell
BINARY = .build/release/stepwell

.PHONY: setup build run test bench fuzz soak lint clean

# Debian packages: compilers' headers, PostgreSQL, time zones.
setup:
	@deploy/packages.sh run

build: setup
	$(BUILD)

# The server on https://localhost:8443 (or STEPWELL_PORT) with the cast as its people; everything it keeps is in .run.
run: build
	@mkdir -p .run
	@STEPWELL_DEVELOPMENT=1 STEPWELL_DATA="$(CURDIR)/.run" STEPWELL_RESOURCES="$(CURDIR)" exec $(BINARY) serve --seed

# Everything: rooms, storage on a real PostgreSQL, site in process, the real binary, a real browser.
test:
	@deploy/packages.sh test
	$(SWIFT) build --build-tests
	Tests/run.sh
	Tests/Fuzzers/run.sh 20
	Tests/Browser/run.sh

bench:
	@deploy/packages.sh bench
	Tests/Benchmarks/run.sh

# Long forms of what `make test` does briefly.
fuzz: setup
	Tests/Fuzzers/run.sh $${STEPWELL_FUZZ_SECONDS:-600}

soak:
	@deploy/packages.sh test
	$(SWIFT) build --build-tests
	STEPWELL_SOAK=1 Tests/run.sh Activity Storage Jobs Phones Site House
	Tests/Fuzzers/run.sh $${STEPWELL_FUZZ_SECONDS:-600}

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

clean:
	rm -rf .build .run
