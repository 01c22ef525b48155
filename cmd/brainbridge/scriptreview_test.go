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

// reviews decides about three items, and replaces a memory.
func (s *jsonSession) reviews() {
	proposed := &brain.Memory{Name: "numbers", Content: "They like numbers.", Tags: []string{"numbers"}}
	for _, c := range []struct {
		kind     brain.ReviewKind
		proposed *brain.Memory
		texts    []string
	}{
		{brain.ReviewMerge, nil, []string{"wipe the whiteboard after a meeting", "after each meeting the whiteboard is wiped"}},
		{brain.ReviewPair, nil, []string{"walruses eat clams", "otters sleep on their backs"}},
		{brain.ReviewMerge, proposed, []string{"Ada counts in binary", "the abacus of Grace has ten rods"}},
	} {
		var ids []string
		for _, text := range c.texts {
			ids = append(ids, s.do(1, "remember", text)["memoryId"].(string))
		}
		item := brain.ReviewItem{Kind: c.kind, Reason: "alike", Memories: ids, Proposed: c.proposed}
		if err := flagItem(func(k string) string { return s.env[k] }, item); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, item := range s.do(1, "review")["items"].([]any) {
		id := item.(map[string]any)["id"].(string)
		s.do(2, "review", "show", id)
		verdict := "both"
		switch {
		case item.(map[string]any)["kind"] == "pair":
			verdict = "newer"
		case item.(map[string]any)["proposed"] != nil:
			verdict = "same"
		}
		s.both(2, "review", "decide", id, verdict)
	}
	s.do(1, "review", "--all")
	old, with := s.do(1, "remember", "lunch is at noon")["memoryId"].(string), s.do(1, "remember", "lunch is at one")["memoryId"].(string)
	s.both(1, "replace", old, with)
}
