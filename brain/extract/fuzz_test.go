package extract_test

import (
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/extract"
)

// FuzzExtract takes any text: every quote is literal, titles are one short
// line.
func FuzzExtract(f *testing.F) {
	f.Add("we decided to drop Redis\r\nand keep Postgres. I prefer tabs.")
	f.Add("```\nTODO: x\n~~~\n> quote\n`a` http://x.y/z. Dr. No lives in Rome")
	f.Add("“Don’t forget” to call… by Friday—really\x01 \xff")
	f.Add("“” – (always use “”)")
	f.Add("N't sure, we n't decided to use 'n't' for all, n't")
	f.Fuzz(func(t *testing.T, text string) {
		var rules extract.Reader
		for _, c := range cut([]extract.Turn{turn("a", 0, text)}, 40) {
			for _, item := range rules.Items(c.Turns) {
				checkItem(t, c, item)
			}
		}
	})
}

func checkItem(t *testing.T, c extract.Chunk, item extract.Item) {
	t.Helper()
	if _, ok := c.Find(item.Quote); !ok {
		t.Errorf("quote %q is not in its chunk", item.Quote)
	}
	if strings.ContainsAny(item.Title, "\r\n") || len([]rune(item.Title)) > 100 || item.Title == "" || !item.Kind.Known() {
		t.Errorf("item %+v", item)
	}
}
