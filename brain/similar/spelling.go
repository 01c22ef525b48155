package similar

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// compounds lists words that are written as one, with a hyphen, or with a
// blank: two parts a line.
//
//go:embed compounds.txt
var compounds string

// joinable holds those words.
type joinable struct {
	whole   map[string]bool // as one
	first   map[string]bool // first parts that a blank may follow
	longest int             // bytes of a first part
}

var compounded = sync.OnceValue(func() joinable {
	c := joinable{whole: make(map[string]bool), first: make(map[string]bool)}
	for line := range strings.Lines(compounds) {
		first, second, _ := strings.Cut(strings.TrimSpace(line), " ")
		c.whole[first+second] = true
		if !words.Stop(first) && !words.Stop(second) { // "log in" may be a verb and where it is done
			c.first[first] = true
			c.longest = max(c.longest, len(first))
		}
	}
	return c
})

// spelt returns text with its words spelt in one way: it's as "it is", e-mail
// and re-use as one word, a compound too. Names of programs stay as they are
// written, as does what stands between backticks. It returns text itself where
// there is nothing to do.
func spelt(text string) string {
	var b strings.Builder
	done, code := 0, false
	for at := 0; at < len(text); {
		start, end := chunkAt(text, at)
		at = end
		chunk := text[start:end]
		if strings.IndexByte(chunk, '`') >= 0 {
			code = code != (strings.Count(chunk, "`")%2 == 1)
			continue
		}
		if code {
			continue
		}
		form, next := respelling(text, start, end)
		if form == "" {
			continue
		}
		b.WriteString(text[done:start])
		b.WriteString(form)
		done, at = next, next
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// chunkAt returns where the first chunk from at on begins and ends.
func chunkAt(text string, at int) (start, end int) {
	for at < len(text) && text[at] <= ' ' {
		at++
	}
	start = at
	for at < len(text) && text[at] > ' ' {
		at++
	}
	return start, at
}

// respelling returns the other spelling of the chunk from start to end, and
// where what it stands for ends; "" where it has none.
func respelling(text string, start, end int) (form string, next int) {
	chunk := text[start:end]
	if at := strings.IndexAny(chunk, "-'’ʼ‐‑"); at < 0 {
		return open(text, start, end)
	}
	before, core, after := cored(chunk)
	if a, b, ok := cutRune(core, "-‐‑"); ok && joined(a, b) {
		return before + a + strings.ToLower(b) + after, end
	}
	if a, b, ok := cutRune(core, "'’ʼ"); ok {
		if full := full(strings.ToLower(a), strings.ToLower(b), text[end:]); full != "" {
			return before + a + " " + full + after, end
		}
	}
	return "", end
}

// open joins a compound that is written with a blank.
func open(text string, start, end int) (form string, next int) {
	first := text[start:end]
	if c := compounded(); len(first) > c.longest || !c.first[strings.ToLower(first)] {
		return "", end
	}
	from, to := chunkAt(text, end)
	if from-end != 1 || text[end] != ' ' {
		return "", end
	}
	before, second, after := cored(text[from:to])
	if before != "" || second == "" || !compound(first, second) {
		return "", end
	}
	return first + strings.ToLower(second) + after, to
}

// cored cuts a chunk into a word and the marks of sentences around it. The word
// is "" where there are other marks, as around the names of programs.
func cored(chunk string) (before, core, after string) {
	core = strings.TrimLeft(chunk, "\"'“”„‘’«»([{*")
	before = chunk[:len(chunk)-len(core)]
	word := strings.TrimRight(core, "\"'“”‘’«»)]}*.,;:!?…")
	return before, word, core[len(word):]
}

// cutRune cuts a word at the only mark in it; on both sides letters are left.
func cutRune(word, marks string) (a, b string, ok bool) {
	at := strings.IndexAny(word, marks)
	if at < 0 {
		return "", "", false
	}
	_, n := utf8.DecodeRuneInString(word[at:])
	a, b = word[:at], word[at+n:]
	return a, b, isLetters(a) && isLetters(b) && !camel(a) && !camel(b)
}

// camel holds for words with a capital after a small letter.
func camel(word string) bool {
	small := false
	for _, r := range word {
		if small && unicode.IsUpper(r) {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

// joined holds for words that are written with a hyphen or without.
func joined(a, b string) bool {
	switch strings.ToLower(a) {
	case "e", "re", "pre", "co", "un", "de", "multi", "sub", "micro", "meta", "auto", "semi", "anti", "inter":
		return len(b) >= 3 && !another(a+b)
	}
	return compound(a, b)
}

// compound holds for compounds, in the plural too.
func compound(a, b string) bool {
	word := strings.ToLower(a + b)
	c := compounded()
	return c.whole[word] || c.whole[strings.TrimSuffix(word, "s")]
}

// another holds for words that say something else without the hyphen: to
// re-sign is not to resign.
func another(word string) bool {
	switch words.Terms(word)[0] {
	case "resign", "recov", "recoveri", "reform", "recreat", "releas", "remark", "repress", "represent", "resent", "reserv", "resolv",
		"resort", "restor", "retreat", "retir", "refus", "redress", "react", "recount", "recollect", "repair", "replac",
		"repos", "research", "return", "relat", "union", "coop", "delight":
		return true
	}
	return false
}

// full returns what an ending after an apostrophe stands for, by what follows;
// "" where it may stand for several things, or for possession. Negations and
// the endings of one meaning are written out by [words.Terms].
func full(word, ending, rest string) string {
	from, to := chunkAt(rest, 0)
	_, follows, _ := cored(rest[from:to])
	follows = strings.ToLower(follows)
	switch {
	case ending == "s" && word == "let":
		return "us"
	case ending == "s" && pronoun(word):
		if follows == "been" || follows == "got" {
			return "has"
		}
		return "is"
	case ending == "d" && wished(follows):
		return "would"
	}
	return ""
}

func pronoun(word string) bool {
	switch word {
	case "it", "that", "there", "here", "what", "who", "where", "how", "why", "when", "he", "she":
		return true
	}
	return false
}

// wished holds for verbs that follow would, and had never.
func wished(word string) bool {
	switch word {
	case "like", "love", "prefer", "rather", "want", "need", "say", "expect", "suggest", "recommend", "be", "have", "hate":
		return true
	}
	return false
}
