// Package dailynote reads daily notes and knowledge files, and renders the
// outcomes that the program adds to a note. It takes text and returns values
// with their lines. It keeps no state and opens no file but the time zone data of
// a zone that a header names.
//
// A daily note (Options.Day is set) holds outcomes, each under a header such as
//
//	## [14:30] 🔷 [IMPORTANT] decision: Use SQLite by default
//
// labelled list items and paragraphs, which become bullets, open checkboxes, and other
// text, which becomes sections by heading. Any other file (Options.Day is empty) holds
// labelled statements, tasks with a date, and sections. What the program itself writes, its
// block in a page and the title of a note without text below it, is left out.
//
// Structure is read as package markdown reads it. Front matter is a section of
// its own; a byte order mark at the start is skipped. All work is linear in the
// length of the text.
package dailynote

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/moment"
)

// The three grades of importance.
const (
	Critical  = "critical"
	Important = "important"
	Reference = "reference"
)

// Options say which file a text comes from.
type Options struct {
	// Day is the date in the name of a daily note, YYYY-MM-DD, and empty for other files.
	// Of those only labelled statements and tasks with a date are bullets.
	Day string
	// Plain leaves out all bullets.
	Plain bool
	// Quiet leaves out the problems of lines that look like an outcome, task or label, for imports.
	Quiet bool
	// Kept marks a file of which IsOwners is true.
	Kept bool
	// Repeated reports whether a text, as words.Key, occurs more than once in an import:
	// it is not a bullet then. nil: none does.
	Repeated func(key string) bool
	// Modified is the time of the last change, from whose day the dates of tasks count if
	// the text has none. A later date in a title is not that of the file.
	Modified time.Time
	// Location is the zone of the day (notes.timezone); nil means UTC.
	Location *time.Location
}

// File is the content of one text. Each list is in the order of its lines.
type File struct {
	Date    string // YYYY-MM-DD: date or created of the front matter, else the date in the title, "" without one
	Project string // of the front matter or a line of tags at the top, "" without one; see UnreadProject
	// Conversation reports whether the text is a conversation of a person and an agent. Of what
	// is said in one, also in a part of the text, only what is explicit makes bullets.
	Conversation bool
	Outcomes     []Outcome
	Bullets      []Bullet
	Sections     []Section
	Problems     []Problem // text that could not be read as intended
}

// Outcome is one entry under a header with a clock time.
type Outcome struct {
	ID   string    // the ID field if the program wrote it, "" otherwise
	Date string    // YYYY-MM-DD: the Date field or, without one, Options.Day
	Time string    // HH:MM or HH:MM:SS, as written but with two-digit hours
	At   time.Time // the instant in UTC; zero if Date is not a date

	// Type is the first that exists of the word before the first colon of the header, the
	// Type field, the type of the emoji, and note; always in lower case.
	Type       string
	Written    string // the word in the header, if Type is another: success for resolution
	Title      string
	Importance string // Critical, Important or Reference
	Tags       []string
	Project    string // the Project field, else NAME of the first #project/NAME, else ""

	Heading string // the header line
	Body    string // everything up to the end of the outcome, a slice of the text
	// Content is the text that was captured, byte for byte, if the program wrote
	// the outcome; else Body without outer blank lines. If that is blank, it is
	// the title, and without a title the header.
	Content string
	Line    int // line of the header, counted from 1

	// Identity is a hex SHA-256 over the ID field if there is one, else over
	// date, time, type and TitleKey; plus an ordinal where a file repeats them.
	Identity string
	BodyHash string // HashText(Body)
	TitleKey string // words.Key(Title)
}

// Bullet is a list item or a paragraph outside outcomes that makes a memory: one with a
// label such as "decision:", **Lesson:** or 💡, a statement under a heading such as
// Decisions, or an open checkbox of a daily note.
type Bullet struct {
	Kind  string // such as decision; reminder for a checkbox
	Title string // the first line of the text without its label and emphasis
	// Done marks a checkbox that is ticked or cancelled. Its lines are in the section around it, too.
	Done bool
	// Text is the item without its marker, later lines without the item's
	// indentation, joined by LF. Nested items are part of it unless they have a
	// label of their own, which makes them bullets.
	Text       string
	Heading    string // the heading above it, "" if there is none
	Around     string // the headings around that one, a line each, the nearest first
	Project    string // NAME of the first #project/NAME in Text, else ""
	Importance string
	Shown      string    // the Text of a task without markers and comments
	Due        time.Time // of a task; zero if it has no date
	Time       string    // HH:MM or HH:MM:SS, "" if the item does not begin with a time
	At         time.Time // the instant in UTC; zero without a time or a day
	Line       int
	Identity   string // hex SHA-256 over day, heading and words.Key(Text), plus an ordinal
	Hash       string // HashText(Text)
}

// Section is the text under one heading without the bullets in it.
type Section struct {
	Project string // NAME of the first #project/NAME in Text, else ""
	Heading string // "" before any heading
	Around  string // the headings around that one, a line each, the nearest first
	Level   int    // 1 to 6, 0 without a heading
	// Line is that of the heading, else of the first line of Text. Text that
	// follows a captured outcome belongs to the level-1 heading above.
	Line int
	Text string // lines as they are, outer blank lines trimmed; may be empty under a heading
	// Identity is a hex SHA-256 over day and heading, in a file without headings
	// over day and words.Key(Text); plus an ordinal.
	Identity string
	Hash     string // HashText(Text)
}

// Problem is something that a person should check. Its text is still an outcome, a bullet
// or a section.
type Problem struct {
	Line    int
	Message string
}

// DayOf returns the date YYYY-MM-DD with which the name of a daily note begins, "" for the
// names of other files.
func DayOf(name string) string {
	day := moment.LeadingDay(name)
	if rest := name[len(day):]; rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return ""
	}
	return day
}

// TitleDay returns the date that a title or a file name gives its file, "" for none.
func (o Options) TitleDay(title string) string {
	day := moment.DayInTitle(title)
	if !o.Modified.IsZero() && moment.StartOfDay(day, cmp.Or(o.Location, time.UTC)).After(o.Modified) {
		return "" // what it is about is still to come
	}
	return day
}

// IsOwners reports whether a file of this name holds what its owner says, so that headings such
// as Decisions count in it and statements need no label.
func IsOwners(name string) bool {
	switch strings.ToLower(strings.TrimSuffix(name, path.Ext(name))) {
	case "memory", "user", "rules", "preferences", "conventions", "guidelines":
		return true
	}
	return false
}

// IsForeign reports whether a file at this path is in a folder of texts that do not say what their
// owner decided or has to do: skills, templates and clippings.
func IsForeign(file string) bool {
	return IsBelow(file, "skills", "templates", "clippings", "clips", "readwise")
}

// IsBelow reports whether a file is in one of the folders, whatever number begins their names.
func IsBelow(file string, folders ...string) bool {
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		if slices.Contains(folders, strings.TrimLeft(folder, "0123456789 ._-")) { // 4 Templates
			return true
		}
	}
	return false
}

// Parse reads one text. It never fails: text that it does not understand is kept
// as a section, and reported in Problems if a person probably meant something
// else.
func Parse(text []byte, opts Options) File {
	whole, talk := string(text), conversation{}
	if !opts.Plain {
		talk = findConversation(whole)
	}
	p := newParser(talk.without(whole), opts)
	p.read()
	p.reportUntaken()
	if len(talk.turns) > 0 {
		p.addConversation(talk, whole)
	}
	slices.SortStableFunc(p.out.Problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return p.out
}
