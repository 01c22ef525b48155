package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/integration/app"
)

// reviewTool lists what waits for a decision, with the statements that it is about.
func reviewTool(ctx context.Context, c call, _ struct{}) (answer, error) {
	a, err := c.Review(ctx, false)
	if err != nil {
		return answer{}, err
	}
	return fit(len(a.Items), func(n int) answer {
		first, left := a, len(a.Items)-n
		first.Items = a.Items[:n]
		text, about := "nothing waits for a decision", []summary{}
		if len(a.Items) > 0 {
			text = english.Plural(len(a.Items), "item waits", "items wait") + " for a decision:"
		}
		for _, item := range first.Items {
			text += fmt.Sprintf("\n%s, %s (%s): %s", brain.ShortID(item.ID), item.Kind, item.Reason, strings.Join(item.Verdicts(), "|"))
			for n, id := range item.Memories {
				m, exists := a.Memories[id]
				if !exists {
					continue
				}
				e := newSummary(m, 0)
				e.Text = plaintext.Shorten(statement.Of(&brain.Memory{Name: m.Name, Content: m.Content, MemoryType: m.MemoryType}).String(), longText)
				about = append(about, e)
				side := ""
				if item.HasSides() {
					side = []string{"newer: ", "older: "}[n]
				}
				text += "\n  " + side + e.line(c.o.Project)
			}
		}
		if left > 0 {
			text += fmt.Sprintf("\n%d more; decide these first", left)
		}
		return answer{text, struct {
			app.ReviewAnswer
			Memories  []summary `json:"memories"`
			MoreItems int       `json:"moreItems,omitempty"`
		}{first, about, left}}
	}), nil
}

// decideTool decides an item of the review queue.
func decideTool(ctx context.Context, c call, args struct{ ID, Verdict, Text string }) (answer, error) {
	done, err := c.Decide(ctx, args.ID, args.Verdict, args.Text)
	text := "decided: " + args.Verdict
	if done.RunID != "" {
		text += "\n`brainbridge undo " + brain.ShortID(string(done.RunID)) + "` takes it back"
	}
	return document(strings.TrimSpace(text), done, err)
}
