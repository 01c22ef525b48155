package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brainbridge/brainbridge/brain"
)

// flag puts an item into the review queue, as a run does: flag KIND REASON
// PROPOSED ID…, where PROPOSED is ” for none.
func flag(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: flag KIND REASON PROPOSED ID…")
	}
	item := brain.ReviewItem{Kind: brain.ReviewKind(args[0]), Reason: args[1], Memories: args[3:]}
	if args[2] != "" {
		item.Proposed = &brain.Memory{Name: args[2], Content: args[2] + " in short."}
	}
	ts.Check(flagItem(ts.Getenv, item))
}

func flagItem(env func(string) string, item brain.ReviewItem) error {
	a := &cli{in: strings.NewReader(""), out: io.Discard, err: io.Discard, env: env, testOnly: brain.IsTest(item.Memories[0])}
	b, err := a.brain(context.Background())
	if err == nil {
		_, err = b.Review.Flag(context.Background(), item)
	}
	return errors.Join(err, a.close())
}

// reviews decides about three items.
func (s *jsonSession) reviews() {
	for kind, texts := range map[brain.ReviewKind][]string{ // none of them is a conflict by itself
		brain.ReviewMerge:      {"wipe the whiteboard after a meeting", "after each meeting the whiteboard is wiped"},
		brain.ReviewConflict:   {"walruses eat clams", "otters sleep on their backs"},
		brain.ReviewModelMerge: {"Ada counts in binary", "the abacus of Grace has ten rods"},
	} {
		var ids []string
		for _, text := range texts {
			ids = append(ids, s.do(1, "remember", text)["memoryId"].(string))
		}
		item := brain.ReviewItem{Kind: kind, Reason: "alike", Memories: ids}
		if kind == brain.ReviewModelMerge {
			item.Proposed = &brain.Memory{Name: "numbers", Content: "They like numbers.", Tags: []string{"numbers"}}
		}
		if err := flagItem(func(k string) string { return s.env[k] }, item); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, item := range s.do(2, "review", "list")["items"].([]any) {
		id := item.(map[string]any)["id"].(string)
		s.do(2, "review", "show", id)
		switch item.(map[string]any)["kind"] {
		case "conflict":
			s.both(2, "review", "accept", id, "--keep", "newer")
		case "merge":
			s.both(2, "review", "reject", id)
		default:
			s.both(2, "review", "accept", id)
		}
	}
	s.do(2, "review", "list", "--all")
}
