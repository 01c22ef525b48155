package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// captureArguments are the arguments of the tool capture. Kind says which of the
// texts are set.
type captureArguments struct {
	Kind                           string
	Trigger, Insight               string // crystallization
	Concept, Learned               string // learning
	Text, Due                      string // reminder
	Type, Title, Body, Description string // outcome and activity
	app.Details
}

func (c call) capture(ctx context.Context, arguments json.RawMessage) (answer, error) {
	r, err := decode[captureArguments](arguments)
	if err == nil {
		err = checkCapture(r.Kind, arguments)
	}
	if err != nil {
		return answer{}, err
	}
	var a app.CaptureAnswer
	switch r.Kind {
	case "crystallization":
		a, err = c.Capture(ctx, brain.Source{Kind: brain.Crystallization, Trigger: r.Trigger, Insight: r.Insight}, r.Details)
	case "learning":
		a, err = c.Capture(ctx, brain.Source{Kind: brain.Learning, Concept: r.Concept, Learned: r.Learned}, r.Details)
	case "reminder":
		a, err = c.Remind(ctx, r.Text, r.Due, r.Details)
	case "outcome":
		a, err = c.WriteOutcome(ctx, r.Type, r.Title, r.Body, r.Details)
	default:
		a, err = c.Capture(ctx, brain.Source{Kind: brain.Activity, Type: r.Type, Description: r.Description}, r.Details)
	}
	return document(captureText(a), a, err)
}

// captureTexts returns the texts that a kind must have, and those that it may
// have.
func captureTexts(kind string) (required, optional []string) {
	switch kind {
	case "crystallization":
		return []string{"trigger", "insight"}, nil
	case "learning":
		return []string{"concept", "learned"}, nil
	case "reminder":
		return []string{"text"}, []string{"due"}
	case "outcome":
		return []string{"type", "title"}, []string{"body"}
	}
	return []string{"type", "description"}, nil
}

// checkCapture refuses arguments that lack a text of their kind, or have one of
// another kind, which would be lost.
func checkCapture(kind string, arguments json.RawMessage) error {
	var given map[string]any
	if err := json.Unmarshal(arguments, &given); err != nil {
		return err
	}
	required, optional := captureTexts(kind)
	for _, name := range []string{"trigger", "insight", "concept", "learned", "text", "due", "type", "title", "body", "description"} {
		text, _ := given[name].(string)
		needed := slices.Contains(required, name)
		switch {
		case needed && strings.TrimSpace(text) == "":
			return brain.Errorf(brain.ErrInvalid, "give "+strings.Join(required, " and "), "the kind %s needs %s", kind, name)
		case !needed && text != "" && !slices.Contains(optional, name):
			return brain.Errorf(brain.ErrInvalid, "leave it out, or choose the kind that has it", "the kind %s has no %s", kind, name)
		}
	}
	return nil
}
