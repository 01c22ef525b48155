package lifecycle

import (
	"path"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Viewer returns views of memories as of one instant.
type Viewer struct {
	Policy  *tiers.Policy
	now     time.Time
	zone    *time.Location
	Sources map[string]brain.Source
}

// Viewer returns a Viewer of memories as of now. It reads their sources.
func (b Base) Viewer(r brain.Reader, now time.Time, ms ...brain.Memory) (Viewer, error) {
	policy, err := brain.ReadPolicy(r)
	if err != nil {
		return Viewer{}, err
	}
	v := Viewer{Policy: policy, now: now, zone: b.Zone, Sources: map[string]brain.Source{}}
	ss, err := r.Sources(SourceIDs(ms)...)
	for _, s := range ss {
		v.Sources[s.ID] = s
	}
	return v, err
}

// View returns a memory as it is shown.
func (v Viewer) View(m brain.Memory) brain.View {
	tier, energy := m.Tier, v.Policy.Energy(m.State, v.now)
	if m.Current() && v.Policy.Expired(m.State, v.now) {
		tier = tiers.Expired
	}
	out := brain.View{
		ID: m.ID, Name: m.Name, MemoryType: m.MemoryType, Project: brain.OrNull(m.Project), Tier: &tier, Energy: &energy, Content: m.Content,
		Created: m.Created, Date: v.date(m.Created), LastAccessed: Optional(m.LastAccessed), LastDecay: Optional(m.LastDecay),
		ExpiresAt: Optional(m.ExpiresAt), AccessCount: m.AccessCount, Importance: m.Importance,
		Tags: append([]string{}, m.Tags...), IsTest: brain.IsTest(m.ID),
		ValidFrom: Optional(m.ValidFrom), ValidTo: Optional(m.ValidTo),
		UseCount: m.UseCount, Confirmations: m.Confirmations, Effectiveness: m.Effectiveness(), RelevanceScore: m.RelevanceScore,
	}
	if tier == tiers.Expired && out.ValidTo == nil && m.ExpiresAt.After(m.ValidFrom) { // else it was corrected since
		out.ValidTo = out.ExpiresAt
	}
	s, ok := v.Sources[m.SourceNodeID]
	out.Done = Optional(s.Done)
	if ok && s.File != "" {
		out.Source, out.Date = &brain.Place{File: s.File, Line: s.Line, Removed: !s.Removed.IsZero()}, max(s.Date, out.Date)
	}
	return out
}

func (v Viewer) date(t time.Time) string { return t.In(v.zone).Format(time.DateOnly) }

// Views returns memories as they are shown.
func (v Viewer) Views(ms []brain.Memory) []brain.View { return brain.Map(ms, v.View) }

// Section returns a section as a memory. An imported one is named by its file, without
// folders.
func (v Viewer) Section(s brain.Section) brain.View {
	name := s.File
	if path.IsAbs(name) {
		name = path.Base(name)
	}
	if s.Heading != "" {
		name += "#" + s.Heading
	}
	return brain.View{
		ID: s.ID, Name: name, MemoryType: brain.SectionType, Project: brain.OrNull(s.Project), Content: s.Text, Created: s.Modified,
		Date: v.date(s.Modified), Importance: brain.Reference, Tags: []string{}, Source: &brain.Place{File: s.File, Line: s.Line},
	}
}

// Activity returns an activity in the form of a memory.
func (v Viewer) Activity(s brain.Source) brain.View {
	return brain.View{
		ID: s.ID, Name: s.Type, MemoryType: strings.ToLower(string(s.Kind)), Project: brain.OrNull(s.Project), Content: s.Description,
		Created: s.Created, Date: v.date(s.Created), Importance: brain.Reference, Tags: append([]string{}, s.Tags...), IsTest: brain.IsTest(s.ID),
	}
}

// Optional returns a pointer to t, or nil if t is zero.
func Optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
