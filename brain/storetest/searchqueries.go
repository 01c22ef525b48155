package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func searchQueryCases() []testCase {
	return []testCase{
		{"no character of a query breaks it", searchSpecials},
		{"no query at all is an error", searchAnyQuery},
		{"a query made by hand does no harm", searchRawQuery},
		{"a query without words finds nothing, operators and stop words what has them", searchOddWords},
		{"a very long query is fine", searchLong},
		{"whatever is stored is found by its own words", searchOwnWords},
		{"ties come by id, also under a limit", searchTies},
	}
}

func searchSpecials(t *testing.T, b *db) {
	m := Memory("a zebra there")
	b.put(append(padding(3), m)...)
	for _, around := range []string{
		`%s"`, `"%s`, `"%s"`, `'%s'`, `%s*`, `*%s`, `%s?`, `?%s`, `^%s`, `-%s`, `+%s`, `!%s`, `%s~2`, `%s^4`,
		`(%s`, `%s)`, `((%s))`, `[%s`, `{%s}`, `content:%s`, `name : %s`, `{content name}: %s`, `\%s\`, `/%s/`,
		`/%s`, `<%s>`, `&&%s||`, `%s&`, `@%s#$`, "`%s`", `%s;--`, `'; DROP TABLE memory; -- %s`, `$n %s :x`,
		"%s\x00", "\x00%s", "\xff%s\xfe", "%s\n\t\r", "\u202e%s\u200b", "\ufeff%s", `=%s`, `%s,`, `...%s…`,
		`"" %s`, `" " %s`, `"***" %s`, `«%s»`, `“%s”`, `5" %s`,
	} {
		query := strings.Replace(around, "%s", "zebra", 1)
		same(t, query, []string{m.ID}, b.find(query))
	}
}

func searchAnyQuery(t *testing.T, b *db) {
	b.put(Memory("a zebra"), Memory("AND OR NOT"))
	pieces := rapid.SliceOfN(rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			`"`, `*`, `(`, `)`, `:`, `^`, `-`, `+`, `~`, `\`, `/`, `[`, `]`, `{`, `}`, `'`, "&&", "||", " ", "\x00",
			"zebra", "AND", "OR", "NOT", "NEAR", "TO", "rowid", "content:", "ß", "İ", "人工", "🚀", "\u0301", "\xff",
		}),
	), 0, 8)
	b.law(t, Served, func(rt *rapid.T) {
		query := strings.Join(pieces.Draw(rt, "pieces"), "")
		err := b.View(b.ctx(), func(r brain.Reader) error {
			_, err := r.Search(brain.SearchQuery{Words: words.Parse(query), Limit: 5})
			return err
		})
		if err != nil {
			rt.Fatalf("query %q: %v", query, err)
		}
	})
}

// searchRawQuery hands over terms that words.Parse never makes.
func searchRawQuery(t *testing.T, b *db) {
	m := Memory("a zebra")
	b.put(m)
	for _, term := range []string{`"`, `zebra" OR "x`, "ZEBRA", "a b", "*", "AND", `\`, "", "zebra*", ")", "name:zebra"} {
		q := words.Query{Terms: []string{term, "zebra"}}
		same(t, "term "+term, []string{m.ID}, hitIDs(b.search(brain.SearchQuery{Words: q})))
		q = words.Query{Terms: []string{"zebra"}, Phrases: [][]string{{"zebra", term}}}
		err := b.View(b.ctx(), func(r brain.Reader) error {
			_, err := r.Search(brain.SearchQuery{Words: q, Limit: 5})
			return err
		})
		works(t, "phrase with "+term, err)
	}
}

func searchLong(t *testing.T, b *db) {
	m := Memory("a needle there")
	b.put(append(padding(3), m)...)
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "w%dx ", i)
	}
	same(t, "3,000 words", []string{m.ID}, b.find("needle "+many.String()))
	same(t, "a word of 1 MiB", []string{m.ID}, b.find(strings.Repeat("y", 1<<20)+" needle"))
	phrase := many.String()[:1500]
	same(t, "a phrase of 300 words", 0, len(b.find(`"`+phrase+`" needle`)))
	phrases := strings.Repeat(`"a needle" `, 200)
	same(t, "200 phrases", []string{m.ID}, b.find(phrases))
}

func searchTies(t *testing.T, b *db) {
	ms := Memories(60, "the very same text")
	ids := sorted(brain.IDs(ms)...)
	b.put(ms[:20]...)
	b.put(ms[20:50]...) // the stores keep separately written words separate
	b.put(ms[50:]...)
	q := brain.SearchQuery{Words: words.Parse("same text")}
	for _, limit := range []int{1, 10, 59, 60, 100} {
		q.Limit = limit
		same(t, "hits", ids[:min(limit, 60)], hitIDs(b.search(q)))
	}
}

func searchOddWords(t *testing.T, b *db) {
	near, notted, matched := Memory("near field communication"), Memory("not invented here"), Memory("match null order")
	hamlet := Memory("to be or to be")
	b.put(append(padding(5), near, notted, matched, hamlet)...)
	for query, want := range map[string]string{
		"NEAR": near.ID, "NEAR(field communication)": near.ID, "NEAR/2 field": near.ID, "[field TO fields]": near.ID,
		"NOT": notted.ID, "NOT invented": notted.ID, "OR invented AND": notted.ID, "invented AND OR": notted.ID,
		"rank MATCH null": matched.ID, "to be": hamlet.ID, "or": hamlet.ID, `"or to"`: hamlet.ID,
	} {
		if got := b.find(query); len(got) == 0 || got[0] != want {
			t.Errorf("%s: hits are %v, want %s first", query, got, want)
		}
	}
	for _, query := range []string{"", "   ", `""`, "...", "\x00", "-", `"*"`} {
		same(t, "query "+query, 0, len(b.find(query)))
	}
	same(t, "no words", 0, len(b.search(brain.SearchQuery{})))
	q := brain.SearchQuery{Types: []string{"note"}, Tiers: []tiers.Tier{tiers.Working}}
	same(t, "filters alone", 0, len(b.search(q)))
}

func searchOwnWords(t *testing.T, b *db) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z0-9_.'" -]{1,40}`), rapid.StringMatching(`[人工智能東京都あいう 가나다]{1,12}`))
	ms := make([]brain.Memory, 60)
	for i := range ms {
		ms[i] = Memory(text.Example(i), func(m *brain.Memory) { m.Name = "n" })
	}
	b.put(ms...)
	quotes := strings.NewReplacer(`"`, " ", "“", " ", "”", " ", "„", " ", "‟", " ", "«", " ", "»", " ", "＂", " ")
	for _, m := range ms {
		q := words.Parse(quotes.Replace(m.Content))
		phrase := words.Query{Terms: q.Terms, Phrases: [][]string{words.Terms(m.Content)}}
		for _, q := range []words.Query{q, phrase} {
			got := hitIDs(b.search(brain.SearchQuery{Words: q, Limit: len(ms)}))
			if !slices.Contains(got, m.ID) && len(q.Terms) > 0 {
				t.Errorf("%q is not found by its own words %q and phrases %q", m.Content, q.Terms, q.Phrases)
			}
		}
	}
}
