package transcripts

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// keeper takes over what the earlier transcript of a day has of messages that
// are in the files no more. Its zero value takes over nothing.
type keeper struct {
	sessions []*keptSession // in the order of the earlier transcript
	at       *keptSession   // the one that is being written
	heading  string         // and of the exchange
	kept     bool           // there is something to take over
}

// keptSession is what is taken over of one session.
type keptSession struct {
	name, title string
	exchanges   []keptExchange
}

// keptExchange is what is taken over of one exchange. Without a heading it is
// what stands above the first one.
type keptExchange struct {
	heading, text string
}

// clock is the time of day that a heading of an exchange begins with.
func (e keptExchange) clock() string {
	clock, _, _ := strings.Cut(e.heading, " ")
	return clock
}

// newKeeper compares the earlier transcript with the messages of a day.
func newKeeper(path string, c *collector, h headings) (*keeper, error) {
	old, err := durable.ReadFile(path)
	if err != nil || len(old) == 0 {
		return &keeper{}, err
	}
	blocks := oldBlocks(old)
	if err := strike(blocks, c, h); err != nil {
		return nil, err
	}
	k := &keeper{}
	for _, b := range blocks {
		if !b.still {
			k.keep(b)
		}
	}
	return k, nil
}

func (k *keeper) keep(b *oldBlock) {
	k.kept = true
	s := k.session(b.session)
	if s == nil {
		s = &keptSession{name: b.session, title: b.title}
		k.sessions = append(k.sessions, s)
	}
	if n := len(s.exchanges); n > 0 && s.exchanges[n-1].heading == b.heading {
		s.exchanges[n-1].text += "\n\n" + b.text
		return
	}
	s.exchanges = append(s.exchanges, keptExchange{b.heading, b.text})
}

func (k *keeper) session(name string) *keptSession {
	i := slices.IndexFunc(k.sessions, func(s *keptSession) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return k.sessions[i]
}

// enter says that a session begins, and returns its heading: the earlier one, if
// what is kept begins earlier.
func (k *keeper) enter(name, title string) string {
	k.at, k.heading = k.session(name), ""
	if k.at != nil && len(k.at.exchanges) > 0 {
		return min(title, k.at.title)
	}
	return title
}

// upTo writes what is earlier than a time of day in the session at hand, and
// says that an exchange comes next.
func (k *keeper) upTo(out io.Writer, clock, heading string) error {
	for k.at != nil && len(k.at.exchanges) > 0 && k.at.exchanges[0].clock() < clock {
		if err := k.write(out, k.at.exchanges[0]); err != nil {
			return err
		}
		k.at.exchanges = k.at.exchanges[1:]
	}
	k.heading = heading
	return nil
}

// lastClock is later than any time of day.
const lastClock = "~"

// leave writes what is left of the session at hand.
func (k *keeper) leave(out io.Writer) error { return k.upTo(out, lastClock, "") }

// rest writes the sessions of which nothing is in the files any more.
func (k *keeper) rest(out io.Writer) error {
	if err := k.leave(out); err != nil {
		return err
	}
	for _, s := range k.sessions {
		if len(s.exchanges) == 0 {
			continue
		}
		if _, err := io.WriteString(out, "\n## "+k.enter(s.name, s.title)+"\n"); err != nil {
			return err
		}
		if err := k.leave(out); err != nil {
			return err
		}
	}
	return nil
}

func (k *keeper) write(out io.Writer, e keptExchange) error {
	text := "\n" + e.text + "\n"
	if e.heading != "" && e.heading != k.heading {
		text = "\n### " + e.heading + "\n" + text
		k.heading = e.heading
	}
	_, err := io.WriteString(out, text)
	return err
}

// oldBlock is a message of the earlier transcript, or a part of one that looks
// like several.
type oldBlock struct {
	session, title, heading, text string
	still                         bool // it is in the files
}

// oldBlocks reads a cleaned transcript.
func oldBlocks(old []byte) []*oldBlock {
	lines := bytes.SplitAfter(old, []byte("\n"))
	var blocks []*oldBlock
	var at *oldBlock // the headings above, and where their text begins
	begin := 0
	take := func(end int) {
		if at == nil {
			return
		}
		for _, text := range split(string(slices.Concat(lines[min(begin, end):end]...))) {
			blocks = append(blocks, &oldBlock{session: at.session, title: at.title, heading: at.heading, text: text})
		}
	}
	for _, s := range dailynote.Parse(old, dailynote.Options{}).Sections {
		if s.Level > 3 || s.Level == 0 || s.Level == 3 && at == nil {
			continue
		}
		take(s.Line - 1)
		begin = s.Line
		words := strings.Fields(s.Heading)
		switch {
		case s.Level == 1 || len(words) == 0:
			at = nil
		case s.Level == 2:
			at = &oldBlock{session: words[len(words)-1], title: s.Heading}
		default:
			at = &oldBlock{session: at.session, title: at.title, heading: s.Heading}
		}
	}
	take(len(lines))
	return blocks
}

// split cuts text at the lines that say who speaks. Of a message that has such
// lines itself it makes several, each time the same.
func split(text string) []string {
	var all []string
	var b strings.Builder
	flush := func() {
		if whole := strings.Trim(b.String(), "\n"); strings.TrimSpace(whole) != "" {
			all = append(all, whole)
		}
		b.Reset()
	}
	blank := true
	for line := range strings.Lines(text) {
		if blank && isLabel(line) {
			flush()
		}
		b.WriteString(line)
		blank = line == "\n"
	}
	flush()
	return all
}

// isLabel reports whether a line is what label writes.
func isLabel(line string) bool {
	if strings.HasPrefix(line, "→ ") {
		return true
	}
	speaker, at, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " (")
	return ok && len(at) == len("15:04:05):") && strings.HasSuffix(at, "):") &&
		slices.Contains([]string{"**User**", "**Assistant**", "**Output**", "**Error**"}, speaker)
}

// strike marks the blocks that are among the messages of the day: those that
// stand where they stood, those that a longer text of the same message begins
// with, and, for what is left, those that somebody said in the same words
// elsewhere on the day, for a copy may have got into another session.
func strike(blocks []*oldBlock, c *collector, h headings) error {
	exact, same, loose := blockIndex{}, blockIndex{}, blockIndex{}
	for _, b := range blocks {
		first, _, _ := strings.Cut(b.text, "\n")
		exact.add(b, b.session, b.text)
		same.add(b, b.session, first)
		loose.add(b, timeless(b.text))
	}
	var moved []xxh3.Uint128
	err := c.walk(h, func(p piece) error {
		name := sessionName(p.session)
		for _, text := range split(label(p, h.zone) + escaped(p.text)) {
			first, _, _ := strings.Cut(text, "\n")
			begun := func(b *oldBlock) bool { return strings.HasPrefix(text, b.text) }
			if !exact.strike(hashOf(name, text), nil) && !same.strike(hashOf(name, first), begun) {
				moved = append(moved, hashOf(timeless(text)))
			}
		}
		return nil
	})
	for _, key := range moved {
		loose.strike(key, nil)
	}
	return err
}

// timeless is a block without the time of day, which is another in another zone.
func timeless(text string) string {
	if first, rest, _ := strings.Cut(text, "\n"); isLabel(first) && !strings.HasPrefix(first, "→ ") {
		speaker, _, _ := strings.Cut(first, " (")
		return speaker + "\n" + rest
	}
	return text
}

// blockIndex finds blocks by a hash.
type blockIndex map[xxh3.Uint128][]*oldBlock

func hashOf(parts ...string) xxh3.Uint128 { return xxh3.HashString128(strings.Join(parts, "\x00")) }

func (x blockIndex) add(b *oldBlock, parts ...string) {
	key := hashOf(parts...)
	x[key] = append(x[key], b)
}

// strike marks the first block under a key that is not marked and that fits.
func (x blockIndex) strike(key xxh3.Uint128, fits func(*oldBlock) bool) bool {
	for len(x[key]) > 0 && x[key][0].still {
		x[key] = x[key][1:]
	}
	for _, b := range x[key] {
		if !b.still && (fits == nil || fits(b)) {
			b.still = true
			return true
		}
	}
	return false
}
