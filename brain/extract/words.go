package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// The words of a text are compared in a plain form: in lower case, without apostrophes, each
// between two blanks. A list of phrases in this form has bars between them.

// wordsOf returns the words of a text in plain form: " dont push to main ".
func wordsOf(text string) string {
	b := strings.Builder{}
	b.WriteByte(' ')
	for _, token := range tokens(text) {
		if word := wordOf(token); word != "" {
			b.WriteString(word)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// tokens yields what is between blanks and dashes, and the dashes, with their offsets.
func tokens(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		start := 0
		for at, r := range text + " " {
			dash := r == '—' || r == '–'
			if !dash && !unicode.IsSpace(r) {
				continue
			}
			if at > start && !yield(start, text[start:at]) {
				return
			}
			start = at + utf8.RuneLen(r)
			if dash && !yield(at, "–") {
				return
			}
		}
	}
}

// wordOf returns a word in plain form, without the punctuation around it.
func wordOf(token string) string {
	token = strings.TrimFunc(token, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if strings.ContainsAny(token, "'’`") {
		token = strings.NewReplacer("'", "", "’", "", "`", "").Replace(token)
	}
	return strings.ToLower(token)
}

// says reports whether words have one of the phrases.
func says(words, phrases string) bool {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if strings.Contains(words, phrase) {
			return true
		}
	}
	return false
}

// begins reports whether words begin with one of the phrases.
func begins(words, phrases string) bool { return cutPhrase(&words, phrases) }

// cutPhrase cuts the first of the phrases that words begin with.
func cutPhrase(words *string, phrases string) bool {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if rest, ok := strings.CutPrefix(*words, phrase); ok {
			*words = " " + rest
			return true
		}
	}
	return false
}

// has reports whether one of the words is in a list, which has blanks between its words.
func has(words, list string) bool {
	for word := range strings.FieldsSeq(words) {
		if inList(list, word) {
			return true
		}
	}
	return false
}

// inList reports whether a word is in a list.
func inList(list, word string) bool {
	for at := 0; word != ""; at += len(word) {
		n := strings.Index(list[at:], word)
		if n < 0 {
			return false
		}
		at += n
		if end := at + len(word); (at == 0 || list[at-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
	}
	return false
}

// firstOf returns the first word, and the rest.
func firstOf(words string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimPrefix(words, " "), " ")
	return first, " " + rest
}

func wordCount(text string) int { return len(strings.Fields(text)) }

// clause is a part of a sentence: up to a punctuation mark, or a word that begins another one.
type clause struct {
	start int    // in the sentence
	joint string // the word or the mark before it
	words string // in plain form
}

const (
	// joints begin a clause and are no part of it.
	joints = "and but so because since cause cuz coz which otherwise then though und aber weil denn also"
	// conditions begin a clause that says when.
	conditions = "when whenever if before after unless until once while without anytime wenn falls bevor nachdem"
)

// ownWords returns a sentence of the same length without the words in quotation marks and brackets.
func ownWords(text string) string {
	for start, end := range quotations(text, 0, len(text)) {
		text = text[:start] + strings.Repeat("x", end-start) + text[end:]
	}
	for {
		start := strings.Index(text, " (")
		end := strings.IndexByte(text[max(start, 0):], ')')
		if start < 0 || end < 0 {
			return text
		}
		text = text[:start] + strings.Repeat(" ", end+1) + text[start+end+1:]
	}
}

// clausesOf splits a sentence.
func clausesOf(text string) (all []clause) {
	c := clause{words: " "}
	end := func(joint string) {
		if c.words != " " {
			all = append(all, c)
		}
		c = clause{joint: joint, words: " "}
	}
	for at, token := range tokens(text) {
		word := wordOf(token)
		switch {
		case word == "":
			end("–")
			continue
		case inList(joints, word) && (word != "and" || !isCondition(c.words)):
			end(word)
			continue
		case inList(conditions, word), token[0] == '(', inList("every each any", word) && strings.HasPrefix(strings.ToLower(text[at+len(token):]), " time"):
			end("")
		}
		if c.words == " " {
			c.start = at
		}
		c.words += word + " "
		if mark := lastByte(strings.TrimRight(token, "\"*_")); strings.ContainsAny(mark, ",;:.!?)") {
			end(mark)
		}
	}
	end("")
	return all
}

// leadIns are the words at the beginning of a sentence that say nothing.
const leadIns = " ok | okay | k | alright | right | so | and | but | well | yeah | yes | yep | yup | fine | oh | ah | hm | hmm | also | anyway | anyways | btw | actually | hey | hi | hello | thanks | thank you | thx |" +
	" great | good | perfect | nice | cool | lovely | sweet | awesome | honestly | fyi | sure | true | then | now | today | yesterday | wait | sorry | plus | please | pls | plz | just | finally | important |" +
	" reminder | one more thing | one thing | one last thing | another thing | sounds good | looks good | by the way | for the record | just so you know | before i forget | note to self | i think | i guess |" +
	" decision made | quick note | small note | note | ps | p.s | general rule | claude | codex | gemini | team | guys | folks | ja | nein | gut | na | und | aber | danke | super | genau | übrigens | klar | passt | stimmt | hallo | bitte | noch was "

// leadInLen returns the length of the lead-ins, dates and times at the beginning of a sentence.
func leadInLen(text string) (n int) {
	for n < len(text) {
		head := wordsOf(plaintext.Clip(text[n:], 40))
		rest := head
		first, _ := firstOf(head)
		switch {
		case strings.HasPrefix(strings.ToLower(text[n:]), "no,") || first != "" && first[0] <= '9' && strings.ContainsAny(first, ":-"):
			rest = strings.TrimPrefix(head, " "+first)
		case !cutPhrase(&rest, leadIns):
			return n
		}
		at := skipWords(text, n, wordCount(head)-wordCount(rest))
		if at >= len(text) {
			return n
		}
		n = at
	}
	return n
}

// skipWords returns the offset of what follows n words from an offset on.
func skipWords(text string, at, n int) int {
	for i, token := range tokens(text[at:]) {
		switch {
		case wordOf(token) == "":
		case n == 0:
			return at + i
		default:
			n--
		}
	}
	return len(text)
}
