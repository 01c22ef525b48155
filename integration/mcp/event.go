package mcp

import (
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// Event is something to capture. Which fields are set follows from Kind.
type Event struct {
	Kind                           string
	Trigger, Insight               string // crystallization
	Concept, Learned               string // learning
	Text, Due                      string // reminder
	Type, Title, Body, Description string // outcome and activity
}

// fields are what a kind of event has: those it must have, then those it may.
func (e Event) fields() (must, may map[string]string) {
	switch e.Kind {
	case "crystallization":
		return map[string]string{"trigger": e.Trigger, "insight": e.Insight}, nil
	case "learning":
		return map[string]string{"concept": e.Concept, "learned": e.Learned}, nil
	case "reminder":
		return map[string]string{"text": e.Text}, map[string]string{"due": e.Due}
	case "outcome":
		return map[string]string{"type": e.Type, "title": e.Title}, map[string]string{"body": e.Body}
	}
	return map[string]string{"type": e.Type, "description": e.Description}, nil
}

// all are the fields of every kind.
func (e Event) all() map[string]string {
	return map[string]string{
		"trigger": e.Trigger, "insight": e.Insight, "concept": e.Concept, "learned": e.Learned, "text": e.Text, "due": e.Due,
		"type": e.Type, "title": e.Title, "body": e.Body, "description": e.Description,
	}
}

// check refuses an event that lacks a field of its kind, or has one of another,
// which would be lost.
func (e Event) check() error {
	must, may := e.fields()
	for _, name := range sortedNames(must) {
		if strings.TrimSpace(must[name]) == "" {
			return brain.Errorf(brain.ErrInvalid, "give "+strings.Join(sortedNames(must), " and "), "the kind %s needs %s", e.Kind, name)
		}
	}
	all := e.all()
	for _, name := range sortedNames(all) {
		_, needed := must[name]
		if _, allowed := may[name]; all[name] != "" && !needed && !allowed {
			return brain.Errorf(brain.ErrInvalid, "leave it out, or choose the kind that has it", "the kind %s has no %s", e.Kind, name)
		}
	}
	return nil
}

func sortedNames(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
