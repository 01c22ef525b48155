package similar_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/similar"
)

func TestInvented(t *testing.T) {
	sources := []string{
		"The API of Heron listens on port 8080, see /etc/heron/api.toml",
		"Heron's API is on port 8080 since 2026-01-02, not on TLS; docs at https://heron.example/docs, version v1.4.2",
	}
	tests := []struct{ text, want string }{
		{"Heron's API listens on port 8080 (see /etc/heron/api.toml)", ""},
		{"Since 2026-01-02 the API of Heron is on port 8080 and not on TLS: v1.4.2, https://heron.example/docs", ""},
		{"The API of Heron listens on port 9090", "number"},
		{"The API of Heron listens on port 8080 with 4 workers", "number"},
		{"The API of Heron listens on port 8080 since 2026-01-03", "date"},
		{"The API of Heron v1.5.0 listens on port 8080", "version"},
		{"The API of Heron listens on port 8080, see /etc/heron/other.toml", "path"},
		{"The API of Heron listens on port 8080, see https://heron.example/evil", "URL"},
		{"The API of Heron by Alice listens on port 8080", "name"},
		{"Kafka has the API of Heron on port 8080", "name"},
		{"The API of Heron listens on port 8080 and never stops", "negation"},
	}
	prepared := []similar.Text{similar.Prepare(sources[0]), similar.Prepare(sources[1])}
	for _, test := range tests {
		if got := similar.Invented(similar.Prepare(test.text), prepared...).String(); got != test.want {
			t.Errorf("%q: invented %q, want %q", test.text, got, test.want)
		}
	}
	if got := similar.InventedFacts(similar.Prepare("Kafka has the API of Heron on port 9090"), prepared...); !slices.Equal(got, []similar.Fact{{similar.Number, "9090"}, {similar.Name, "kafka"}}) {
		t.Errorf("invented facts: %v", got)
	}
	if got := similar.Lost(similar.Prepare("The API of Heron listens on a port"), prepared...).String(); got != "number" {
		t.Errorf("lost %q, want the port, which both sources say", got)
	}
	if got := similar.Lost(similar.Prepare("Heron is on port 8080"), prepared...); got != 0 {
		t.Errorf("lost %v: what one source alone says may go", got)
	}
}

func TestRenamed(t *testing.T) {
	for _, c := range []struct{ text, source, lost string }{
		{"The heron service keeps its sessions in memory", "The otter service keeps its sessions in memory", "otter"},
		{"The heron and otter services keep sessions in memory", "The otter service keeps its sessions in memory", ""},
		{"The staging server runs the new kernel", "The old staging server runs the new kernel", ""},
		{"The heron service keeps its sessions in memory", "In memory the otter service keeps its sessions", "otter"},
		{"Our build is slow on Mondays", "Our deploy is slow on Mondays", "deploy"},
		{"Sessions of the heron service are kept in memory", "Sessions of the otter service are kept in memory", "otter"},
		{"We keep the sessions of heron in memory", "We keep the sessions of otter in memory", "otter"},
		{"Restart it after the heron job has run", "Restart it after the otter job has run", "otter"},
		{"Alice keeps an eye on heron sessions", "Alice keeps an eye on otter sessions", "otter"},
		{"The new heron sessions are kept in memory", "The new otter sessions are kept in memory", "otter"},
		{"Heron sessions are kept in memory", "Otter sessions are kept in memory", ""}, // the guard takes them for names
		{"Memory has the sessions of the heron service", "The sessions of the old heron service are in memory", ""},
		{"The parser fails on the big file", "The parser fails on the large file", ""},
		{"We save memory by keeping sessions short", "We save memory by holding sessions short", ""},
		{"Keep sessions in memory", "Hold sessions in memory", ""},
		{"Use tabs for indentation here", "Prefer tabs for indentation here", ""},
	} {
		text, source := similar.Prepare(c.text), similar.Prepare(c.source)
		if got := similar.Renamed(text, source); got != c.lost {
			t.Errorf("%q made of %q: %q is lost, want %q", c.text, c.source, got, c.lost)
		}
		if other := similar.Renamed(source, text); (other == "") != (c.lost == "") {
			t.Errorf("%q made of %q: %q is lost, want it symmetric", c.source, c.text, other)
		}
	}
}

// A text compared with itself, or with itself and others, invents nothing.
func TestSourcesInventNothing(t *testing.T) {
	pairs := rows(t, contradictions, 3, 200)
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.SampledFrom(pairs).Draw(t, "pair")
		a, b := similar.Prepare(row[1]), similar.Prepare(row[2])
		if d := similar.Invented(a, a); d != 0 {
			t.Errorf("%q against itself: %v", row[1], d)
		}
		if d := similar.Invented(b, a, b) | similar.Lost(b, a, b); d != 0 {
			t.Errorf("%q against itself and another: %v", row[2], d)
		}
	})
}
