package similar_test

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/similar"
)

// claims holds pairs of texts, which may begin with a name and " :: ": conflict or
// different, text, text.
//
//go:embed testdata/claims.tsv
var claims string

func claimOf(text string) *similar.Claim {
	name, content, named := strings.Cut(text, " :: ")
	if !named {
		name, content = "", text
	}
	return similar.ClaimOf(name, content)
}

func TestConflicts(t *testing.T) {
	for _, row := range rows(t, claims, 3, 60) {
		a, b := claimOf(row[1]), claimOf(row[2])
		if want := row[0] == "conflict"; a.Conflicts(b) != want || b.Conflicts(a) != want {
			t.Errorf("%q and %q conflict: %v and %v", row[1], row[2], a.Conflicts(b), b.Conflicts(a))
		}
	}
}

// Whether two texts conflict does not depend on their order, and of texts that have
// little to do with each other hardly any conflict.
func TestConflictsOfAll(t *testing.T) {
	var all []*similar.Claim
	pairs := rows(t, claims, 3, 60)
	for _, row := range pairs {
		all = append(all, claimOf(row[1]), claimOf(row[2]))
	}
	conflicts := 0
	for i, a := range all {
		for j, b := range all {
			got := a.Conflicts(b)
			if got != b.Conflicts(a) {
				t.Errorf("%q and %q conflict: %v, the other way %v", pairs[i/2], pairs[j/2], got, !got)
			}
			if got && i/2 < j/2 {
				conflicts++
				t.Log(pairs[i/2][1+i%2], " | ", pairs[j/2][1+j%2])
			}
		}
	}
	if most := len(all) * len(all) / 2 / 500; conflicts > most {
		t.Errorf("%d conflicts between texts of different pairs, at most %d expected", conflicts, most)
	}
}

// Claims are made of a subject, how it is told, and a value; a reason may follow.
var (
	subjects = map[string][]string{ // by two values that they can have
		"111|1111":                    {"staging port", "retry limit", "upload limit", "checkout timeout", "worker count", "invoice batch size"},
		"1.2.3|1.3.0":                 {"compiler version", "proxy version", "runner version"},
		"3 May|9 June":                {"launch date", "freeze date", "audit date"},
		"Monday|Thursday":             {"release day", "retro day", "billing day"},
		"30 days|12 hours":            {"log retention", "token lifetime", "backup interval"},
		"shop-assets|shop-media":      {"thumbnail bucket", "invoice bucket", "report bucket"},
		"trunk|develop":               {"default branch", "release branch", "docs branch"},
		"Ada|Grace":                   {"security contact", "payroll contact", "hardware contact"},
		"/srv/alpha|/mnt/beta":        {"dump folder", "spool folder", "export folder"},
		"eu-west-1|eu-central-1":      {"billing region", "archive region", "search region"},
		"Sentry|Rollbar":              {"crash tracker", "script tracker", "mobile tracker"},
		"enabled|disabled":            {"guest checkout", "dark mode", "audit trail"},
		"public|private":              {"wiki repository", "theme repository", "schema repository"},
		"blue_v1|green_v2":            {"checkout flag", "search flag", "invoice flag"},
		"golang:alpine|golang:debian": {"worker image", "gateway image", "cron image"},
	}
	told    = []string{"The %s is %v", "%s: %v", "the %s is now %v"}
	reasons = []string{
		"", " because the old one was taken", ", since 4711 is reserved for the proxy", " so that the others can follow",
		" - agreed with Lin on Monday", ". The old one caused an outage on 3 May.", ", weil der alte belegt war", " due to the audit",
	}
)

func drawClaim(t *rapid.T, subject, value string) (text, because string) {
	form := rapid.SampledFrom(told).Draw(t, "form")
	text = strings.NewReplacer("%s", subject, "%v", value).Replace(form)
	return text, text + rapid.SampledFrom(reasons).Draw(t, "reason")
}

// Two values of one subject conflict whatever the reasons, two subjects never do, and
// a claim never conflicts with itself and a reason.
func TestClaimLaws(t *testing.T) {
	kinds := slices.Sorted(maps.Keys(subjects))
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(t, "values")
		old, newer, _ := strings.Cut(kind, "|")
		all := rapid.Permutation(subjects[kind]).Draw(t, "subjects")
		short, a := drawClaim(t, all[0], old)
		_, b := drawClaim(t, all[0], newer)
		_, c := drawClaim(t, all[1], newer)
		x, y, z := claimOf(a), claimOf(b), claimOf(c)
		if !x.Conflicts(y) || !y.Conflicts(x) {
			t.Errorf("%q and %q do not conflict", a, b)
		}
		if x.Conflicts(z) || z.Conflicts(x) {
			t.Errorf("%q and %q conflict", a, c)
		}
		if x.Conflicts(x) || x.Conflicts(claimOf(short)) || claimOf(short).Conflicts(x) {
			t.Errorf("%q conflicts with itself", a)
		}
	})
}

func FuzzClaim(f *testing.F) {
	f.Add("Moved staging to port 5500 because 5433 is taken", "staging :: port 5433")
	f.Add("(", "1 of May: :80 - every")
	f.Add("a :: \xff,;", "ein 3. März")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := claimOf(a), claimOf(b)
		if x.Conflicts(y) != y.Conflicts(x) || x.Conflicts(x) || len(x.Terms()) > 8 {
			t.Errorf("%q and %q: %v, the other way %v", a, b, x.Conflicts(y), y.Conflicts(x))
		}
	})
}

func TestValuesAndTerms(t *testing.T) {
	for _, c := range []struct{ text, value, term string }{
		{"Moved staging to port 5500 because 5433 is taken", "5500", "stage"},
		{"Access logs are kept for 30 days", "30 days", "access"},
		{"The default branch is trunk", "trunk", "branch"},
		{"Backups go to S3", "S3", "backup"},
		{"Das Standup ist um 9:30 Uhr", "9:30 Uhr", "standup"},
		{"Any other command ends with exit code 4 and changes nothing", "exit code 4", "command"},
		{"Switched from Jenkins to Buildkite", "Buildkite", "jenkin"},
	} {
		claim := claimOf(c.text)
		if got := claim.Value(); got != c.value || !slices.Contains(claim.Terms(), c.term) {
			t.Errorf("%q: value %q, terms %q", c.text, got, claim.Terms())
		}
	}
	if none := claimOf("Fixed the login"); none.Value() != "" {
		t.Errorf("the claim of an event is %q", none.Value())
	}
}

func BenchmarkClaimOf(b *testing.B) {
	for b.Loop() {
		similar.ClaimOf("Staging", "Moved staging to port 5500 on Friday because the new proxy needs 5433. Ada knows why.")
	}
}

func TestPatternsOfSeries(t *testing.T) {
	for text, want := range map[string]string{
		"Deployed build 1234 to staging.":   "deployed build # to staging",
		"Standup of Monday, 3 April: quiet": "standup of # # # quiet",
		"Fixed JIRA-12 in 4f2a9c":           "fixed # in #",
		"Nothing to count here":             "",
	} {
		if got := similar.Prepare(text).Pattern(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNamedApart(t *testing.T) {
	named := similar.PrepareNamed
	for _, c := range []struct {
		a, b  similar.Text
		apart bool
	}{
		{named("search parser", "The parser has a limit"), named("search sampler", "The sampler has a limit"), true},
		{named("Port", "The port of the proxy"), named("Proxy", "The port of the proxy"), false},
		{named("Deploys", "How to deploy"), named("Deploy", "How to deploy it"), false},
		{named("Parser limit", "It is 7"), named("", "The limit of the sampler is 7"), false},
	} {
		if got := similar.NamedApart(c.a, c.b); got != c.apart || similar.NamedApart(c.b, c.a) != got {
			t.Errorf("%q and %q are named apart: %v", c.a.Normalised(), c.b.Normalised(), got)
		}
	}
}

func BenchmarkConflicts(b *testing.B) {
	var all []*similar.Claim
	for _, row := range rows(b, claims, 3, 60) {
		all = append(all, claimOf(row[1]), claimOf(row[2]))
	}
	n := 0
	for b.Loop() {
		n++
		for i := range all {
			all[i].Conflicts(all[(i+n)%len(all)])
		}
	}
}
