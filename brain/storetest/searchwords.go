package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

func searchWordCases() []testCase {
	return []testCase{
		{"words find what people mean by them", searchTable},
		{"name, content and tags of live and expired memories are searched, and nothing else", searchFields},
		{"a section is found by heading, page and text", searchSection},
		{"names with a sign, compounds and umlauts are found as people write them", searchNames},
		{"any of the words finds, and every phrase must occur as it stands", searchPhrases},
		{"more words, rarer ones and those of the name are better", searchRanks},
	}
}

// searchTable has one memory a row; its query finds it first.
func searchTable(t *testing.T, b *db) {
	rows := []struct{ name, text, query string }{
		{"case", "We chose PostgreSQL", "POSTGRESQL"},
		{"a plural", "two giraffes", "giraffe"},
		{"a form of a verb", "she was painting", "painted"},
		{"an underscore", "set dark_mode on", "dark"},
		{"an underscore in the query", "a lint rule", "lint_rule"},
		{"a file name", "see brain_store.go there", "brain_store.go"},
		{"diacritics in the text", "a naïve Müller", "naive"},
		{"diacritics in the query", "resume of work", "résumé"},
		{"decomposed diacritics", "cafe\u0301 corner", "caf\u00e9"},
		{"wide letters", "ｆｕｌｌｗｉｄｔｈ text", "fullwidth"},
		{"Cyrillic", "Москва слезам не верит", "МОСКВА"},
		{"Greek", "Η Αθήνα", "αθηνα"},
		{"Chinese within a sentence", "我们讨论人工智能的未来", "智能"},
		{"one Chinese character", "龍", "龍"},
		{"Japanese", "東京都に住む", "東京"},
		{"Korean", "대한민국", "한민"},
		{"an emoji", "ship it 🚀 now", "🚀"},
		{"a joined emoji", "by 👩‍💻 at home", "👩‍💻"},
		{"an emoji without its skin tone", "thanks 👍🏽", "👍"},
		{"numbers", "error 0x80070057 again", "0x80070057"},
		{"a version", "upgrade to v5.26.1", "v5.26.1"},
		{"an address", "mail bob@example.org", "bob@example.org"},
		{"a negation", "do not shave yaks", "shave not"},
		{"a sentence with stop words", "the parser of tables", "what is the parser of the"},
		{"a word behind a stop word", "zygote and the blastula", "the blastula"},
	}
	var ms []brain.Memory
	for _, r := range rows {
		ms = append(ms, Memory(r.text))
	}
	b.put(ms...)
	for i, r := range rows {
		if got := b.find(r.query); len(got) == 0 || got[0] != ms[i].ID {
			t.Errorf("%s: %q does not find %q first, but %v", r.name, r.query, r.text, got)
		}
	}
}

// searchNames looks for names that differ only in a sign, and for compounds in both spellings.
func searchNames(t *testing.T, b *db) {
	texts := []string{
		"The parser is in C", "The parser is in C++", "The parser is in C#", "The parser is in F#", "The parser is in Objective-C",
		"It runs on .NET now", "a net for fish", "It runs on Node.js", "a Pi-hole in the flat", "the pihole of a friend", "an e-mail arrived", "an email left",
		"text in UTF-8", "route by A*", "wifi is slow", "they are on\u2011call",
		"Die Größe der Tür in der Straße, Café", "Die Groesse der Tuer in der Strasse, Cafe",
	}
	ms := brain.Map(texts, func(text string) brain.Memory { return Memory(text) })
	b.put(ms...)
	for query, want := range map[string][]int{
		"C": {0}, "c++": {1}, "cpp": {1}, "C#": {2}, "csharp": {2}, "F#": {3}, `"objective-c"`: {4}, ".net": {5}, "dotnet": {5}, "net": {6},
		"nodejs": {7}, "node.js": {7}, "pihole": {8, 9}, "email": {10, 11}, "utf8": {12}, "a* routes": {13}, "wi-fi": {14}, "oncall": {15},
		`"on-call"`: {15}, `"they are on call"`: {15},
		"Größe": {16, 17}, "groesse": {16, 17}, "Grosse": {16, 17}, "tür": {16, 17}, "Tuer": {16, 17}, "straße": {16, 17},
		"Strasse": {16, 17}, "café": {16, 17}, "cafe": {16, 17},
	} {
		found := brain.Map(want, func(i int) string { return ms[i].ID })
		same(t, query, sorted(found...), sorted(b.find(query)...))
	}
}

func searchSection(t *testing.T, b *db) {
	s := Section("d", "filed.md", 1, "a narwhal in the text")
	s.Heading = "Heading for walruses"
	m := Memory("a narwhal as well")
	b.putSections(s)
	b.put(m)
	got := b.search(brain.SearchQuery{Words: words.Parse("walrus")})
	if len(got) != 1 || got[0].ID != s.ID || !got[0].Section || got[0].Score <= 0 {
		t.Errorf("by heading: hits are %+v, want the section with a score", got)
	}
	same(t, "by text", sorted(s.ID, m.ID), sorted(b.find("narwhal")...))
	same(t, "by the title of its page", []string{s.ID}, b.find("filed"))
}

func searchPhrases(t *testing.T, b *db) {
	phrase := Memory("turn dark mode on")
	reversed := Memory("the mode is dark")
	apart := Memory("dark blue mode")
	acrossFields := Memory("mode of transport", func(m *brain.Memory) { m.Name = "dark" })
	underscore := Memory("set dark_mode")
	inName := Memory("x", func(m *brain.Memory) { m.Name = "Dark Mode" })
	stops := Memory("this is state of the art")
	noStops := Memory("state art")
	cjk := Memory("人工智能的未来")
	b.put(phrase, reversed, apart, acrossFields, underscore, inName, stops, noStops, cjk)
	for query, want := range map[string][]string{
		`"dark mode"`:                {phrase.ID, underscore.ID, inName.ID},
		`“DARK modes”`:               {phrase.ID, underscore.ID, inName.ID},
		`"dark_mode"`:                {phrase.ID, underscore.ID, inName.ID},
		`turn "dark mode"`:           {phrase.ID, underscore.ID, inName.ID},
		`"turn dark mode on"`:        {phrase.ID},
		`"state of the art"`:         {stops.ID},
		`"the mode"`:                 {reversed.ID},
		`"智能的"`:                      {cjk.ID},
		`"工人"`:                       nil,
		`"dark mode" "nothing"`:      nil,
		`"dark"`:                     {phrase.ID, reversed.ID, apart.ID, acrossFields.ID, underscore.ID, inName.ID},
		`dark "mode`:                 {phrase.ID, reversed.ID, apart.ID, acrossFields.ID, underscore.ID, inName.ID},
		`"mode on" nobodyhasthis`:    {phrase.ID},
		`transport "mode of" "dark"`: {acrossFields.ID},
		`"dark mode" "turn dark"`:    {phrase.ID},
		`transport future`:           {acrossFields.ID},
		`transport state`:            {acrossFields.ID, stops.ID, noStops.ID},
		`nobodyhasthis orthat`:       nil,
	} {
		same(t, query, sorted(want...), sorted(b.find(query)...))
	}
}

// padding are memories without the words of a test, so that those words are
// not in most of what is stored.
func padding(n int) []brain.Memory {
	return Memories(n, "some other filling stuff", func(m *brain.Memory) { m.Name = "padding" })
}

func searchFields(t *testing.T, b *db) {
	m := Memory("contented", func(m *brain.Memory) {
		m.Name, m.Tags = "namely", []string{"tagged", "two words"}
		m.Project, m.Agent, m.MemoryType = "projected", "agented", "typed"
		m.Severity, m.Origin, m.SessionID, m.Group = "severe", "originated", "sessioned", "grouped"
	})
	b.put(m)
	for _, query := range []string{"namely", "contented", "tagged", "two", "words", "name content tag namely"} {
		same(t, query, []string{m.ID}, b.find(query))
	}
	for _, query := range []string{
		"projected agented typed severe originated sessioned grouped", "working core note test", m.ID, m.ContentHash,
	} {
		same(t, query, 0, len(b.find(query)))
	}
	ms := oneOfEachTier("an axolotl")
	b.put(ms...)
	same(t, "tiers", currentIDs(ms), sorted(b.find("axolotl")...))
}

// searchRanks has memories in the order in which each query finds them.
func searchRanks(t *testing.T, b *db) {
	naming := func(name, content string) brain.Memory {
		return Memory(content, func(m *brain.Memory) { m.Name = name })
	}
	ms := []brain.Memory{
		Memory("red fox jumps"), Memory("red fox sleeps"), Memory("red cat sleeps"),
		naming("zephyr", "alpha beta gamma"), naming("alpha", "zephyr beta gamma"),
		Memory("an ocelot there"), Memory("a house there"),
	}
	b.put(append(append(padding(30), ms...), Memories(14, "some house there")...)...)
	for query, want := range map[string][]int{"red fox jumps": {0, 1, 2}, "zephyr": {3, 4}, "house ocelot": {5}} {
		got := b.search(brain.SearchQuery{Words: words.Parse(query)})
		for i, no := range want {
			same(t, query, ms[no].ID, got[i].ID)
			if got[i].Score <= 0 || i > 0 && got[i].Score >= got[i-1].Score {
				t.Errorf("%s: scores are %v, want them falling and above 0", query, got)
			}
		}
	}
	same(t, "how many hits of a common word and a rare one", 16, len(b.find("house ocelot")))
}
