# The two that matter: `make run` and `make test`. `make help` lists the rest.

RELEASE = -trimpath -ldflags '-s -w'
# Without C, which nothing here needs, a process starts a millisecond sooner.
BUILD   = CGO_ENABLED=0 go
TOOL    = go tool -modfile=tools/go.mod

.DEFAULT_GOAL := help
.PHONY: help run build install release check test agents laws fuzz bench fmt fmt-check lint vuln tidy clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build and start the daemon on the embedded store; ARGS='…' are added to serve
	$(BUILD) build -o bin/brainbridge ./cmd/brainbridge
	exec ./bin/brainbridge serve $(ARGS)

build: ## bin/brainbridge as it is released, with its version in it
	$(BUILD) build $(RELEASE) -o bin/brainbridge ./cmd/brainbridge

install: ## the same into the folder of Go's programs
	$(BUILD) install $(RELEASE) ./cmd/brainbridge

release: ## archives for Linux and macOS with man pages and completions into dist
	@scripts/release.sh dist

check: fmt-check lint ## the fast loop: format, lint with vet, race tests on the embedded store
	go test -vet=off $$(scripts/race-flags.sh) -short ./...

test: ## every test on both stores; brings a Neo4j server (SKIP_NEO4J=1 leaves it out)
	@scripts/test.sh

agents: ## tests with the real agents, offline but for the first time (2 GB); RUN=TestCodex picks one
	@scripts/agents/test.sh

laws: ## property tests with RAPID_CHECKS (1000) checks each; the suite runs 100, and fewer of slow tests
	@scripts/laws.sh

fuzz: ## each fuzz target for FUZZTIME (20s)
	@scripts/fuzz.sh

bench: ## Go benchmarks into bin/bench.txt; BASE=FILE compares with an earlier one
	@mkdir -p bin
	go test -run='^$$' -bench=. -benchmem -count=$(or $(COUNT),6) ./... >bin/bench.txt || { cat bin/bench.txt; exit 1; }
	$(TOOL) benchstat $(BASE) bin/bench.txt

fmt: ## format every Go file
	$(TOOL) gofumpt -w .

fmt-check:
	@files=$$($(TOOL) gofumpt -l .) && { [ -z "$$files" ] || { echo "not formatted (make fmt):"; echo "$$files"; exit 1; }; }

lint: ## golangci-lint, with the rules on who may import whom
	$(TOOL) golangci-lint run ./...

vuln: ## known vulnerabilities in what is used; needs the network
	$(TOOL) govulncheck ./...

tidy: ## go.mod and go.sum, of the program and of its tools
	go mod tidy
	cd tools && go mod tidy

clean: ## what was built; the fetched Neo4j stays in the cache folder
	rm -rf bin dist coverage.out coverage.html
