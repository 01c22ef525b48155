package dailynote_test

import (
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// However a person writes the project of a file, it counts; what cannot be read as a name is no
// reason to push the file to every project.
func TestProjectOfFrontMatter(t *testing.T) {
	for text, want := range map[string]string{
		"---\nproject: kiln\n---\nx\n":                                         "kiln",
		"\uFEFF---\r\nproject:\tkiln\r\n---\r\nx\r\n":                          "kiln",
		"---\nproject: \"kiln\" # the big one\n---\nx\n":                       "kiln",
		"---\ntitle: Stand-up: glaze\nproject: 'kiln'   # the big one\n---\nx": "kiln",
		"---\nowner: @mara\n  project: kiln\n---\nx\n":                         "kiln",
		"---\nPROJECT : kiln\nfoo: `x`\n---\nx\n":                              "kiln",
		"---\nproject: [[Kiln]]\n---\nx\n":                                     "Kiln",
		"---\nproject: \"[[Areas/Kiln|the oven]]\"\n---\nx\n":                  "Kiln",
		"---\nproject: [[Kiln]], [[Glaze]]\n---\nx\n":                          "Kiln",
		"---\nproject: [Kiln](kiln.md)\n---\nx\n":                              "Kiln",
		"---\nproject:\n  - kiln\n  - glaze\n---\nx\n":                         "kiln",
		"---\nsee: [[A]], [[B]]\nproject:\n- \"kiln\"\n---\nx\n":               "kiln",
		"---\nproject: @kiln\n---\nx\n":                                        "kiln",
		"---\n\"project\": kiln\n---\nx\n":                                     "kiln",
		"---\ntags: [pots, project/kiln]\n---\nx\n":                            "kiln",
		"---\ntags: [#pots, #project/kiln]\n---\nx\n":                          "kiln",
		"+++\ntitle = \"Pots: a list\"\nproject = \"kiln\"\n+++\nx\n":          "kiln",
		"---\nproject: kiln\n# Day\n\n- decision: we fire on Mondays\n":        "kiln", // never closed
		"---\nproject: kiln\n# Day\n\n- decision: we fire\n\n---\n\nmore\n":    "kiln", // closed by a rule much later
		"#pots #project/kiln\n\n# Day\n":                                       "kiln",
		"# Day\n#project/kiln\n\ntext":                                         "kiln",
		"---\nproject: {{name}}\n---\nx\n":                                     dailynote.UnreadProject,
		"---\nproject:\n  of: kiln\n---\nx\n":                                  dailynote.UnreadProject,
		"---\ntitle: A: b\nproject: <% kiln %>\n---\nx\n":                      dailynote.UnreadProject,
		"---\nproject:\ntitle: x\n---\nx\n":                                    "",
		"---\nproject: v1..v2\n---\nx\n":                                       "v1..v2", "---\nproject: Wait...\n---\nx\n": "Wait...",
		"---\nproject: none\n---\nx\n":                       "",
		"---\ntitle: A: b\nproject: \"\"\n---\nx\n":          "",
		"# Day\n\nWe talked of #project/kiln today.\n":       "",
		"# Day of the fire #project/kiln\n\nWe talked.\n":    "kiln",
		"# Day\n\n## The fire #project/kiln\n\nWe talked.\n": "",
	} {
		f := dailynote.Parse([]byte(text), dailynote.Options{Day: "2026-03-01"})
		if f.Project != want {
			t.Errorf("the project of %q is %q, want %q", text, f.Project, want)
		}
		if told := len(f.Problems) > 0; want == dailynote.UnreadProject && !told {
			t.Errorf("nobody is told that the project of %q cannot be read", text)
		}
	}
}

func TestUnclosedFrontMatterHidesNoStatement(t *testing.T) {
	f := dailynote.Parse([]byte("---\nproject: kiln\n# Day\n\n- decision: we fire on Mondays\n\n---\n\nmore\n"), dailynote.Options{Day: "2026-03-01"})
	if len(f.Bullets) != 1 || len(f.Problems) != 1 {
		t.Errorf("%d bullets and problems %v, want the decision, and one problem", len(f.Bullets), f.Problems)
	}
}

func TestTagOfAHeadingIsOfTheTextBelow(t *testing.T) {
	f := dailynote.Parse([]byte("# Day\n\n## Fire #project/kiln\n\nIt burns.\n\n- rule: no wet wood\n- rule: no tea #project/tea\n\n### Ash\n\n- rule: sieve it twice\n\n## Rest\n\n- rule: sleep at ten\n"),
		dailynote.Options{Day: "2026-03-01"})
	var got []string
	for _, b := range f.Bullets {
		got = append(got, b.Title+" "+b.Project)
	}
	if all := strings.Join(got, ", "); all != "no wet wood kiln, no tea tea, sieve it twice kiln, sleep at ten " {
		t.Error(all)
	}
	if f.Sections[1].Project != "kiln" {
		t.Errorf("%+v", f.Sections[1])
	}
}

func TestProjectOfAPath(t *testing.T) {
	globs := [][2]string{{"clients/acme/**", "rocket"}}
	for rel, want := range map[string]string{
		"projects/kiln/plan.md":           "kiln",
		"1 Projects/Wood Kiln/a/plan.md":  "Wood Kiln",
		"01-Projects/kiln/plan.md":        "kiln",
		"knowledge/projects/kiln/plan.md": "kiln",
		"knowledge/projects/kiln.md":      "kiln",
		"1 Projects/Kiln.md":              "Kiln",
		"projects/README.md":              "",
		"projects/Projects.md":            "",
		"subprojects/kiln/plan.md":        "",
		"areas/health.md":                 "",
		"Clients/ACME/2026/plan.md":       "rocket",
	} {
		if got := dailynote.PathProject(rel, globs); got != want {
			t.Errorf("the project of %s is %q, want %q", rel, got, want)
		}
	}
}
