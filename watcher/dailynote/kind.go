package dailynote

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/words"
)

// aliases are the words in lower case that people write for a kind of memory.
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
		{"lesson", []string{"learned", "lessons learned", "learning", "insight", "takeaway", "finding", "found", "gotcha", "pitfall"}, []string{
			"lektion", "lektionen", "merke", "erkenntnis", "erkenntnisse", "einsicht", "einsichten", "gelernt", "lehre", "lehren", "leçon", "lección", "lecciones", "教训", "经验",
		}},
		{"fact", nil, []string{"fakt", "fakten", "fait", "hecho", "事实"}},
		{"commitment", []string{"promise"}, []string{"zusage", "zusagen", "aufgabe", "aufgaben", "compromiso", "承诺", "任务"}},
		{"person", []string{"people", "contact"}, []string{"personen", "kontakt", "kontakte", "personne", "persona", "人员"}},
		{"issue", []string{"bug", "problem", "error", "failure"}, []string{"fehler", "probleme", "problème", "problema", "问题", "错误"}},
		{"resolution", []string{"success", "fix", "fixed", "resolved", "solution", "completed"}, []string{"lösung", "lösungen", "behoben", "erledigt", "solución", "解决"}},
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

// kindTable has kinds by the spelling of a word.
type kindTable struct{ all, foreign map[string]string }

var kindTables = sync.OnceValue(func() kindTable {
	t := kindTable{map[string]string{}, map[string]string{spelling("success"): "resolution"}}
	for _, a := range kindAliases() {
		for _, word := range a.foreign {
			t.all[spelling(word)], t.foreign[spelling(word)] = a.kind, a.kind
		}
		for _, word := range append(a.english, a.kind) {
			t.all[spelling(word)] = a.kind
		}
	}
	return t
})

// spelling returns a word in lower case without accents, ae as a like ä, and without the -s
// of a plural. It is not a stem: a commit is not a commitment, and styling is not a style.
func spelling(word string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(words.Key(word)))
	return strings.TrimSuffix(strings.NewReplacer("ae", "a", "oe", "o", "ue", "u").Replace(letters), "s")
}

// longestAlias is the longest word that is looked up, in bytes.
const longestAlias = 40

// KindOf returns the kind that a word, or "lessons learned", stands for, "" for none.
// Case, plural and the spelling of umlauts and accents do not matter.
func KindOf(word string) string {
	if len(word) > longestAlias {
		return ""
	}
	return kindTables().all[spelling(word)]
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
	return cmp.Or(kindTables().foreign[spelling(written)], written)
}

// TypesLike returns the types of memories to search for the types that somebody asks for; ""
// is ignored. A lesson that was captured with its concept is stored as a learning.
func TypesLike(asked ...string) (all []string) {
	for _, typ := range asked {
		if typ == "" {
			continue
		}
		kind := CanonicalType(typ)
		all = append(all, typ, kind)
		if kind == "lesson" {
			all = append(all, "learning")
		}
	}
	return slices.Compact(all)
}

// headingKind returns the kind of the texts under a heading. A short heading names it as a
// whole or with its last word, such as "💡 Lessons learned:" or "Architecture decisions
// (March)"; otherwise it is around, the kind of the larger headings. It is "" for texts that
// are still open and for kinds that do not matter in a later session. inner is the kind that
// smaller headings inherit, "" if this one names several.
func headingKind(heading, around string) (kind, inner string) {
	all := kindWords(heading)
	if slices.ContainsFunc(all, isOpen) {
		return "", ""
	}
	if len(all) == 0 || len(all) > maxHeadingWords || strings.Contains(strings.TrimRight(heading, ": "), ":") {
		return around, around
	}
	kind = cmp.Or(KindOf(strings.Join(all, " ")), KindOf(all[len(all)-1]))
	switch {
	case kind == "":
		return around, around
	case !isStatementKind(kind):
		return "", ""
	case slices.ContainsFunc(all, func(word string) bool { k := KindOf(word); return isStatementKind(k) && k != kind }):
		return kind, ""
	}
	return kind, kind
}

// labelKind returns the kind that a short label ends with: "Slack rule", "Lesson (14 Feb)".
func labelKind(label string) string {
	all := kindWords(label)
	if len(all) == 0 || len(all) > maxLabelWords || slices.ContainsFunc(all, isOpen) {
		return ""
	}
	kind := KindOf(strings.Join(all, " "))
	if last := KindOf(all[len(all)-1]); kind == "" && isStatementKind(last) && last != "person" { // "For new people: …" is about something else
		return last
	}
	return kind
}

// The most words of a heading and of a label that name a kind.
const (
	maxHeadingWords = 4
	maxLabelWords   = 3 // a longer one is a sentence: "The file had a rule: …"
)

// kindWords returns the words of a heading or a label without emojis and a remark in brackets.
func kindWords(text string) []string {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, emojiPrefix(text)), "(")
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
}

// isOpen reports whether a word of a heading says that what follows is not settled.
func isOpen(word string) bool {
	switch strings.ToLower(word) {
	case "not", "open", "undecided", "pending", "proposed", "next", "todo", "nicht", "offene", "ausstehende", "nächste":
		return true
	}
	return false
}

// label returns the kind that a text begins with: "decision: …", "**Lesson:** …", "[fact] …"
// or "💡 …". rest is the text without the label. subject is the label if it says more than
// the kind, such as "Model decision".
func label(text string) (kind, subject, rest string) {
	text = strings.TrimSpace(text)
	cluster := emojiPrefix(text)
	body := strings.TrimLeft(text[len(cluster):], " \t")
	if inner, after, ok := strings.Cut(body, "]"); ok && strings.HasPrefix(inner, "[") {
		if kind = KindOf(inner[1:]); kind != "" {
			return kind, "", strings.TrimSpace(after)
		}
	}
	word, after, ok := strings.Cut(strings.ReplaceAll(body, "：", ":"), ":")
	if m := dashedLabel().FindStringSubmatch(body); len(m) > 0 && (isStatementKind(KindOf(m[1])) || todoLabel().MatchString(m[1])) {
		word, after, ok = m[1], m[2], true
	}
	todo := todoLabel().MatchString(word) && strings.Trim(after, "*_ \t\n") != ""
	if kind = labelKind(word); todo {
		kind = "commitment"
	}
	if ok && kind != "" && !strings.ContainsAny(word, "`\n") {
		rest = strings.TrimSpace(after)
		if strings.HasPrefix(word, "*") || strings.HasPrefix(word, "_") { // the emphasis ends behind the colon or the text
			rest = strings.TrimLeft(strings.TrimSuffix(rest, "**"), "*_ ")
		}
		if subject = strings.Trim(word, "*_ "); todo || kind == KindOf(strings.Join(kindWords(word), " ")) {
			subject = ""
		}
		return kind, subject, rest
	}
	if kind = emojiType(cluster); isStatementKind(kind) {
		return kind, "", body
	}
	return "", "", text
}

// dashedLabel matches what may be a label with a dash: "**Decision** – …".
var dashedLabel = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^\*{0,2}(\pL+)\*{0,2}[ \t]+[-–—][ \t]+(.*)$`)
})

// todoLabel matches a label that is none above a list or without a statement: "TODO: …".
var todoLabel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^[*_]*to[- ]?do[*_]*$`) })

// LegacyTypeOf returns the type by which older tools hashed a list item, if it is another than
// the kind of the item: "insight: …".
func LegacyTypeOf(text string) string {
	word, _, labelled := strings.Cut(text, ":")
	word = strings.ToLower(strings.Join(kindWords(word), " "))
	if labelled && slices.Contains([]string{"success", "pattern", "insight"}, word) {
		return word
	}
	return ""
}

// isStatementKind reports whether a kind matters in a later session, not only on the day.
func isStatementKind(kind string) bool { return extract.Kind(kind).Known() }

// The fewest words of a statement.
const (
	labelledWords = 2 // behind a label, which says what it is
	wholeWords    = 4
)

// incomplete returns why a text is not a statement of least words, "" if it is one.
func incomplete(text string, least int) (why string) {
	first, _, _ := strings.Cut(text, "\n")
	first = strings.TrimSpace(first)
	name, value, labelled := strings.Cut(strings.Trim(first, "*_"), ":")
	said := first // without a remark
	if before, remark, ok := strings.Cut(first, "("); ok && strings.Contains(remark, ")") {
		_, after, _ := strings.Cut(remark, ")")
		said = before + after
	}
	switch {
	case isQuestion(first):
		return "it is a question"
	case isPlaceholder(first), placeholderPattern().MatchString(said):
		return "it is a placeholder"
	case isNavigation(first):
		return "it is a link"
	case strings.IndexAny(first, "|<>") == 0:
		return "it is a table, a tag or a quotation"
	case strings.HasSuffix(strings.TrimRight(first, "*_ "), ":"), labelled && least == wholeWords && wordCount(name) <= 3 && wordCount(value) < 3:
		return "it is only a label"
	case wordCount(said) < least:
		return "its statement has fewer than two words"
	}
	return ""
}

// placeholderPattern matches what is written instead of a statement: "as discussed", "none this month".
var placeholderPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[*_]*(as (discussed|agreed)|see (above|below)|none|nothing|pending|tbd|to be decided|wie besprochen|siehe (oben|unten)|keine|nichts|offen)` +
		`([*_]*,.*| (this|so far|yet|today|bisher|heute|diese).*)?[*_.… -]*$`)
})

// wordCount counts words and numbers; two characters of a script without blanks are one.
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
