package memorymd

import (
	"context"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// correct applies the person's new texts to their memories, and records in the
// state which memories replaced them.
func (g *curating) correct(ctx context.Context, res *Result) error {
	for _, k := range res.Corrections {
		found, _, err := g.s.Brain.Core.Whereabouts(ctx, k.ID)
		if err != nil {
			return err
		}
		m, exists := found[k.ID]
		if !exists {
			continue // the line stays as the person wrote it
		}
		name, text := reworded(m, k)
		clean := g.s.Brain.Base.WithoutSecrets
		if clean(text) == m.Content && (name == "" || clean(name) == m.Name) {
			continue
		}
		next, err := g.s.Brain.Capture.Correct(ctx, m.ID, name, text)
		if err != nil {
			return err
		}
		res.State.Moved(k.Root, next.ID, next.Root)
	}
	return nil
}

// reworded returns what a correction makes of a memory: the name if that was
// shown, the text if that was. Of a text that was shown in part the rest stays.
func reworded(m brain.Memory, k Correction) (name, text string) {
	switch {
	case k.Whole:
		return m.Name, k.Text
	case k.OfTitle:
		name, text = withRest(k.Was, k.Text, m.Name), m.Content
		if strings.TrimSpace(text) == strings.TrimSpace(m.Name) {
			text = name
		}
		return name, text
	}
	shown, now := k.Was, k.Text
	if hasOwnName(m) {
		before, rest, ok := strings.Cut(now, nameEnd)
		if !ok {
			return m.Name, now
		}
		name, now = before, rest
		shown = strings.TrimPrefix(shown, m.Name+nameEnd)
	}
	return name, withRest(shown, now, m.Content)
}

// withRest returns the new wording of a text of which only the beginning was
// shown, followed by the part that was not. If an ellipsis marked the end of the
// shown part, the rest stays only if the person left the ellipsis.
func withRest(shown, now, whole string) string {
	head, cut := strings.CutSuffix(shown, plaintext.Ellipsis)
	edited, still := strings.CutSuffix(now, plaintext.Ellipsis)
	if cut && !still {
		return now
	}
	body := strings.TrimLeft(whole, lineMarks+"\r\n")
	rest, begins := strings.CutPrefix(strings.TrimSpace(body), head)
	if !begins {
		rest, begins = strings.CutPrefix(plaintext.OneLine(body), head)
	}
	if !begins || rest == "" {
		return now
	}
	return strings.TrimLeft(whole[:len(whole)-len(body)], "\r\n") + edited + rest
}
