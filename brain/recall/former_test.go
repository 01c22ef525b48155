package recall

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestFormerValues(t *testing.T) {
	for _, c := range []struct{ former, present, want string }{
		{"Staging runs on port 5433", "Staging runs on port 5500", "5433"},
		{"Bob owns the billing service", "Carla owns the billing service", "Bob"},
		{"We deploy on Fridays", "We do not deploy on Fridays", "the opposite"},
		{"We do not deploy on Fridays", "We deploy on Fridays", "the opposite"},
		{"Caching is enabled for search results", "Caching is disabled for search results", "enabled"},
		{"Anna writes the release notes", "The notes of a release are written by Tom", "Anna"},
		{"Mara owns the billing service", "Billing service is now owned by Jonas", "Mara"},
		{"Anna is the contact at Norbank", "Our contact at Norbank is Felix now", "Anna"},
		{"Token for ci.example.dev lives 30 days", "Token for ci.example.dev lives 90 days", "30 days"},
		{"Secrets live in AWS Secrets Manager", "Secrets live in Vault", "AWS Secrets Manager"},
		{"PRs need two approvals", "One approval is enough for PRs", "two"},
	} {
		memory := func(id, text string) brain.Memory {
			return brain.Memory{ID: id, Name: brain.NameOf(text), Content: text, MemoryType: "decision"}
		}
		present := memory("new", c.present)
		if got := formerValue(&present, []string{"old"}, map[string]brain.Memory{"old": memory("old", c.former)}); got != c.want {
			t.Errorf("%q after %q: was %q, want %q", c.present, c.former, got, c.want)
		}
	}
}
