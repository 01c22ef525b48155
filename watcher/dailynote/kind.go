package dailynote

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/words"
)

// aliases are the words that stand for a kind of memory, as people write them in headers,
// labels and headings, in lower case.
type aliases struct {
	kind    string
	english []string // a type of their own in headers
	foreign []string
}

// kindAliases returns the table of aliases. A plural in -s is known without being listed.
func kindAliases() []aliases {
	return []aliases{
		{"decision", []string{"decided"}, []string{
			"entscheidung", "entscheidungen", "entschieden", "beschlossen", "beschluss", "beschlüsse", "décision", "decisión", "决定", "决策",
		}},
		{"preference", []string{"prefers", "rule", "convention", "style"}, []string{
			"präferenz", "präferenzen", "vorliebe", "vorlieben", "regel", "regeln", "konvention", "konventionen", "préférence", "preferencia", "偏好", "规则",
		}},
		{"lesson", []string{"learned", "lessons learned", "learning", "insight", "takeaway", "finding", "gotcha", "pitfall"}, []string{
			"lektion", "lektionen", "merke", "erkenntnis", "erkenntnisse", "einsicht", "einsichten", "gelernt", "lehre", "lehren", "leçon", "lección", "lecciones", "教训", "经验",
		}},
		{"fact", nil, []string{"fakt", "fakten", "fait", "hecho", "事实"}},
		{"commitment", []string{"promise"}, []string{"zusage", "zusagen", "aufgabe", "aufgaben", "engagement", "compromiso", "承诺", "任务"}},
		{"person", []string{"people", "contact"}, []string{"personen", "kontakt", "kontakte", "personne", "persona", "人员"}},
		{"issue", []string{"bug", "problem", "error", "failure"}, []string{"fehler", "probleme", "problème", "problema", "问题", "错误"}},
		{"resolution", []string{"success", "fixed", "resolved", "solution", "completed"}, []string{"lösung", "lösungen", "behoben", "erledigt", "solución", "解决"}},
		{"discovery", []string{"pattern", "discoveries"}, []string{"entdeckung", "entdeckungen", "muster", "发现"}},
		{"implementation", nil, []string{"umsetzung", "implementierung", "实现"}},
		{"note", nil, []string{"notiz", "notizen", "nota", "备注"}},
	}
}

// Kinds returns the kinds that have aliases.
func Kinds() (kinds []string) {
	for _, a := range kindAliases() {
		kinds = append(kinds, a.kind)
	}
	return kinds
}

// kindTable has kinds by the plain spelling of a word.
type kindTable struct{ all, foreign map[string]string }

var kindTables = sync.OnceValue(func() kindTable {
	t := kindTable{map[string]string{}, map[string]string{"success": "resolution"}}
	for _, a := range kindAliases() {
		for _, word := range a.foreign {
			t.all[words.Index(word)], t.foreign[words.Index(word)] = a.kind, a.kind
		}
		for _, word := range append(a.english, a.kind) {
			t.all[words.Index(word)] = a.kind
		}
	}
	return t
})

// longestAlias is the longest word that is looked up, in bytes.
const longestAlias = 40

// KindOf returns the kind that a word, or "lessons learned", stands for, "" for none.
// Case, plural and the spelling of umlauts do not matter.
func KindOf(word string) string {
	if len(word) > longestAlias {
		return ""
	}
	return kindTables().all[words.Index(word)]
}

// CanonicalType returns the type to store for one that somebody wrote: a kind in any case,
// singular or plural, or as a word of another language is the kind, any other type itself.
func CanonicalType(written string) string {
	if len(written) > longestAlias {
		return written
	}
	one := strings.TrimSuffix(strings.ToLower(written), "s")
	if slices.Contains(append(Kinds(), "learning", "crystallization", "pattern", "belief"), one) {
		return one
	}
	return cmp.Or(kindTables().foreign[words.Index(written)], written)
}

// TypesLike returns the types of the memories that somebody who asks for a type means. A
// lesson that was captured with its concept is stored as a learning.
func TypesLike(asked string) []string {
	all := []string{asked, CanonicalType(asked)}
	if all[1] == "lesson" {
		all = append(all, "learning")
	}
	return slices.Compact(all)
}

// headingKind returns the kind of the texts under a short heading that names one:
// "Decisions", "💡 Lessons learned:", "Architecture decisions"; "" for none, and for what
// is still open.
func headingKind(heading string) string {
	heading = strings.TrimRight(strings.TrimPrefix(heading, emojiPrefix(heading)), ": ")
	if kind := KindOf(heading); kind != "" {
		return kind
	}
	all := strings.Fields(strings.Trim(heading, "*_ "))
	if len(all) > 4 || strings.Contains(heading, ":") {
		return ""
	}
	kind := ""
	for _, word := range all {
		switch strings.ToLower(word) {
		case "open", "pending", "proposed", "next", "todo", "offene", "ausstehende", "nächste":
			return ""
		}
		if k := KindOf(word); isStatementKind(k) {
			kind = k
		}
	}
	return kind
}

// label is the kind of a text as its beginning says it: "decision: …", "**Lesson:** …",
// "[fact] …" or "💡 …". Rest is the text without it.
func label(text string) (kind, rest string) {
	text = strings.TrimSpace(text)
	cluster := emojiPrefix(text)
	body := strings.TrimLeft(text[len(cluster):], " \t")
	if inner, after, ok := strings.Cut(body, "]"); ok && strings.HasPrefix(inner, "[") {
		if kind = KindOf(inner[1:]); kind != "" {
			return kind, strings.TrimSpace(after)
		}
	}
	word, after, ok := strings.Cut(strings.ReplaceAll(body, "：", ":"), ":")
	if kind = KindOf(strings.Trim(word, "*_ ")); ok && kind != "" {
		rest = strings.TrimSpace(after)
		if strings.HasPrefix(word, "*") || strings.HasPrefix(word, "_") { // the emphasis ends behind the colon or the text
			rest = strings.TrimLeft(strings.TrimSuffix(rest, "**"), "*_ ")
		}
		return kind, rest
	}
	if kind = emojiType(cluster); isStatementKind(kind) {
		return kind, body
	}
	return "", text
}

// isStatementKind reports whether a kind is one of those that matter in a later session,
// and not only on the day.
func isStatementKind(kind string) bool {
	switch kind {
	case "decision", "preference", "lesson", "fact", "commitment", "person":
		return true
	}
	return false
}

// The fewest words of a statement.
const (
	labelledWords = 2 // behind a label, which says what it is
	wholeWords    = 4
)

// isComplete reports whether a text of at least so many words is a statement on its own,
// and not a label or a table row.
func isComplete(text string, least int) bool {
	first, _, _ := strings.Cut(text, "\n")
	first = strings.TrimSpace(first)
	name, value, labelled := strings.Cut(strings.Trim(first, "*_"), ":")
	switch {
	case strings.HasSuffix(strings.TrimRight(first, "*_ "), ":"), strings.IndexAny(first, "|<>") == 0:
		return false
	case labelled && least == wholeWords && wordCount(name) <= 3 && wordCount(value) < 3:
		return false
	}
	if before, remark, ok := strings.Cut(first, "("); ok && strings.Contains(remark, ")") {
		_, after, _ := strings.Cut(remark, ")")
		first = before + after
	}
	return wordCount(first) >= least && !empty().MatchString(first)
}

// empty matches a text that stands for a statement which is missing: "as discussed",
// "none this month", "pending, Ada".
var empty = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[*_]*(as (discussed|agreed)|see (above|below)|none|nothing|pending|tbd|to be decided|wie besprochen|siehe (oben|unten)|keine|nichts|offen)` +
		`([*_]*,.*| (this|so far|yet|today|bisher|heute|diese).*)?[*_.… -]*$`)
})

// wordCount returns the number of words and numbers of a text; two characters of a script
// without blanks count as one.
func wordCount(text string) (n int) {
	unspaced := 0
	for word := range strings.FieldsSeq(text) {
		chars, plain := 0, false
		for _, r := range word {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
				chars++
			}
			plain = plain || unicode.IsLetter(r) || unicode.IsDigit(r)
		}
		if unspaced += chars; chars == 0 && plain {
			n++
		}
	}
	return n + (unspaced+1)/2
}
