package similar_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/similar"
)

// contradictions holds pairs that must not be merged: kind, text, text.
//
//go:embed testdata/contradictions.tsv
var contradictions string

// same holds pairs that differ only in case, spacing, punctuation or word form.
//
//go:embed testdata/same.tsv
var same string

func rows(t testing.TB, table string, columns, least int) [][]string {
	t.Helper()
	var all [][]string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != columns {
			t.Fatalf("%q has %d columns, want %d", line, len(cells), columns)
		}
		all = append(all, cells)
	}
	if len(all) < least {
		t.Fatalf("%d pairs, want at least %d", len(all), least)
	}
	return all
}

// contexts returns a pair in the contexts in which it may occur: without a name,
// under one name, and at the end of the same longer text.
func contexts(a, b string) map[string][2]similar.Text {
	const longer = "The review of last quarter listed what the group had learned about its tools, its habits and its " +
		"customers, and asked every member to write down one rule that would have saved an evening of work. "
	return map[string][2]similar.Text{
		"bare":   {similar.Prepare(a), similar.Prepare(b)},
		"named":  {similar.PrepareNamed("House rules", a), similar.PrepareNamed("House rules", b)},
		"longer": {similar.Prepare(longer + longer + a), similar.Prepare(longer + longer + b)},
	}
}

func TestContradictionsAreNotMerged(t *testing.T) {
	pairs := rows(t, contradictions, 3, 200)
	merged, unnamed := map[string]int{}, 0
	for _, row := range pairs {
		for where, p := range contexts(row[1], row[2]) {
			if verdict, why := similar.Duplicate(p[0], p[1]); verdict == similar.Merge {
				merged[where]++
				t.Logf("%s, %s: %q and %q are merged: %s", where, row[0], row[1], row[2], why)
			}
		}
		if d := similar.Guard(similar.Prepare(row[1]), similar.Prepare(row[2])); !strings.Contains(d.String(), kindName(row[0])) {
			unnamed++
			t.Logf("%q and %q: the guard names %q, not the %s", row[1], row[2], d, row[0])
		}
	}
	for where, n := range merged {
		if n*100 > len(pairs) {
			t.Errorf("%s: %d of %d contradictions merged, at most 1 %% may be", where, n, len(pairs))
		}
	}
	if unnamed*100 > len(pairs)*3 {
		t.Errorf("the guard names another kind for %d of %d pairs", unnamed, len(pairs))
	}
	t.Logf("%d contradictions, merged: %v; kind named for %d", len(pairs), merged, len(pairs)-unnamed)
}

func kindName(kind string) string {
	switch kind {
	case "antonym":
		return "opposite word"
	case "url":
		return "URL"
	}
	return kind
}

func TestSameTextsAreMerged(t *testing.T) {
	pairs := rows(t, same, 2, 200)
	merged := 0
	for _, row := range pairs {
		a, b := similar.Prepare(row[0]), similar.Prepare(row[1])
		verdict, why := similar.Duplicate(a, b)
		if verdict == similar.Merge {
			merged++
			continue
		}
		t.Logf("%q and %q are not merged: %d, %s", row[0], row[1], verdict, why)
	}
	if merged*100 < len(pairs)*98 {
		t.Errorf("%d of %d pairs merged, want 98 %%", merged, len(pairs))
	}
	t.Logf("%d of %d pairs that differ in form only are merged", merged, len(pairs))
}

func TestNormalise(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"  Deploy\t on\nFriday!  ":     "deploy on friday",
		`"Quoted" 'words' (here).`:     "quoted words here",
		"C# is not C; -1 is not 1":     "c# is not c -1 is not 1",
		"main() and arr[0], (f(x))":    "main() and arr[0] f(x)",
		"rm -rf . and cd ..":           "rm -rf . and cd ..",
		".NET, ./run.sh and a.b.c.":    ".net ./run.sh and a.b.c",
		"Straße — “Café”…":             "strasse — café",
		"what ?! no : yes":             "what no yes",
		"https://example.com/a?b=c#d.": "https://example.com/a?b=c#d",
	} {
		if got := similar.Normalise(text); got != want {
			t.Errorf("Normalise(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestDuplicate(t *testing.T) {
	long := "the nightly export writes one file for each tenant and region. " +
		"It is compressed, signed by the release key, copied to the archive bucket, listed in the ledger and " +
		"announced to the operators, who compare the totals with the invoices of the same period and sign the sheet"
	german := "Der nächtliche Export schreibt eine Datei für jeden Mandanten und jede Region, packt sie, unterschreibt sie " +
		"mit dem Schlüssel der Veröffentlichung, legt sie im Archiv ab und meldet sie den Kollegen, die die Summen vergleichen"
	tests := []struct {
		name               string
		aName, a, bName, b string
		want               similar.Verdict
		reason             string
	}{
		{"identical", "X", "Ship it.", "x", "ship it", similar.Merge, "the same text"},
		{"near-exact", "Export", long, "export", long + " again", similar.Merge, "near-exact"},
		{"near-exact, misspelt", "Export", long, "export", strings.Replace(long, "ledger", "leger", 1), similar.Merge, "near-exact"},
		{"another subject", "Export", long, "Reports", long + " again", similar.Review, ""},
		{"the opposite subject", "Export", long, "Import", long + " again", similar.Held, "opposite word"},
		{"one word replaced", "Export", long, "Export", strings.Replace(long, "compressed", "translated", 1), similar.Review, ""},
		{"one word more that limits it", "Export", long, "Export", strings.Replace(long, "writes", "almost writes", 1), similar.Review, ""},
		{"a word that occurs elsewhere replaced", "Export", long, "Export", strings.Replace(long, "by the release", "to the release", 1), similar.Review, ""},
		{"an opposite that occurs elsewhere", "Export", long, "Export", strings.Replace(long, "tenant and region", "tenant or region", 1), similar.Held, "opposite word"},
		{"two places changed", "Export", long + " again", "Export", strings.Replace(long, "ledger", "leger", 1), similar.Review, ""},
		{"another number in an identifier", "Export", long + " with pbkdf2", "Export", long + " with pbkdf5", similar.Review, ""},
		{"a condition more", "Export", long, "Export", long + " if asked", similar.Review, ""},
		{"limited in German", "", german, "", strings.Replace(german, "schreibt", "schreibt kaum", 1), similar.Held, "they differ in a negation"},
		{"hedged in German", "", german, "", strings.Replace(german, "schreibt", "schreibt angeblich", 1), similar.Review, ""},
		{"same words", "", "The deploys fail on full disks in the cluster", "", "the deploy failed on full disks in a cluster", similar.Merge, "same words"},
		{"order", "", "Alice pays Bob for the work", "", "Bob pays Alice for the work", similar.Review, "another order of words"},
		{"conflict", "Port", "The proxy listens on port 8080", "port", "The proxy listens on port 8443", similar.Held, "they differ in a number"},
		{"much of it", "", long + " on port 8080 with Ansible", "", long + " never on port 8443 with Pulumi", similar.Held, "they differ in a negation, a number and a name"},
		{"held", "Staging", "The port of the proxy in front of the web shop is 8080 now", "Production", "The port of the proxy in front of the web shop is 8443 now", similar.Held, "they differ in a number and an opposite word"},
		{"different", "", "Ship it", "", "Redis is fast", similar.Different, "similarity 0.0"},
		{"both empty", "", "", "", "", similar.Merge, "the same text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := similar.PrepareNamed(tt.aName, tt.a), similar.PrepareNamed(tt.bName, tt.b)
			got, reason := similar.Duplicate(a, b)
			if got != tt.want || !strings.Contains(reason, tt.reason) {
				t.Errorf("Duplicate = %d (%s), want %d (%s); similarity %.3f", got, reason, tt.want, tt.reason, a.Similarity(b))
			}
		})
	}
}

func TestGuardHeldForOrderAlone(t *testing.T) {
	a, b := similar.Prepare("the worker calls the gateway"), similar.Prepare("the gateway calls the worker")
	if d := similar.Guard(a, b); d != similar.Order {
		t.Errorf("Guard = %s, want the order alone", d)
	}
	c := similar.Prepare("the gateway calls 2 workers")
	if d := similar.Guard(a, c); d == similar.Order || d&similar.Number == 0 {
		t.Errorf("Guard = %s, want a number as well", d)
	}
}

func TestSpellingsOfOneNumberAreTheSame(t *testing.T) {
	for _, pair := range [][2]string{
		{"keep 10 GB of logs", "keep 10GB of logs"},
		{"wait 30s for it", "wait 30 seconds for it"},
		{"two replicas", "2 replicas"},
		{"1,000 rows", "1000 rows"},
		{"5% of users", "5 percent of users"},
	} {
		if d := similar.Guard(similar.Prepare(pair[0]), similar.Prepare(pair[1])); d != 0 {
			t.Errorf("%q and %q differ in: %s", pair[0], pair[1], d)
		}
	}
}

func TestSpellingsThatSaySomethingElseAreNotMerged(t *testing.T) {
	for _, pair := range [][2]string{
		{"Re-sign the contract with the vendor", "Resign the contract with the vendor"},
		{"Run `git re-use` on the shared branch", "Run `git reuse` on the shared branch"},
		{"The team re-enabled the old cache", "The team enabled the old cache"},
		{"The column user_colour is nullable", "The column user_color is nullable"},
		{"The host's timeout is the default", "The host is the default timeout"},
		{"Call foo(a, b) with the defaults of the module", "Call foo(b, a) with the defaults of the module"},
		{"Send plan A to the board and to the bank", "Send the plan to the board and to bank A"},
		{"Open https://example.com/colour first", "Open https://example.com/color first"},
	} {
		if v, why := similar.Duplicate(similar.Prepare(pair[0]), similar.Prepare(pair[1])); v == similar.Merge {
			t.Errorf("%q and %q are merged: %s", pair[0], pair[1], why)
		}
	}
}

// sentences returns a generator of texts, with many words that matter to the guard.
func sentences() *rapid.Generator[string] {
	word := rapid.SampledFrom(strings.Fields("the a not no Redis redis Alice v2 1.2.3 10 10GB 30 s -1 /etc/app.conf " +
		"https://x.test/a 2026-11-21 10:30 Monday enable disabled to from is was don't (x) x). .. … \" 東京 مرحبا 🔷 é ," +
		"three #4 @bob a/b C# it's e-mail re-use colour `x back end main() 1,000 1,00 ½ 10-20 '"))
	return rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), " ")
	}))
}

func checkLaws(t interface{ Fatalf(string, ...any) }, a, b string) {
	x, y := similar.Prepare(a), similar.Prepare(b)
	n := similar.Normalise(a)
	s := x.Similarity(y)
	v, _ := similar.Duplicate(x, y)
	w, _ := similar.Duplicate(y, x)
	switch {
	case similar.Normalise(n) != n:
		t.Fatalf("Normalise(%q) = %q, and again %q", a, n, similar.Normalise(n))
	case utf8.ValidString(a) && !utf8.ValidString(n):
		t.Fatalf("Normalise(%q) = %q is not UTF-8", a, n)
	case s < 0 || s > 1 || s != y.Similarity(x):
		t.Fatalf("Similarity(%q, %q) = %v, the other way %v", a, b, s, y.Similarity(x))
	case x.Similarity(x) != 1 || similar.Guard(x, x) != 0:
		t.Fatalf("%q is not the same as itself", a)
	case similar.Guard(x, y) != similar.Guard(y, x):
		t.Fatalf("Guard(%q, %q) = %s, the other way %s", a, b, similar.Guard(x, y), similar.Guard(y, x))
	case v != w:
		t.Fatalf("Duplicate(%q, %q) = %d, the other way %d", a, b, v, w)
	case v == similar.Merge && n != similar.Normalise(b) && similar.Guard(x, y) != 0:
		t.Fatalf("%q and %q are merged although they differ in: %s", a, b, similar.Guard(x, y))
	}
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkLaws(t, sentences().Draw(t, "a"), sentences().Draw(t, "b"))
	})
}

func TestZeroTextIsEmpty(t *testing.T) {
	var zero similar.Text
	if v, _ := similar.Duplicate(zero, similar.Prepare("")); v != similar.Merge {
		t.Errorf("the zero text and the empty text: %d", v)
	}
	if d := similar.Guard(zero, similar.Prepare("not 1")); d&similar.Negation == 0 {
		t.Errorf("Guard = %s", d)
	}
}

func FuzzDuplicate(f *testing.F) {
	f.Add("Ship it.", "ship it")
	f.Add("v1.2 on 2026-11-21 at /etc/x", "don't -1 10GB …")
	f.Add("\xff(", "1,0,t:::")
	f.Fuzz(func(t *testing.T, a, b string) { checkLaws(t, a, b) })
}

func benchPair() (a, b similar.Text) {
	const text = "The export job keeps one connection open for each tenant, which is why the pool ran dry on the night " +
		"of the invoice run; since then it takes a slot from the shared pool and gives it back."
	return similar.Prepare(text), similar.Prepare(strings.Replace(text, "invoice", "billing", 1) + " Fine.")
}

func BenchmarkSimilarity(b *testing.B) {
	x, y := benchPair()
	for b.Loop() {
		x.Similarity(y)
	}
}

func BenchmarkDuplicate(b *testing.B) {
	x, y := benchPair()
	for b.Loop() {
		similar.Duplicate(x, y)
	}
}

func BenchmarkPrepare(b *testing.B) {
	x, _ := benchPair()
	for b.Loop() {
		similar.Prepare(x.Normalised())
	}
}

func ExampleGuard() {
	a := similar.Prepare("Backups start at 02:00 on Monday")
	b := similar.Prepare("Backups do not start at 02:00 on Tuesday")
	fmt.Println(similar.Guard(a, b))
	// Output: negation and date
}
