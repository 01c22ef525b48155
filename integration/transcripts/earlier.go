package transcripts

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// takeOver adds to the messages of a day those blocks of its earlier transcript
// that are in no file any more, and reports whether there are any.
func (c *collector) takeOver(path, day string, h headings) (bool, error) {
	old, err := durable.ReadFile(path)
	if err != nil || len(old) == 0 {
		return false, err
	}
	blocks := oldBlocks(old)
	if err := strike(blocks, c, h); err != nil {
		return false, err
	}
	blocks = slices.DeleteFunc(blocks, func(b *oldBlock) bool { return b.still })
	byName := map[string]int32{}
	for i, s := range c.sessions {
		byName[sessionName(s.id)] = int32(i)
	}
	for i, b := range blocks {
		at := b.at(day, h.zone)
		n, known := byName[b.session]
		if !known {
			n = int32(len(c.sessions))
			byName[b.session] = n
			c.sessions = append(c.sessions, session{id: b.session, first: at, title: b.title})
		}
		c.sessions[n].first = min(c.sessions[n].first, at)
		c.write(b.text, entry{at: at, session: n, path: math.MaxInt32, line: int32(i), heading: &b.heading})
	}
	return len(blocks) > 0, c.sort()
}

// oldBlock is a message of the earlier transcript, or a part of one that looks
// like several.
type oldBlock struct {
	session, title, heading, text string
	clock                         string // 15:04:05
	still                         bool   // it is in the files
}

// at returns the instant of a block, in milliseconds since 1970.
func (b *oldBlock) at(day string, zone *time.Location) int64 {
	at, err := time.ParseInLocation(time.DateTime, day+" "+b.clock, zone)
	if err != nil { // somebody has edited it
		at, _ = time.ParseInLocation(time.DateOnly, day, zone)
	}
	return at.UnixMilli()
}

// oldBlocks reads a cleaned transcript.
func oldBlocks(old []byte) []*oldBlock {
	lines := bytes.SplitAfter(old, []byte("\n"))
	var blocks []*oldBlock
	var above *oldBlock // has the headings
	begin := 0
	take := func(end int) {
		if above == nil {
			return
		}
		for _, text := range split(string(slices.Concat(lines[min(begin, end):end]...))) {
			first, _, _ := strings.Cut(text, "\n")
			if _, clock, ok := cutLabel(first); ok {
				above.clock = max(above.clock, clock)
			}
			b := *above
			b.text = text
			blocks = append(blocks, &b)
		}
	}
	for _, s := range dailynote.Parse(old, dailynote.Options{}).Sections {
		if s.Level > 3 || s.Level == 0 || s.Level == 3 && above == nil {
			continue
		}
		take(s.Line - 1)
		begin = s.Line
		words := strings.Fields(s.Heading)
		switch {
		case s.Level == 1 || len(words) == 0:
			above = nil
		case s.Level == 2:
			above = &oldBlock{session: words[len(words)-1], title: s.Heading, clock: words[0] + ":00"}
		default:
			above = &oldBlock{session: above.session, title: above.title, heading: s.Heading, clock: words[0]}
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
	_, _, ok := cutLabel(strings.TrimSuffix(line, "\n"))
	return ok || strings.HasPrefix(line, "→ ")
}

// cutLabel cuts "**User** (15:04:05):" into speaker and time.
func cutLabel(line string) (speaker, clock string, ok bool) {
	speaker, clock, ok = strings.Cut(line, " (")
	clock, ends := strings.CutSuffix(clock, "):")
	known := slices.Contains([]string{"**User**", "**Assistant**", "**Output**", "**Error**"}, speaker)
	return speaker, clock, ok && ends && known && len(clock) == len("15:04:05")
}

// strike marks the blocks that are among the messages of the day: those in the
// same place, those that a longer text of the same message begins with, and, of
// the others, those with the same words elsewhere on the day, for a copy may
// have got into another session.
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
		for _, text := range split(p.block(h.zone)) {
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

// timeless returns a block without the time of day, which is another in another
// zone.
func timeless(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	if speaker, _, ok := cutLabel(first); ok {
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
