package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// Home is what the memory tools need of the machine beside the brain: what the
// command line does around it. Each answer is what the command prints with
// --json.
type Home interface {
	// Remember keeps a text; the store may be away. With gate the relevance
	// filter decides.
	Remember(ctx context.Context, m brain.Memory, d brain.Details, gate bool) (any, error)
	// Capture records what happened; the store may be away.
	Capture(ctx context.Context, e Event, d brain.Details) (any, error)
	// Recall answers a question; its texts of time are what people type.
	Recall(ctx context.Context, q Question) (brain.Recollection, error)
	// Shown is a memory as `show` has it.
	Shown(s brain.Shown) any
	// Consolidate plans a whole run or, with apply, carries it out.
	Consolidate(ctx context.Context, apply bool) (any, error)
	// Health says whether the brain is in order.
	Health(ctx context.Context) (any, error)
	// Project is that of the folder that the client works in, "" for none.
	Project() string
}

// Event is something to capture. Which fields are set follows from Kind.
type Event struct {
	Kind                           string
	Trigger, Insight               string // crystallization
	Concept, Learned               string // learning
	Text, Due                      string // reminder
	Type, Title, Body, Description string // outcome and activity
}

// Question is a recall as it was asked.
type Question struct {
	Query              string
	Limit, Budget      int
	Types, Tags        []string
	Project            *string
	Since, Until, AsOf string
}

// memoryTools are those that only this program has.
func (s *Server) memoryTools() map[string]call {
	return map[string]call{
		"remember":    s.remember,
		"recall":      s.recall,
		"open_memory": s.openMemory,
		"mark_used":   s.markUsed,
		"capture":     s.capture,
		"correct":     s.correct,
		"context":     s.context,
		"consolidate": s.consolidate,
		"health":      s.health,
	}
}

// document answers with one JSON document.
func document(v any, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	text, err := compact(v)
	return answer{text, v}, err
}

func (s *Server) remember(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct {
		Content, Name, Type, Severity, Origin, Retention, Importance string
		Project                                                      *string
		Tags, AppliesTo, Relate                                      []string
		Gate                                                         bool
	}](arguments)
	if err != nil {
		return answer{}, err
	}
	m := brain.Memory{
		Content: args.Content, Name: args.Name, MemoryType: strings.TrimSpace(args.Type),
		Severity: args.Severity, Origin: args.Origin, AppliesTo: args.AppliesTo, Retention: args.Retention,
	}
	d := brain.Details{Tags: args.Tags, Importance: brain.Importance(args.Importance), Project: s.o.Home.Project()}
	if args.Project != nil {
		d.Project = *args.Project
	}
	for _, text := range args.Relate {
		kind, id, found := strings.Cut(text, ":")
		if !found || id == "" {
			return answer{}, brain.Errorf(brain.ErrInvalid, "write it as TYPE:ID, such as applies_to:3f2a1b9c", "relate %q names no id", text)
		}
		d.Relate = append(d.Relate, brain.Relate{Type: kind, To: id})
	}
	return document(s.o.Home.Remember(ctx, m, d, args.Gate))
}

func (s *Server) recall(ctx context.Context, arguments json.RawMessage) (answer, error) {
	q, err := decode[Question](arguments)
	if err != nil {
		return answer{}, err
	}
	found, err := s.o.Home.Recall(ctx, q)
	if err != nil && len(found.Results) == 0 {
		return answer{}, err
	}
	return fitted(found)
}

// shown is one memory as the agent sees it after a change.
type shown struct {
	Memory brain.View `json:"memory"`
}

func (s *Server) openMemory(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ ID string }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	if m, err := b.Open(ctx, args.ID); err == nil {
		args.ID = m.ID
	} // else it is a section, which shows all the same, or nothing
	found, err := b.Show(ctx, args.ID, false)
	if err != nil {
		return answer{}, err
	}
	if found.Relations == nil {
		found.Relations = []brain.Relation{}
	}
	found.Memory.Content = cutContent(found.Memory.Content, maxAnswer*3/4)
	return document(s.o.Home.Shown(found), nil)
}

func (s *Server) markUsed(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ ID, Verdict, Context string }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	verdict := map[string]brain.Verdict{"helpful": brain.Helpful, "not_helpful": brain.NotHelpful, "unsure": brain.Unsure}[args.Verdict]
	m, err := b.Used(ctx, args.ID, verdict, args.Context)
	if err != nil {
		return answer{}, err
	}
	return s.look(ctx, b, m)
}

func (s *Server) look(ctx context.Context, b *brain.Brain, m brain.Memory) (answer, error) {
	v, err := b.Look(ctx, m)
	v.Content = cutContent(v.Content, maxAnswer*3/4)
	return document(shown{v}, err)
}

func (s *Server) capture(ctx context.Context, arguments json.RawMessage) (answer, error) {
	e, err := decode[Event](arguments)
	if err != nil {
		return answer{}, err
	}
	if err := e.check(); err != nil {
		return answer{}, err
	}
	return document(s.o.Home.Capture(ctx, e, brain.Details{Project: s.o.Home.Project()}))
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
			return brain.Errorf(brain.ErrInvalid, "give "+strings.Join(sortedNames(must), " and "), "a %s needs %s", e.Kind, name)
		}
	}
	all := e.all()
	for _, name := range sortedNames(all) {
		_, needed := must[name]
		if _, allowed := may[name]; all[name] != "" && !needed && !allowed {
			return brain.Errorf(brain.ErrInvalid, "leave it out, or choose the kind that has it", "a %s has no %s", e.Kind, name)
		}
	}
	return nil
}

func (s *Server) correct(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ ID, Content string }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	m, err := b.Correct(ctx, args.ID, args.Content)
	if err != nil {
		return answer{}, err
	}
	v, err := b.Look(ctx, m)
	if err != nil {
		return answer{}, err
	}
	found, err := b.Show(ctx, m.ID, false)
	if err != nil {
		return answer{}, err
	}
	old := ""
	for _, r := range found.Relations {
		if r.Type == brain.Supersedes && r.From == m.ID {
			old = r.To
		}
	}
	v.Content = cutContent(v.Content, maxAnswer*3/4)
	return document(struct {
		shown
		Supersedes string `json:"supersedes"`
	}{shown{v}, old}, nil)
}

// startBudget is how many tokens the context of a session may fill, if nobody
// says otherwise.
const startBudget = 2000

func (s *Server) context(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct {
		Budget  int
		Project *string
	}](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	q := brain.ContextQuery{Budget: args.Budget, Project: args.Project}
	if q.Budget == 0 {
		q.Budget = startBudget
	}
	if q.Project == nil {
		here := s.o.Home.Project()
		q.Project = &here
	}
	text, err := b.Context(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return answer{text, map[string]any{"context": text, "project": *q.Project, "tokens": brain.Tokens(text)}}, nil
}

func (s *Server) consolidate(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct{ Apply bool }](arguments)
	if err != nil {
		return answer{}, err
	}
	return document(s.o.Home.Consolidate(ctx, args.Apply))
}

func (s *Server) health(ctx context.Context, _ json.RawMessage) (answer, error) {
	return document(s.o.Home.Health(ctx))
}
