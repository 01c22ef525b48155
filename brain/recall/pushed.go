package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Pushed says whether a memory is pushed, and why.
type Pushed struct {
	Salience float64 `json:"salience"`
	// Part of its project's context that shows a memory, null if none; NotPushed says why.
	Part      brain.OrNull `json:"part"`
	NotPushed string       `json:"notPushed,omitempty"`
	// Replaced are the ids of the memories that it supersedes.
	Replaced []string `json:"replaced"`
}

// Pushed says whether the context of its project, or of the given one, has a memory.
func (s *Service) Pushed(ctx context.Context, id, project string) (Pushed, error) {
	now := s.base.Now().In(s.base.Zone)
	p, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (Pushed, error) {
		p := Pushed{Replaced: []string{}, NotPushed: "it was forgotten"}
		ms, err := r.Memories(id)
		if err != nil || len(ms) == 0 {
			return p, err
		}
		m := ms[0]
		policy, err := brain.ReadPolicy(r)
		if err != nil {
			return p, err
		}
		p.NotPushed, p.Salience = "", m.Salience(policy.Energy(m.State, now), now)
		if p.Replaced, err = replacedBy(r, m.ID); err != nil {
			return p, err
		}
		q := ContextQuery{Budget: defaultBudget, Project: cmp.Or(m.Project, project)}
		facts, err := readContext(r, q, now)
		if err != nil {
			return p, err
		}
		for _, salient := range facts.memories {
			if salient.ID == m.ID || salient.Older != nil && salient.Older.ID == m.ID {
				p.Salience = salient.Salience
			}
		}
		if p.Part = partShowing(chooseLines(facts, q, now), m.ID); p.Part == "" {
			p.NotPushed, err = whyNotPushed(r, &m)
		}
		return p, err
	})
	return p, brain.Wrap(err, "find out whether %s is pushed", id)
}

// partShowing returns the name of the part that shows a memory, "" for none.
func partShowing(parts []contextPart, id string) brain.OrNull {
	for _, p := range parts {
		if slices.ContainsFunc(p.shown, func(e *contextEntry) bool { return e.line.ID == id || e.line.Older == id }) {
			return brain.OrNull(p.name)
		}
	}
	return ""
}

// replacedBy returns the ids of the memories that one supersedes.
func replacedBy(r brain.RelationReader, id string) ([]string, error) {
	rels, err := r.Relations(id)
	replaced := []string{}
	for _, rel := range rels {
		if rel.From == id && rel.Type == brain.Supersedes {
			replaced = append(replaced, rel.To)
		}
	}
	return replaced, err
}

// whyNotPushed returns the reason why no line of a context shows a memory.
func whyNotPushed(r brain.NodeReader, m *brain.Memory) (string, error) {
	group, _ := m.Freshness()
	standing, err := Standing(r, []brain.Memory{*m})
	switch {
	case !m.Current():
		return "it is " + string(m.Tier), err
	case len(standing) == 0:
		return "no note says it any more", err
	case m.MemoryType == "reminder":
		return "a reminder is pushed while it is open", err
	case group == "":
		return "activities are not pushed", err
	}
	return "other lines are more salient or say the same", err
}
