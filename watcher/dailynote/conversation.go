package dailynote

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// conversation is the part of a text in which a person and an agent take turns.
type conversation struct {
	from, to int  // offsets
	line     int  // the lines above it
	whole    bool // the text is little else
	turns    []turn
}

type turn struct {
	extract.Turn
	from int // offset of the line with the speaker
}

// findConversation finds the conversation in a text. It begins with the first turn and ends before
// an outcome, before the first heading behind the last turn, or with the text; one that is
// announced ends with the text. Both must speak, three times together.
func findConversation(text string) (c conversation) {
	if !mentionsUser(text) {
		return c
	}
	d := markdown.Parse(text)
	speakers, announced := map[extract.Speaker]int{}, false
	c.to = len(text)
	for i := range d.Lines {
		if d.Lines[i].Fenced {
			continue
		}
		level, line := int(d.Lines[i].Level), d.Line(i)
		who, said, speaks := speakerOf(line)
		switch {
		case speaks:
			if len(c.turns) == 0 {
				c.from, c.line = d.Offset(i), i
			}
			speakers[who]++
			c.to = len(text)
			c.turns = append(c.turns, turn{extract.Turn{Speaker: who, Text: said}, d.Offset(i)})
			continue
		case level == 0:
			continue
		case len(c.turns) == 0:
			announced = strings.EqualFold(markdown.HeadingText(line), "Conversation Summary")
		case !announced || isOutcome(line, level):
			c.to = min(c.to, d.Offset(i))
		}
		if isOutcome(line, level) && len(c.turns) > 0 {
			break
		}
	}
	person, agent := speakers[extract.User], speakers[extract.Assistant]
	if person == 0 || agent == 0 || person+agent < 3 && !announced { // the head of a page: **User:** Ada
		return conversation{}
	}
	c.whole = announced || 2*(c.to-c.from) > len(text)
	c.readTurns(text)
	return c
}

// readTurns adds the lines below those of the speakers to the turns.
func (c conversation) readTurns(text string) {
	for i := range c.turns {
		end := c.to
		if i+1 < len(c.turns) {
			end = c.turns[i+1].from
		}
		t := &c.turns[i]
		_, rest, _ := strings.Cut(text[t.from:end], "\n")
		if t.Text += "\n" + rest; t.Speaker == extract.User {
			t.Text = transcript.Prompt(t.Text)
		}
	}
}

// isOutcome reports whether a heading begins an outcome.
func isOutcome(line string, level int) bool {
	_, is, _ := parseHeader(markdown.HeadingText(line))
	return is && level >= minOutcomeLevel && level <= maxOutcomeLevel
}

// mentionsUser reports whether a line begins with the person as its speaker, without which a text
// need not be parsed for a conversation.
func mentionsUser(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
		if len(line) > 4 && (strings.EqualFold(line[:4], "user") || strings.EqualFold(line[:5], "human")) {
			return true
		}
	}
	return false
}

// speakerLine matches a line that begins a turn: "user: …", "**User:** …", "**User** (10:04):" or
// a heading "## Assistant".
var speakerLine = sync.OnceValue(func() *regexp.Regexp {
	const when, bold = `(?:\s*\([^()\n]*\))?`, `(?:\*\*|__)?`
	return regexp.MustCompile(`(?i)^(#{1,6}\s+)?(?:[^\w\s#*>|-]+\s+)?` + bold + `(user|human|assistant|ai|claude|chatgpt|codex|gemini|system|tool)` +
		when + `(:?)` + bold + when + `(:?)\s*(.*?)\s*$`)
})

// speakerOf returns who speaks from a line on, and what is said on the line.
func speakerOf(line string) (who extract.Speaker, said string, ok bool) {
	m := speakerLine().FindStringSubmatch(line)
	if len(m) == 0 || m[3]+m[4] == "" && (m[1] == "" || m[5] != "") {
		return "", "", false
	}
	switch strings.ToLower(m[2]) {
	case "user", "human":
		return extract.User, m[5], true
	case "system", "tool":
		return extract.Tool, m[5], true
	}
	return extract.Assistant, m[5], true
}

// without returns the text with blank lines in the place of the conversation.
func (c conversation) without(text string) string {
	if len(c.turns) == 0 {
		return text
	}
	return text[:c.from] + strings.Repeat("\n", strings.Count(text[c.from:c.to], "\n")) + text[c.to:]
}

// addConversation adds a conversation: what is explicit in it as bullets, all of it as sections.
func (p *parser) addConversation(c conversation, text string) {
	p.out.Conversation = c.whole
	plain := newParser(text[c.from:c.to], Options{Day: p.opts.Day, Plain: true, Location: p.opts.Location})
	plain.read()
	for _, s := range plain.out.Sections {
		s.Line += c.line
		s.Identity = digest("conversation", s.Identity)
		p.out.Sections = append(p.out.Sections, s)
	}
	var reader extract.Reader
	for _, t := range c.turns {
		if p.plain != "" {
			break // of another tool
		}
		for _, i := range reader.Items([]extract.Turn{t.Turn}) {
			b := Bullet{Kind: string(i.Kind), Title: i.Title, Text: i.Quote, Line: 1 + strings.Count(text[:t.from], "\n")}
			if at := strings.Index(text[t.from:], i.Quote); at >= 0 {
				b.Line += strings.Count(text[t.from:t.from+at], "\n")
			}
			b.Importance, b.Project, b.Hash = defaultImportance(b.Kind), projectTag(b.Text), HashText(b.Text)
			b.Identity = p.identity("bullet", p.opts.Day, "", words.Key(b.Text))
			p.out.Bullets = append(p.out.Bullets, b)
		}
	}
	slices.SortStableFunc(p.out.Sections, func(a, b Section) int { return cmp.Compare(a.Line, b.Line) })
	slices.SortStableFunc(p.out.Bullets, func(a, b Bullet) int { return cmp.Compare(a.Line, b.Line) })
}
