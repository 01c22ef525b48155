package capture

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestEdited(t *testing.T) {
	named := brain.View{Name: "Ports", Content: "Staging listens on 5432.\n\nSee the wiki."}
	unnamed := brain.View{Name: "Staging listens on 5432.", Content: "Staging listens on 5432.\n\nSee the wiki."}
	for name, c := range map[string]struct {
		m           brain.View
		edited      string
		title, text string
		refused     bool
	}{
		"unchanged":                   {m: named, edited: Editable(named)},
		"without the last line break": {m: named, edited: "Ports\n\nStaging listens on 5432.\n\nSee the wiki."},
		"line ends of Windows":        {m: named, edited: "Ports\r\n\r\nStaging listens on 5432.\r\n\r\nSee the wiki.\r\n"},
		"a new text":                  {m: named, edited: "Ports\n\nIt is 5500.\n", title: "Ports", text: "It is 5500."},
		"a new title":                 {m: named, edited: "Staging\n\nStaging listens on 5432.\n\nSee the wiki.\n", title: "Staging", text: named.Content},
		"no title":                    {m: named, edited: "\n\nIt is 5500.\n", text: "It is 5500."},
		"a title that was no name":    {m: unnamed, edited: "Staging listens on 5432.\n\nIt is 5500.\n", text: "It is 5500."},
		"a name for it":               {m: unnamed, edited: "Ports\n\nIt is 5500.\n", title: "Ports", text: "It is 5500."},
		"no blank line":               {m: named, edited: "Ports\nIt is 5500.", title: "Ports", text: "It is 5500."},
		"empty":                       {m: named, edited: " \n\n", refused: true},
		"a title alone":               {m: named, edited: "Ports\n\n", refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			title, text, err := Edited(c.m, c.edited)
			if title != c.title || text != c.text || (err != nil) != c.refused {
				t.Errorf("title %q, text %q, %v; want %q, %q", title, text, err, c.title, c.text)
			}
		})
	}
}
