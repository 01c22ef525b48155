package dailynote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The three grades of importance.
const (
	Critical  = "critical"
	Important = "important"
	Reference = "reference"
)

// Options say which file a text comes from.
type Options struct {
	// Day is the date in the file's name, YYYY-MM-DD. It is empty for the
	// files of knowledge/, in which everything is a Section.
	Day string
	// Location is the zone of the day (notes.timezone); nil means UTC.
	Location *time.Location
}

// File is what one text holds. Each list is in the order of its lines.
type File struct {
	Outcomes []Outcome
	Bullets  []Bullet
	Sections []Section
	Mentions []string     // names in [[ ]], distinct, in order, none from code fences
	Hashes   []LegacyHash // comments left by older tools
	Problems []Problem    // what could not be read as it was meant
}

// Outcome is one entry under a header with a clock time.
type Outcome struct {
	ID       string    // the ID field, "" if there is none
	Captured bool      // written by the program: it has an ID field
	Date     string    // YYYY-MM-DD: the Date field, else Options.Day
	Time     string    // HH:MM or HH:MM:SS, as written but with two-digit hours
	At       time.Time // the instant in UTC; zero if Date is no date

	// Type is the word before the header's first colon, else the Type field,
	// else the emoji's type, else note; always in lower case.
	Type       string
	Title      string
	Importance string // Critical, Important or Reference
	Tags       []string
	Source     string // the Source field

	Heading  string // the header line
	Body     string // everything up to the end of the outcome, a slice of the text
	Line     int    // line of the header, counted from 1
	Position int    // place among all outcomes, bullets and sections, from 0

	// Identity is a hex SHA-256 over the ID field if there is one, else over
	// date, time, type and TitleKey; plus an ordinal where a file repeats them.
	Identity   string
	BodyHash   string // HashText(Body)
	TitleKey   string // NormalText(Title)
	LegacyHash string // hex MD5 over title, "|", type as written and "\n"
	Mentions   []string
}

// Bullet is a list item (in a file without headings also a paragraph) outside
// outcomes that holds a keyword.
type Bullet struct {
	// Text is the item without its marker, later lines without the item's
	// indentation, joined by LF. Nested items are part of it unless they hold
	// a keyword of their own, which makes them bullets.
	Text       string
	Heading    string // the heading above it, "" if there is none
	Importance string
	Line       int
	Position   int
	Identity   string // hex SHA-256 over day, heading and NormalText(Text), plus an ordinal
	Hash       string // HashText(Text)
	Mentions   []string
}

// Section is the text under one heading without the bullets in it.
type Section struct {
	Heading string // "" before any heading
	Level   int    // 1 to 6, 0 without a heading
	// Line is that of the heading, else of the first line of Text. Text that
	// follows a captured outcome counts under the level-1 heading above.
	Line     int
	Position int
	Text     string // lines as they are, outer blank lines trimmed; may be empty under a heading
	// Identity is a hex SHA-256 over day and heading, in a file without
	// headings over day and NormalText(Text); plus an ordinal.
	Identity string
	Hash     string // HashText(Text)
	Mentions []string
}

// LegacyHash is a comment <!-- hash: md5 --> of an older tool.
type LegacyHash struct {
	Day  string // the date of the "### [DATE]" heading above it, "" if there is none
	Hash string // 32 hex digits in lower case
	Line int
}

// Problem is something that a person should look at. Its text is kept all the
// same, as Outcome, Bullet or Section.
type Problem struct {
	Line    int
	Message string
}

// Parse reads one text. It never fails: what is not understood is kept as
// text, and reported in Problems where a person probably meant something else.
func Parse(text []byte, opts Options) File {
	p := newParser(string(text), opts)
	p.collectMentions()
	p.collectHashes()
	p.walk()
	p.number()
	slices.SortStableFunc(p.out.Problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return p.out
}

type parser struct {
	doc
	opts     Options
	daily    bool
	body     int // first line after front matter
	marks    []mark
	mentions []mention
	zones    map[string]*time.Location
	seen     map[string]int // identities given so far
	ids      map[string]int // line of each ID field
	out      File
}

// mark is a heading outside fences and front matter.
type mark struct {
	line    int
	level   int
	outcome bool
	header  header
}

func newParser(text string, opts Options) *parser {
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	p := &parser{
		doc:   scan(strings.TrimPrefix(text, "\ufeff"), true),
		opts:  opts,
		daily: opts.Day != "",
		seen:  map[string]int{},
		ids:   map[string]int{},
	}
	p.body = p.frontMatter()
	for _, i := range p.unclosed {
		p.problem(i, "this code fence is never closed, so it is read as plain text; close it")
	}
	p.markHeadings()
	return p
}

func (p *parser) markHeadings() {
	for i := p.body; i < len(p.lines); i++ {
		level := int(p.lines[i].level)
		if level == 0 {
			p.checkGlued(i)
			continue
		}
		m := mark{line: i, level: level}
		if level == 2 && p.daily {
			m.outcome = p.readHeader(i, &m.header)
		}
		p.marks = append(p.marks, m)
	}
}

// checkGlued reports a header that is no heading for want of a blank.
func (p *parser) checkGlued(i int) {
	if !p.daily || p.lines[i].fenced || !strings.HasPrefix(p.content(i), "##[") {
		return
	}
	if _, ok, _ := parseHeader(p.content(i)[2:]); ok {
		p.problem(i, "a blank is missing after ##, so this is read as plain text; write ## [HH:MM] type: title")
	}
}

func (p *parser) readHeader(i int, h *header) bool {
	_, text := headingOf(p.content(i))
	read, ok, fault := parseHeader(text)
	if fault != "" {
		p.problem(i, "%s, so this is read as a plain heading; write ## [HH:MM] type: title", fault)
	}
	*h = read
	return ok
}

// frontMatter returns the first line after the front matter, 0 without one.
func (p *parser) frontMatter() int {
	if len(p.lines) < 3 || !isRule(p.content(0)) || !isKeyLine(p.content(1)) {
		return 0
	}
	for i := 2; i < len(p.lines); i++ {
		s := strings.TrimRight(p.content(i), " \t")
		if s == "---" || s == "..." {
			return i + 1
		}
		// Nothing that starts an outcome is YAML: the block was never closed.
		if strings.HasPrefix(s, "## [") {
			return 0
		}
	}
	return 0
}

func isKeyLine(s string) bool {
	key, _, ok := strings.Cut(s, ":")
	if !ok || key == "" {
		return strings.HasPrefix(s, "# ")
	}
	return !strings.ContainsAny(key, " \t#*[]<>`")
}

func (p *parser) problem(i int, format string, args ...any) {
	p.out.Problems = append(p.out.Problems, Problem{Line: i + 1, Message: fmt.Sprintf(format, args...)})
}

// number gives every record its place in the file, by line.
func (p *parser) number() {
	o, b, s := p.out.Outcomes, p.out.Bullets, p.out.Sections
	const last = int(^uint(0) >> 1)
	for n := 0; len(o)+len(b)+len(s) > 0; n++ {
		lo, lb, ls := last, last, last
		if len(o) > 0 {
			lo = o[0].Line
		}
		if len(b) > 0 {
			lb = b[0].Line
		}
		if len(s) > 0 {
			ls = s[0].Line
		}
		switch min(lo, lb, ls) {
		case lo:
			o[0].Position, o = n, o[1:]
		case lb:
			b[0].Position, b = n, b[1:]
		default:
			s[0].Position, s = n, s[1:]
		}
	}
}
