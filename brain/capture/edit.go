package capture

import (
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Editable returns a memory as a person edits it: its title, a blank line and its text.
func Editable(v brain.View) string {
	return fmt.Sprintf("%s\n\n%s\n", plaintext.OneLine(v.Name), v.Content)
}

// Edited returns the new title and text of a memory from its edited text. Both are empty if
// nothing was changed. Only the title is empty if the old one was made from the old text and
// was not edited; the new title is then made from the new text.
func Edited(v brain.View, edited string) (title, text string, err error) {
	title, text = splitTitle(edited)
	oldTitle, oldText := splitTitle(Editable(v))
	switch {
	case text == "":
		return "", "", brain.Errorf(brain.ErrInvalid, "the first line is the title, and the text follows after a blank line; `brainbridge forget` removes a memory",
			"the text is empty, so nothing was changed")
	case title == oldTitle && text == oldText:
		return "", "", nil
	case title == oldTitle && v.Name == brain.NameOf(v.Content):
		title = ""
	}
	return title, text, nil
}

// splitTitle returns the first line, and the rest without surrounding blank lines.
func splitTitle(text string) (title, rest string) {
	title, rest, _ = strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return strings.TrimSpace(title), strings.TrimRight(strings.TrimLeft(rest, "\n"), " \t\n")
}
