package exchange

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// piece is one bullet or paragraph of a Markdown text.
type piece struct {
	text     string   // a bullet without its marker and indentation, else the lines as they are
	headings []string // above it, outermost first
	line     int      // of its first line, from 1
	bullet   bool
}

// leftover is a line of a text that is no part of any piece.
type leftover struct {
	line   int
	reason string
}

// The block of MEMORY.md that this program writes.
const (
	blockBegin = "<!-- brainbridge:begin"
	blockEnd   = "<!-- brainbridge:end"
	hashMark   = "<!-- hash:"
)

// cutter cuts a text into pieces.
type cutter struct {
	*markdown.Document
	at      int
	lastEnd int // the last line that ends a block of this program
	path    []heading
	pieces  []piece
	left    []leftover
	rules   []int // lines with a rule across the page
}

type heading struct {
	level int8
	text  string
	line  int
	used  bool // something stands under it
}

// cut returns the pieces of a text. Each line that is not blank is in exactly
// one of them, is a heading above one, or is among the leftovers. first is the
// number of the first line.
func cut(text string, first int) ([]piece, []leftover) {
	c := &cutter{Document: markdown.Parse(strings.ReplaceAll(text, "\r\n", "\n")), lastEnd: -1}
	for i := range c.Lines {
		if c.hasPrefix(i, blockEnd) {
			c.lastEnd = i
		}
	}
	for c.at < len(c.Lines) {
		c.block()
	}
	c.close(0)
	switch len(c.rules) {
	case 0:
	case 1:
		c.left = append(c.left, leftover{c.rules[0], "a rule across the page"})
	default:
		c.left = append(c.left, leftover{c.rules[0], "this rule across the page, and those after it"})
	}
	for i := range c.pieces {
		c.pieces[i].line += first - 1
	}
	for i := range c.left {
		c.left[i].line += first - 1
	}
	return c.pieces, c.left
}

func (c *cutter) hasPrefix(i int, mark string) bool {
	return strings.HasPrefix(strings.TrimSpace(c.Line(i)), mark)
}

func (c *cutter) isItem(i int) bool {
	_, ok := markdown.ParseItem(c.Line(i))
	return ok
}

// block reads the block that begins on the present line.
func (c *cutter) block() {
	l := c.Lines[c.at]
	switch {
	case l.Blank:
		c.at++
	case l.Fenced:
		c.paragraph()
	case c.hasPrefix(c.at, blockBegin) && c.at < c.lastEnd:
		c.left = append(c.left, leftover{c.at + 1, "the block that brainbridge wrote itself"})
		for !c.hasPrefix(c.at, blockEnd) {
			c.at++
		}
		c.at++
	case c.hasPrefix(c.at, hashMark):
		c.left = append(c.left, leftover{c.at + 1, "the mark of an older tool"})
		c.at++
	case l.Level > 0:
		c.close(l.Level)
		c.path = append(c.path, heading{level: l.Level, text: markdown.HeadingText(c.Line(c.at)), line: c.at + 1})
		c.at++
	case markdown.IsBreak(c.Line(c.at)):
		c.at++
		c.rules = append(c.rules, c.at)
	case c.isItem(c.at):
		c.bullet()
	default:
		c.paragraph()
	}
}

// close ends the headings of this level and below. One that nothing stands
// under is a piece itself, so that its words are not lost.
func (c *cutter) close(level int8) {
	for len(c.path) > 0 {
		last := c.path[len(c.path)-1]
		if level > 0 && last.level < level {
			return
		}
		c.path = c.path[:len(c.path)-1]
		if !last.used && last.text != "" {
			c.add(piece{text: last.text, line: last.line})
		}
	}
}

func (c *cutter) add(p piece) {
	for i := range c.path {
		c.path[i].used = true
		if c.path[i].text != "" {
			p.headings = append(p.headings, c.path[i].text)
		}
	}
	c.pieces = append(c.pieces, p)
}

// bullet reads a list item with all that is nested in it.
func (c *cutter) bullet() {
	start := c.at
	base, _ := markdown.Indent(c.Line(start))
	for c.at++; c.at < len(c.Lines); {
		next := c.at
		for next < len(c.Lines) && c.Lines[next].Blank && !c.Lines[next].Fenced {
			next++
		}
		if next == len(c.Lines) || c.endsItem(next, base) {
			break
		}
		c.at = next + 1
	}
	lines := make([]string, 0, c.at-start)
	for i := range c.at - start {
		lines = append(lines, c.Line(start+i))
	}
	c.add(piece{text: itemText(lines), line: start + 1, bullet: true})
}

// endsItem reports whether line i is behind a list item whose marker is indented
// by base columns. A line that is not indented further is, if a blank line
// stands before it or it begins a block.
func (c *cutter) endsItem(i, base int) bool {
	if inFence(c.Lines[i]) {
		return false
	}
	columns, _ := markdown.Indent(c.Line(i))
	return columns <= base && (c.Lines[i-1].Blank || c.startsBlock(i) || c.hasPrefix(i, "<!--"))
}

// inFence reports whether a line is within a code fence, behind its first line.
func inFence(l markdown.Line) bool { return l.Fenced && !l.Opens }

// paragraph reads lines up to a blank one or the next block, or a code fence.
// Code that follows a paragraph, at most one blank line away, belongs to it.
func (c *cutter) paragraph() {
	start := c.at
	if !c.Lines[start].Opens {
		c.skip(func(i int) bool { return !c.startsBlock(i) })
	}
	code := c.at
	if code > start && code < len(c.Lines) && c.Lines[code].Blank {
		code++
	}
	if code < len(c.Lines) && c.Lines[code].Opens {
		c.at = code
		c.skip(func(i int) bool { return inFence(c.Lines[i]) })
	}
	c.add(piece{text: strings.TrimRight(c.Slice(start, c.at), " \t\n"), line: start + 1})
}

// skip passes over the present line and those after it that belong to it.
func (c *cutter) skip(belongs func(i int) bool) {
	c.at++
	for c.at < len(c.Lines) && belongs(c.at) {
		c.at++
	}
}

func (c *cutter) startsBlock(i int) bool {
	l := c.Lines[i]
	return l.Blank || l.Level > 0 || l.Opens || c.isItem(i) || markdown.IsBreak(c.Line(i)) ||
		c.hasPrefix(i, blockBegin) || c.hasPrefix(i, hashMark)
}
