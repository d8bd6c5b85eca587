# What a person does with drawhouse. `make` alone lists the targets.

SHELL := /bin/bash
GO    ?= go

# Where the demonstration house listens.
ADDR  ?= 127.0.0.1:8080

# Packages under the race detector, and seconds for each fuzz target, in `check`.
RACE     ?= ./...
FUZZTIME ?= 5s

# Random cases for each property test in `soak`; `test` runs 100.
SOAK_CHECKS ?= 5000

# Where the random cases of the property tests begin in `test`, which plays the same ones every
# time: a run says something of the change, and nothing of luck. `soak` plays new ones.
SEED ?= 14

# How far the memory of a test may grow before it is collected, in hundredths of what is in use: the programs of the
# tests are small, and a fifth of the processor time went into collecting at 100.
COLLECT ?= 400

# Packages that `test` runs at once. Many of their tests wait for games and processes, so that
# there are two more than there are processors.
PACKAGES ?= $(shell echo $$((2 + $$(getconf _NPROCESSORS_ONLN))))

# Packages that take longest, which `test` begins with, so that none of them is left alone at the end.
LONGEST := ./edge/web ./cmd/drawhouse ./internal/cleanroom/... ./journal/store/postgres ./house ./internal/attack ./edge/api ./check/verify ./internal/sim

# How often `cluster` strikes each of its blows.
ROUNDS ?= 4

# What `build` writes.
OUT ?= drawhouse

.DEFAULT_GOAL := help
.PHONY: help run test check derived lint openapi bench soak interop mutants cluster build reproduce release packages upgrade candidate lab pictures

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## run a demonstration house in drawhouse-data; ADDR=HOST:PORT says where, if not 127.0.0.1:8080
	$(GO) run ./cmd/drawhouse serve --demo --bingo --interval 90s --addr $(ADDR)

build: ## build ./drawhouse, or OUT=FILE, as everybody can build it again, to the byte
	CGO_ENABLED=0 GOFLAGS= GOCACHE=$(or $(GOCACHE),$$($(GO) env GOCACHE)) $(GO) build -trimpath -buildvcs=auto -o $(OUT) ./cmd/drawhouse

reproduce: ## build twice, from two clones with caches of their own, and compare byte for byte
	scripts/reproduce.sh

release: ## make programs, packages, an image, their bill of materials, provenance and hashes in release
	scripts/release.sh

packages: ## install the package in a bare Debian, found, sell, draw, upgrade and remove it without loss (takes root)
	scripts/packages.sh

upgrade: ## change the program of a house under load, from that of the commit OLD (HEAD~1) to this one, back, and to a newer one
	scripts/setup-test.sh
	scripts/upgrade.sh $(OLD)

candidate: ## keep journals of this version (version.go) with every kind of record, in internal/kept
	scripts/candidate.sh

test: export CGO_ENABLED := 0 # as in the programs that are released; and linking takes a fifth less time
test: ## install what tests need, where possible, and run every test
	scripts/setup-test.sh
	$(GO) vet ./...
	GOTMPDIR=$${TMPDIR:-/tmp} TMPDIR=$$(scripts/test-dir.sh) GOGC=$(COLLECT) \
		RAPID_SEED=$(SEED) DRAWHOUSE_SIEGE_SEED=$(SEED) \
		$(GO) test -p $(PACKAGES) -vet=off -ldflags='-s -w' -timeout 19m $(LONGEST) ./...

check: lint openapi ## everything a change must pass: format, vet, lint, races, short fuzzing
	$(GO) vet ./...
	$(GO) test -race -short $(RACE)
	scripts/fuzz.sh $(FUZZTIME)

derived: ## write anew what is derived: schema, hashes, goldens, documents, client; read the difference
	$(GO) test . -run Doc -rewrite
	$(GO) test ./rulebook -run '^TestJSONSchema$$' -rewrite
	$(GO) test ./rulebook/rules -run '^TestPins$$' -rewrite
	$(GO) test ./journal/record -run '^TestGoldens$$' -rewrite
	$(GO) test ./decide/state -run '^TestHashForm$$' -rewrite
	$(GO) test ./house -run '^TestMemoryVersion$$' -rewrite
	$(GO) test . -run Doc -rewrite
	$(GO) test ./internal/kept -run '^TestKeptAnswers$$' -rewrite

lint: ## gofmt and golangci-lint, which is installed into .bin
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs -r gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not formatted:"; echo "$$unformatted"; exit 1; fi
	scripts/install-lint.sh
	.bin/golangci-lint run ./...

openapi: ## hold the description of the interface against Redocly and Spectral, which npm brings into .bin
	scripts/lint-openapi.sh

bench: ## measure: every benchmark, with allocations
	$(GO) test -run '^$$' -bench . -benchmem ./...

soak: ## the long tests, and every property with many more random cases
	scripts/soak.sh $(SOAK_CHECKS)

interop: ## read what the program writes with programs of others (modules of their own below internal/interop)
	scripts/interop.sh

mutants: ## break each value and each function of a rule once; a case of its clause must fail (docs/MUTANTS.md)
	DRAWHOUSE_MUTANTS=all $(GO) test -count 1 -timeout 2h ./rulebook/rules -run '^TestMutants$$'
	DRAWHOUSE_MUTANTS=all $(GO) test -count 1 -timeout 4h ./internal/mutants -run '^TestFunctions$$'

cluster: ## a PostgreSQL cluster and three houses on this machine: lose nodes, kill the writer, change places
	scripts/setup-test.sh
	DRAWHOUSE_CLUSTER_ROUNDS=$(ROUNDS) $(GO) test ./cmd/drawhouse -run '^TestCluster$$' -count 1 -v -timeout 60m

lab: ## put the random numbers of the draw devices through the laboratory suites
	scripts/lab.sh

pictures: ## take the pictures of the documentation anew, in Chromium
	scripts/pictures.sh
