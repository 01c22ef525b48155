package dailynote

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
)

// readOutcome reads the outcome under heading k and returns the line after it.
func (p *parser) readOutcome(k int) (end int) {
	h := p.headings[k]
	p.taken[h.line] = true
	soft, hard, first := p.ends(k)
	end = soft
	if id := p.idLine(h.line+1, min(soft, first)); id >= 0 {
		end = hard
		if rule := lastRule(p.Document, id+1, hard); rule >= 0 {
			end = rule + 1
		}
	}
	o, fields := p.readFields(h.line+1, min(soft, first, end))
	o.Date = cmp.Or(o.Date, p.opts.Day)
	o.Time = h.header.clock
	o.Type = CanonicalType(cmp.Or(h.header.written, o.Type, h.header.emoji, "note"))
	if o.Type != h.header.written {
		o.Written = h.header.written
	}
	o.Title = h.header.title
	o.Importance = cmp.Or(o.Importance, h.header.grade)
	o.Heading, o.Body, o.Line = p.Line(h.line), p.Slice(h.line+1, end), h.line+1
	prose := p.withoutFields(fields, h.line+1, end)
	switch content, id := cutOrigin(strings.Join(prose, "")); {
	case o.ID != "":
		o.Content = capturedContent(o.Body)
	case id != "": // a compact one
		o.ID, o.Content, o.Tags = id, content, []string{Extracted}
		o.Importance = cmp.Or(o.Importance, defaultImportance(o.Type))
	default:
		o.Content = markdown.TrimBlank(o.Body)
	}
	if o.Importance == "" {
		o.Importance = ImportanceOf(append(prose, o.Title)...)
	}
	o.Project = cmp.Or(o.Project, p.projectIn(h.line, end))
	if strings.TrimSpace(o.Content) == "" {
		o.Content = cmp.Or(o.Title, strings.TrimSpace(o.Heading))
	}
	o.At = p.instant(o.Date, h.header, h.line)
	o.TitleKey = words.Key(o.Title)
	o.BodyHash = HashText(o.Body)
	o.Identity = p.outcomeIdentity(&o)
	p.out.Outcomes = append(p.out.Outcomes, o)
	return end
}

// ends returns the line after the outcome at heading k: soft if a person wrote it, at most
// hard if the program did; and the first line of another outcome in it.
func (p *parser) ends(k int) (soft, hard, first int) {
	own := p.headings[k].level
	soft, first = len(p.Lines), len(p.Lines)
	for _, h := range p.headings[k+1:] {
		switch {
		case h.level == 1, h.isOutcome && h.level <= own:
			return min(soft, h.line), h.line, first
		case h.isOutcome:
			first = min(first, h.line)
		case h.level == 2, h.level < own:
			soft = min(soft, h.line)
		}
	}
	return soft, len(p.Lines), first
}

// lastRule returns the last "---" between two lines outside code fences, or -1.
func lastRule(d *markdown.Document, from, to int) int {
	for i := to - 1; i >= from; i-- {
		s, ok := markdown.Outdent(d.Line(i))
		if ok && !d.Lines[i].Fenced && strings.TrimRight(s, " \t") == "---" {
			return i
		}
	}
	return -1
}

// withoutFields returns the texts between the lines of fields, which say nothing about the importance.
func (p *parser) withoutFields(fields []int, from, end int) (texts []string) {
	for _, i := range fields {
		texts = append(texts, p.Slice(from, i))
		from = i + 1
	}
	return append(texts, p.Slice(from, end))
}

// instant returns the time of a header on a day, zero if that is not a date.
func (p *parser) instant(date string, h header, line int) time.Time {
	day, ok := parseDay(date)
	if !ok {
		return time.Time{}
	}
	loc := p.opts.Location
	if h.zone != "" {
		if loc = p.zone(h.zone, day); loc == nil {
			loc = p.opts.Location
			p.problem(line, "time zone %q is not known, so the time is read in the zone of the notes; write an offset such as +02:00",
				plaintext.Shorten(h.zone, maxQuoted))
		}
	}
	// Of a time that clocks show twice, or never, only a zone in the header tells which is meant.
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, int(h.offset/time.Second), 0, loc).UTC()
}

func (p *parser) outcomeIdentity(o *Outcome) string {
	if o.ID == "" {
		return p.identity("outcome", o.Date, o.Time, o.Type, o.TitleKey)
	}
	if line, twice := p.ids[o.ID]; twice {
		p.problem(o.Line-1, "the ID %s is already on line %d; give one of the two no ID", plaintext.Shorten(o.ID, maxQuoted), line)
	} else {
		p.ids[o.ID] = o.Line
	}
	return p.identity("id", o.ID)
}

// HashText returns the hex SHA-256 of a text after normalising it: lines end with
// LF, and blanks at their ends and blank lines before and after are removed.
func HashText(s string) string {
	var lines strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		lines.WriteString(strings.TrimRight(line, " \t\r") + "\n")
	}
	return hexDigest(strings.Trim(lines.String(), "\n"))
}

// digest hashes parts with their lengths, which keeps lists of parts apart.
func digest(parts ...string) string {
	var all strings.Builder
	for _, part := range parts {
		all.WriteString(strconv.Itoa(len(part)) + ":" + part)
	}
	return hexDigest(all.String())
}

func hexDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// identity returns the digest of parts, with an ordinal from the second time on.
func (p *parser) identity(parts ...string) string {
	base := digest(parts...)
	n := p.seen[base]
	p.seen[base] = n + 1
	if n == 0 {
		return base
	}
	return digest(base, strconv.Itoa(n))
}
