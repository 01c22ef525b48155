package memorymd

import (
	"context"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// correct applies the person's new texts.
func (c *Curator) correct(ctx context.Context, corrections []Correction) error {
	for _, k := range corrections {
		found, _, err := c.s.Brain.Review.CoreNewest(ctx, k.ID)
		if err != nil {
			return err
		}
		m, exists := found[k.ID]
		if !exists {
			continue // the line stays as the person wrote it
		}
		name, text := reworded(m, k)
		clean := c.s.Brain.Base.WithoutSecrets
		if clean(text) == m.Content && (name == "" || clean(name) == m.Name) {
			continue
		}
		if _, _, err := c.s.Brain.Capture.InBackground().Correct(ctx, m.ID, name, text); err != nil {
			return err
		}
	}
	return nil
}

// reworded returns the name and the text that a correction gives a memory. If only a part
// of the text was shown, the rest stays. The name is "" if it is derived from the text.
func reworded(m brain.Memory, k Correction) (name, text string) {
	given := m.GivenName()
	switch {
	case k.Whole:
		return m.Name, k.Text
	case k.OfTitle:
		name, ok := withNewPart(m.Name, k.Was, k.Text)
		if !ok {
			name = k.Text
		}
		if strings.TrimSpace(m.Content) == strings.TrimSpace(m.Name) {
			return name, name
		}
		return name, m.Content
	}
	title, _ := statement.Said(&m)
	if below, ok := strings.CutPrefix(k.Was, title+nameEnd); ok && title != "" {
		return rewordedBelow(m, title, below, k.Text)
	}
	text, inText := withNewPart(m.Content, k.Was, k.Text)
	name, inName := withNewPart(given, k.Was, k.Text)
	switch {
	case inText && inName:
		return name, text
	case inText && strings.HasPrefix(m.Content, given):
		return "", text
	case inText:
		return given, text
	case inName:
		return name, m.Content
	}
	return "", k.Text
}

// rewordedBelow is reworded for a line with a title and, after a colon, the text below it.
func rewordedBelow(m brain.Memory, title, below, now string) (name, text string) {
	newTitle, newBelow, ok := strings.Cut(now, nameEnd)
	if !ok {
		return m.GivenName(), now
	}
	if text, ok = withNewPart(m.Content, below, newBelow); !ok {
		text = newBelow
	}
	if m.GivenName() != "" {
		if title == newTitle {
			newTitle = m.Name
		}
		return newTitle, text
	}
	if text, ok = withNewPart(text, title, newTitle); !ok {
		text = now
	}
	return "", text
}

// withNewPart returns a text in which a part that was shown has a new wording, and reports
// whether the text has that part. If an ellipsis marked the end of the part, the rest
// of the text stays only if the person left the ellipsis.
func withNewPart(whole, shown, now string) (string, bool) {
	head, cut := strings.CutSuffix(shown, plaintext.Ellipsis)
	edited, still := strings.CutSuffix(now, plaintext.Ellipsis)
	if !strings.Contains(whole, head) {
		whole = plaintext.OneLine(whole)
	}
	before, rest, ok := strings.Cut(whole, head)
	if cut && !still {
		rest = ""
	}
	return before + edited + rest, ok && head != ""
}
