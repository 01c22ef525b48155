package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Editable is a memory in the form in which a person edits it.
type Editable struct {
	ID   string
	Text string // its title, a blank line, and what it says
}

// Editable returns a memory for an editor.
func (u *UseCases) Editable(ctx context.Context, id string) (Editable, error) {
	found, err := u.Show(ctx, id, false)
	if err != nil {
		return Editable{}, err
	}
	m := found.Memory
	if m.Tier == nil {
		return Editable{}, invalid("edit that file", "%s is a section of a note (%s:%d), not a memory", m.ID, m.Source.File, m.Source.Line)
	}
	return Editable{m.ID, editable(m)}, nil
}

// Edit replaces what a memory says by an edited text, as [UseCases.Correct] does. An
// unchanged text changes nothing, and the answer has the id of e. A memory that was
// changed since e was read is [brain.ErrConflict].
func (u *UseCases) Edit(ctx context.Context, e Editable, edited string) (ChangeAnswer, error) {
	found, err := u.Show(ctx, e.ID, false)
	if err != nil {
		return ChangeAnswer{}, err
	}
	m := found.Memory
	if m.ID != e.ID || editable(m) != e.Text {
		return ChangeAnswer{}, brain.Errorf(brain.ErrConflict, "edit it again: `brainbridge edit "+m.ID+"`", "%s was changed meanwhile", e.ID)
	}
	title, text, err := decideEdit(m, edited)
	if err != nil {
		return ChangeAnswer{}, err
	}
	if text == "" {
		return ChangeAnswer{Memory: ChangedMemory{&m.ID, m}, DryRun: u.caller.DryRun}, nil
	}
	return u.Correct(ctx, e.ID, title, text)
}

func editable(m brain.View) string {
	return fmt.Sprintf("%s\n\n%s\n", plaintext.OneLine(m.Name), m.Content)
}

// decideEdit returns the title and the text that an edited text gives a memory. Both are
// empty if nothing was changed. The title alone is empty if it was only the beginning of
// the text and was left as it was: it follows the new text.
func decideEdit(m brain.View, edited string) (title, text string, err error) {
	title, text = splitTitle(edited)
	oldTitle, oldText := splitTitle(editable(m))
	switch {
	case text == "":
		return "", "", invalid("the first line is the title, and the text follows after a blank line; `brainbridge forget` removes a memory",
			"the text is empty, so nothing was changed")
	case title == oldTitle && text == oldText:
		return "", "", nil
	case title == oldTitle && m.Name == brain.NameOf(m.Content):
		title = ""
	}
	return title, text, nil
}

// splitTitle returns the first line and what follows it, without blank lines around.
func splitTitle(text string) (title, rest string) {
	title, rest, _ = strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return strings.TrimSpace(title), strings.TrimRight(strings.TrimLeft(rest, "\n"), " \t\n")
}
