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

// keepOldBlocks adds to a day the blocks of its previous transcript that are no longer
// in any source file, and reports whether there were any.
func (c *collector) keepOldBlocks(path, day string, h headings) (bool, error) {
	old, err := durable.ReadFile(path)
	if err != nil || len(old) == 0 {
		return false, err
	}
	blocks := parseBlocks(old)
	if err := markPresent(blocks, c, h); err != nil {
		return false, err
	}
	blocks = slices.DeleteFunc(blocks, func(b *oldBlock) bool { return b.present })
	bySessionName := map[string]int32{}
	for i, s := range c.sessions {
		bySessionName[sessionName(s.id)] = int32(i)
	}
	for i, b := range blocks {
		at := b.at(day, h.zone)
		n, known := bySessionName[b.session]
		if !known {
			n = int32(len(c.sessions))
			bySessionName[b.session] = n
			c.sessions = append(c.sessions, session{id: b.session, first: at, title: b.title})
		}
		c.sessions[n].first = min(c.sessions[n].first, at)
		// Blocks sort after the messages of all files, in their old order.
		c.write(b.text, entry{at: at, session: n, path: math.MaxInt32, line: int32(i), heading: &b.heading})
	}
	return len(blocks) > 0, c.sort()
}

// oldBlock is a message of the previous transcript, or a part of a message that contains
// lines like labels.
type oldBlock struct {
	session, title, heading, text string
	clock                         string // 15:04:05
	present                       bool   // it is still in a source file
}

// at returns the instant of a block, in milliseconds since 1970.
func (b *oldBlock) at(day string, zone *time.Location) int64 {
	at, err := time.ParseInLocation(time.DateTime, day+" "+b.clock, zone)
	if err != nil { // the heading was edited: use midnight
		at, _ = time.ParseInLocation(time.DateOnly, day, zone)
	}
	return at.UnixMilli()
}

// parseBlocks splits a cleaned transcript into its blocks. Its headings are the day on
// level 1, sessions on level 2 and exchanges on level 3. A block without a time of its
// own has that of the label or heading before it.
func parseBlocks(old []byte) []*oldBlock {
	lines := bytes.SplitAfter(old, []byte("\n"))
	var blocks []*oldBlock
	var heading *oldBlock // has the headings above, and the last time of day
	begin := 0
	addBlocks := func(end int) {
		if heading == nil {
			return
		}
		for _, text := range splitAtLabels(string(slices.Concat(lines[min(begin, end):end]...))) {
			first, _, _ := strings.Cut(text, "\n")
			if _, clock, ok := cutLabel(first); ok {
				heading.clock = max(heading.clock, clock)
			}
			b := *heading
			b.text = text
			blocks = append(blocks, &b)
		}
	}
	for _, s := range dailynote.Parse(old, dailynote.Options{}).Sections {
		if s.Level > 3 || s.Level == 0 || s.Level == 3 && heading == nil {
			continue
		}
		addBlocks(s.Line - 1)
		begin = s.Line
		words := strings.Fields(s.Heading)
		switch {
		case s.Level == 1 || len(words) == 0:
			heading = nil
		case s.Level == 2:
			heading = &oldBlock{session: words[len(words)-1], title: s.Heading, clock: words[0] + ":00"}
		default:
			heading = &oldBlock{session: heading.session, title: heading.title, heading: s.Heading, clock: words[0]}
		}
	}
	addBlocks(len(lines))
	return blocks
}

// splitAtLabels splits text at labels that follow a blank line. A message that contains
// such lines is split too, always in the same way.
func splitAtLabels(text string) []string {
	var all []string
	var b strings.Builder
	flush := func() {
		if block := strings.Trim(b.String(), "\n"); strings.TrimSpace(block) != "" {
			all = append(all, block)
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

// isLabel reports whether a line is a label as written by label.
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

// markPresent marks the blocks that are still among the messages of the day: first by
// session and text, then by text alone, because a copy may be in another session.
func markPresent(blocks []*oldBlock, c *collector, h headings) error {
	bySessionAndText, byText := map[xxh3.Uint128][]*oldBlock{}, map[xxh3.Uint128][]*oldBlock{}
	for _, b := range blocks {
		both, text := hashOf(b.session, b.text), hashOf(withoutClock(b.text))
		bySessionAndText[both] = append(bySessionAndText[both], b)
		byText[text] = append(byText[text], b)
	}
	var unmatched []xxh3.Uint128
	err := c.walk(h, func(p piece) error {
		for _, text := range splitAtLabels(p.block(h.zone)) {
			if !markFirst(bySessionAndText, hashOf(sessionName(p.session), text)) {
				unmatched = append(unmatched, hashOf(withoutClock(text)))
			}
		}
		return nil
	})
	for _, key := range unmatched {
		markFirst(byText, key)
	}
	return err
}

// markFirst marks the first block of a key that is not marked, and reports whether
// there is one.
func markFirst(blocks map[xxh3.Uint128][]*oldBlock, key xxh3.Uint128) bool {
	for len(blocks[key]) > 0 {
		b := blocks[key][0]
		blocks[key] = blocks[key][1:]
		if !b.present {
			b.present = true
			return true
		}
	}
	return false
}

// withoutClock returns a block without its time of day, which depends on the time zone.
func withoutClock(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	if speaker, _, ok := cutLabel(first); ok {
		return speaker + "\n" + rest
	}
	return text
}

func hashOf(parts ...string) xxh3.Uint128 { return xxh3.HashString128(strings.Join(parts, "\x00")) }
