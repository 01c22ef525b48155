package brain

import (
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// View is a memory as every door shows it: JSON keys are a contract. Energy is
// the energy now, and a memory past its expiry has the tier expired.
type View struct {
	ID           string      `json:"id"`
	Name         string      `json:"name"`
	MemoryType   string      `json:"memoryType"`
	Tier         *tiers.Tier `json:"tier"`   // null for a section
	Energy       *float64    `json:"energy"` // null for a section
	Content      string      `json:"content"`
	Created      time.Time   `json:"created"`
	LastAccessed *time.Time  `json:"lastAccessed"`
	LastDecay    *time.Time  `json:"lastDecay"`
	ExpiresAt    *time.Time  `json:"expiresAt"`
	AccessCount  int         `json:"accessCount"`
	Importance   Importance  `json:"importance"`
	Project      *string     `json:"project"`
	Tags         []string    `json:"tags"`
	IsTest       bool        `json:"isTest"`
	ValidFrom    *time.Time  `json:"validFrom"`
	ValidTo      *time.Time  `json:"validTo"`
	Source       *Place      `json:"source"`
	// UseCount counts verdicts, boosts and openings; Confirmations how often
	// somebody wanted to capture it again.
	UseCount      int `json:"useCount"`
	Confirmations int `json:"confirmations"`
	// Effectiveness is the share of verdicts that said it helped, null without
	// one; RelevanceScore what the relevance filter gave it, null if it did not
	// judge.
	Effectiveness  *float64 `json:"effectiveness"`
	RelevanceScore *float64 `json:"relevanceScore"`
}

// Place is where a text stands in the notes.
type Place struct {
	File string `json:"file"` // relative to the notes directory
	Line int    `json:"line"`
	// Removed says that the text stood there and does not any more.
	Removed bool `json:"removed,omitempty"`
}

// viewer makes views as of one instant.
type viewer struct {
	tl      tiers.Timeline
	now     time.Time
	sources map[string]Source
}

func newViewer(r Reader, now time.Time, ms ...Memory) (viewer, error) {
	tl, err := timeline(r)
	if err != nil {
		return viewer{}, err
	}
	v := viewer{tl: tl, now: now, sources: map[string]Source{}}
	var ids []string
	for i := range ms {
		if id := ms[i].SourceNodeID; id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return v, nil
	}
	ss, err := r.Sources(ids...)
	for _, s := range ss {
		v.sources[s.ID] = s
	}
	return v, err
}

func (v viewer) tier(m *Memory) tiers.Tier {
	if m.Current() && v.tl.Expired(m.State, v.now) {
		return tiers.Expired
	}
	return m.Tier
}

func (v viewer) view(m Memory) View {
	tier, energy := v.tier(&m), v.tl.Energy(m.State, v.now)
	out := View{
		ID: m.ID, Name: m.Name, MemoryType: m.MemoryType, Tier: &tier, Energy: &energy, Content: m.Content,
		Created: m.Created, LastAccessed: optional(m.LastAccessed), LastDecay: optional(m.LastDecay),
		ExpiresAt: optional(m.ExpiresAt), AccessCount: m.AccessCount, Importance: m.Importance,
		Tags: append([]string{}, m.Tags...), IsTest: m.IsTest,
		ValidFrom: optional(m.ValidFrom), ValidTo: optional(m.ValidTo),
		UseCount: m.UseCount, Confirmations: m.Confirmations, Effectiveness: m.Effectiveness(), RelevanceScore: m.RelevanceScore,
	}
	if m.Project != "" {
		out.Project = &m.Project
	}
	if tier == tiers.Expired && out.ValidTo == nil {
		out.ValidTo = out.ExpiresAt
	}
	if s, ok := v.sources[m.SourceNodeID]; ok && s.File != "" {
		out.Source = &Place{File: s.File, Line: s.Line, Removed: !s.Removed.IsZero()}
	}
	return out
}

func (v viewer) views(ms []Memory) []View {
	all := make([]View, 0, len(ms))
	for _, m := range ms {
		all = append(all, v.view(m))
	}
	return all
}

// section is a section in the form of a memory.
func (v viewer) section(s Section) View {
	name := s.File
	if s.Heading != "" {
		name += "#" + s.Heading
	}
	return View{
		ID: s.ID, Name: name, MemoryType: SectionType, Content: s.Text, Created: s.Modified,
		Importance: Reference, Tags: []string{}, Source: &Place{File: s.File, Line: s.Line},
	}
}

func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
