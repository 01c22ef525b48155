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

// strike marks the blocks that are among the messages of the day: those of the
// same session, and then those with the same words elsewhere on the day, for a
// copy may have got into another session.
func strike(blocks []*oldBlock, c *collector, h headings) error {
	exact, loose := map[xxh3.Uint128][]*oldBlock{}, map[xxh3.Uint128][]*oldBlock{}
	for _, b := range blocks {
		key, words := hashOf(b.session, b.text), hashOf(timeless(b.text))
		exact[key], loose[words] = append(exact[key], b), append(loose[words], b)
	}
	var moved []xxh3.Uint128
	err := c.walk(h, func(p piece) error {
		for _, text := range split(p.block(h.zone)) {
			if !strikeFirst(exact, hashOf(sessionName(p.session), text)) {
				moved = append(moved, hashOf(timeless(text)))
			}
		}
		return nil
	})
	for _, key := range moved {
		strikeFirst(loose, key)
	}
	return err
}

// strikeFirst marks the first block of a key that is not marked, and reports
// whether there is one.
func strikeFirst(blocks map[xxh3.Uint128][]*oldBlock, key xxh3.Uint128) bool {
	for len(blocks[key]) > 0 {
		b := blocks[key][0]
		blocks[key] = blocks[key][1:]
		if !b.still {
			b.still = true
			return true
		}
	}
	return false
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

func hashOf(parts ...string) xxh3.Uint128 { return xxh3.HashString128(strings.Join(parts, "\x00")) }
