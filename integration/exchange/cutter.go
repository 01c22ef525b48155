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

// hashMark begins the mark of an older tool.
const hashMark = "<!-- hash:"

// cutter cuts a text into pieces.
type cutter struct {
	*markdown.Document
	first  int // number of the first line
	path   []heading
	pieces []piece
	left   []leftover
	breaks bool // a thematic break was left out
}

type heading struct {
	level int8
	piece piece
	used  bool // there is text below it
}

// cut returns the pieces of a text. Each line that is not blank is in exactly
// one of them, is a heading above one, or is among the leftovers; of several
// thematic breaks only the first is. first is the number of the first line.
func cut(text string, first int) ([]piece, []leftover) {
	c := &cutter{Document: markdown.Parse(strings.ReplaceAll(text, "\r\n", "\n")), first: first}
	lastEnd := len(c.Lines) - 1
	for lastEnd >= 0 && !c.hasPrefix(lastEnd, markdown.BlockEndPrefix) {
		lastEnd--
	}
	for i := 0; i < len(c.Lines); {
		i = c.block(i, lastEnd)
	}
	c.close(0)
	return c.pieces, c.left
}

func (c *cutter) hasPrefix(i int, mark string) bool {
	return strings.HasPrefix(strings.TrimSpace(c.Line(i)), mark)
}

// block reads the block that begins on line i, and returns the line after it.
// lastEnd is the last line that ends a block of this program.
func (c *cutter) block(i, lastEnd int) (next int) {
	l := c.Lines[i]
	item, isItem := markdown.ParseItem(c.Line(i))
	switch {
	case l.Blank:
	case l.Fenced:
		return c.paragraph(i)
	case c.hasPrefix(i, markdown.BlockBeginPrefix) && i < lastEnd:
		c.leave(i, "the block that brainbridge wrote itself")
		for !c.hasPrefix(i, markdown.BlockEndPrefix) {
			i++
		}
	case c.hasPrefix(i, hashMark):
		c.leave(i, "the mark of an older tool")
	case l.Level > 0:
		c.close(l.Level)
		c.path = append(c.path, heading{level: l.Level, piece: piece{text: markdown.HeadingText(c.Line(i)), line: i + c.first}})
	case markdown.IsBreak(c.Line(i)):
		if !c.breaks {
			c.leave(i, "a rule across the page, as are others like it")
		}
		c.breaks = true
	case isItem:
		return c.bullet(i, item)
	default:
		return c.paragraph(i)
	}
	return i + 1
}

func (c *cutter) leave(i int, reason string) {
	c.left = append(c.left, leftover{i + c.first, reason})
}

// close ends the headings of this level and below. One without text below it is
// a piece itself, so that its words are not lost.
func (c *cutter) close(level int8) {
	for len(c.path) > 0 {
		last := c.path[len(c.path)-1]
		if level > 0 && last.level < level {
			return
		}
		c.path = c.path[:len(c.path)-1]
		if !last.used && last.piece.text != "" {
			c.add(last.piece)
		}
	}
}

func (c *cutter) add(p piece) {
	for i := range c.path {
		c.path[i].used = true
		if text := c.path[i].piece.text; text != "" {
			p.headings = append(p.headings, text)
		}
	}
	c.pieces = append(c.pieces, p)
}

// bullet reads a list item with everything nested in it.
func (c *cutter) bullet(start int, item markdown.Item) (next int) {
	base, _ := markdown.Indent(c.Line(start))
	next = start + 1
	for i := next; i < len(c.Lines) && !c.endsItem(i, base); i++ {
		if !c.Lines[i].Blank || c.Lines[i].Fenced {
			next = i + 1
		}
	}
	lines := []string{c.Line(start)[item.Text:]}
	for i := start + 1; i < next; i++ {
		lines = append(lines, markdown.Dedent(c.Line(i), item.Content))
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	c.add(piece{text: strings.TrimRight(strings.Join(lines, "\n"), "\n"), line: start + c.first, bullet: true})
	return next
}

// endsItem reports whether line i is behind a list item whose marker is indented
// by base columns. A line that is not indented further is, if a blank line
// stands before it or it begins a block.
func (c *cutter) endsItem(i, base int) bool {
	if c.Lines[i].Blank || inFence(c.Lines[i]) {
		return false
	}
	columns, _ := markdown.Indent(c.Line(i))
	return columns <= base && (c.Lines[i-1].Blank || c.startsBlock(i) || c.hasPrefix(i, "<!--"))
}

// inFence reports whether a line is within a code fence, behind its first line.
func inFence(l markdown.Line) bool { return l.Fenced && !l.Opens }

// paragraph reads lines up to a blank one or the next block, or a code fence.
// Code that follows a paragraph, at most one blank line away, belongs to it.
func (c *cutter) paragraph(start int) (next int) {
	next = start
	if !c.Lines[start].Opens {
		for next++; next < len(c.Lines) && !c.startsBlock(next); {
			next++
		}
	}
	code := next
	if code > start && code < len(c.Lines) && c.Lines[code].Blank {
		code++
	}
	if code < len(c.Lines) && c.Lines[code].Opens {
		for next = code + 1; next < len(c.Lines) && inFence(c.Lines[next]); {
			next++
		}
	}
	c.add(piece{text: strings.TrimRight(c.Slice(start, next), " \t\n"), line: start + c.first})
	return next
}

func (c *cutter) startsBlock(i int) bool {
	l := c.Lines[i]
	_, isItem := markdown.ParseItem(c.Line(i))
	return l.Blank || l.Level > 0 || l.Opens || isItem || markdown.IsBreak(c.Line(i)) ||
		c.hasPrefix(i, markdown.BlockBeginPrefix) || c.hasPrefix(i, hashMark)
}
