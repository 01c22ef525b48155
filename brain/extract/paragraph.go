package extract

import "strings"

// fence is an open code fence: its character, 0 if there is none.
type fence struct{ mark byte }

// next is the state after one line, and whether the line is code or a fence.
func (f fence) next(line string) (fence, bool) {
	body := strings.TrimLeft(line, " \t")
	if len(body) < 3 || body[0] != '`' && body[0] != '~' || body[1] != body[0] || body[2] != body[0] {
		return f, f.mark != 0
	}
	switch f.mark {
	case 0:
		if strings.Contains(strings.TrimLeft(body, body[:1]), "```") {
			return f, false // inline code of three ticks
		}
		return fence{body[0]}, true
	case body[0]:
		return fence{}, true
	}
	return f, true
}

func (f fence) after(text string) fence {
	for line := range strings.Lines(text) {
		f, _ = f.next(line)
	}
	return f
}

// paragraphs walks through what is said in a text: runs of lines without code
// fences, quoted lines and tables. A list item or heading begins a new one.
type paragraphs struct {
	text  string
	at    int
	fence fence
}

// next gives the bounds of the next paragraph, ok false at the end.
func (p *paragraphs) next() (lo, hi int, ok bool) {
	lo = -1
	for p.at < len(p.text) {
		start := p.at
		end := len(p.text)
		if n := strings.IndexByte(p.text[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		class := p.classify(p.text[start:end])
		if lo >= 0 && class != continued {
			if class == skipped {
				p.at = end
			}
			return lo, hi, true
		}
		p.at = end
		if class == skipped {
			continue
		}
		if lo < 0 {
			lo = start
		}
		hi = end
	}
	return lo, hi, lo >= 0
}

type lineClass uint8

const (
	continued lineClass = iota
	begins
	skipped
)

// classify looks at a line; it is asked for the line that begins a paragraph
// a second time only when that holds no fence.
func (p *paragraphs) classify(line string) lineClass {
	body := strings.TrimLeft(line, " \t")
	if body == "" || body[0] == '\n' || body[0] == '\r' {
		return p.keepFence(skipped)
	}
	switch body[0] {
	case '`', '~':
		after, code := p.fence.next(line)
		p.fence = after
		if code {
			return skipped
		}
	case '>', '|':
		return skipped
	case '-', '*', '+', '#':
		return p.keepFence(begins)
	}
	if body[0]-'0' < 10 && listNumber(body) {
		return p.keepFence(begins)
	}
	return p.keepFence(continued)
}

func (p *paragraphs) keepFence(class lineClass) lineClass {
	if p.fence.mark != 0 {
		return skipped
	}
	return class
}

func listNumber(line string) bool {
	digits := strings.TrimLeft(line, "0123456789")
	return len(line)-len(digits) < 3 && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}
