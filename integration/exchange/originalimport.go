package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/tiers"
)

// readOriginalGraph imports the real memories of the graph, or the test memories into the
// brain of those.
func readOriginalGraph(r *reader) {
	policy, err := r.base.Policy(r.ctx)
	if err != nil {
		r.refuse(0, "cannot be imported: %v", err)
		return
	}
	prefix := r.base.IDPrefix
	g := readOriginal(r.o.Original)
	if len(g.memories)+len(g.sources) == 0 {
		r.refuse(0, "has no memories of the original program")
		return
	}
	r.report.Files++
	related := map[string][]brain.Relation{}
	for _, rel := range g.related {
		if rel.from.test != rel.to.test {
			if prefix == "" {
				r.leaveOut(0, fmt.Sprintf("the relation %s from %s to %s: one of them is a test memory, which is in a brain of its own", rel.kind, rel.from.id, rel.to.id))
			}
			continue
		}
		related[rel.from.id] = append(related[rel.from.id], brain.Relation{From: rel.from.id, Type: rel.kind, To: rel.to.id})
	}
	for _, n := range g.memories {
		if n.test == (prefix != "") {
			r.original(n, policy, related[n.id])
		}
	}
	for _, n := range g.sources {
		if n.test == (prefix != "") && n.memory == nil {
			r.bareSource(n)
		}
	}
}

// original imports a memory with its life. The newest of a chain brings the source.
func (r *reader) original(n *originalNode, policy *tiers.Policy, related []brain.Relation) {
	name, content := n.text("name"), n.text("content")
	content = cmp.Or(content, name)
	if strings.TrimSpace(content) == "" {
		r.problem(0, "the memory %s has neither a name nor a content", n.id)
		return
	}
	kind := strings.ToLower(n.text("memoryType"))
	if kind == "" && n.source != nil {
		kind = strings.ToLower(n.source.label)
	}
	m := brain.Memory{
		ID: n.id, Name: r.clean(name), Content: r.clean(content), MemoryType: cmp.Or(kind, "note"),
		Project: cmp.Or(n.text("project"), r.o.Project), Tags: brain.CleanTags(slices.Concat(r.o.Tags, n.list("tags"))),
		AccessCount: max(1, n.whole("accessCount")), LastAccessed: n.instant("lastAccessed"), Version: 1,
		Group: ingest.ImportDir + "/" + Brainbridge, Position: r.count,
	}
	m.Created = brain.Instant(n.first(r.now, "created", "createdAt", "validFrom", "lastDecay"))
	m.State = n.life(policy, m.Created)
	m.Importance = n.importance()
	n.drop("isTest")
	n.dropTimes("created", "lastDecay", "validFrom")
	item := ingest.ImportItem{AsIs: true, Relations: related}
	if source := n.chainSource(); source != nil && n.next == nil {
		item.Source, m.SourceNodeID = r.sourceOf(source), source.id
		item.Relations = append(item.Relations, brain.Relation{From: source.id, Type: brain.HasMemory, To: n.id})
		if len(source.fields) > 0 {
			n.fields["source"] = source.fields
		}
	}
	if n.previous != nil {
		m.PromotedFrom = n.previous.id
		n.drop("promotedFrom")
	}
	if n.next != nil {
		item.Relations = append(item.Relations, brain.Relation{From: n.id, Type: brain.PromotedTo, To: n.newest().id})
	}
	m.Extra = n.rest()
	item.Memory = m
	r.push(item, 0)
}

// chainSource returns the source of a memory, or of what it was promoted from.
func (n *originalNode) chainSource() *originalNode {
	for ; n != nil; n = n.previous {
		if n.source != nil {
			return n.source
		}
	}
	return nil
}

// life returns the state of a memory: that of its last decay, from which it goes on here.
func (n *originalNode) life(policy *tiers.Policy, created time.Time) tiers.State {
	tier, until := n.tier(), n.instant("validTo")
	written := brain.Instant(n.first(created, "lastDecay"))
	if tier.Live() && !until.IsZero() {
		tier = tiers.Superseded
	}
	energy := n.number("energy", tiers.InitialOther)
	s := policy.Start(tier, max(0, min(energy, tiers.MaxEnergy)), 0, written)
	s.ValidFrom = brain.Instant(n.first(created, "validFrom"))
	if tier.Live() {
		return s
	}
	if until.IsZero() && n.next != nil {
		until, _ = instantOf(n.next.fields["validFrom"])
	}
	if until.IsZero() {
		until = written
	}
	s.ValidTo = brain.Later(s.ValidFrom, brain.Instant(until))
	if tier == tiers.Expired {
		s.ExpiredFrom = tierNamed(n.text("expiredFrom"))
	}
	return s
}

// tier returns the tier that a memory gets in the brain. A promoted one is archived.
func (n *originalNode) tier() tiers.Tier {
	written := n.text("tier")
	tier := tierNamed(written)
	if n.next == nil && !strings.HasPrefix(strings.ToLower(written), "archived") {
		if tier == "" && written != "" {
			n.fields["tier"] = written
		}
		return cmp.Or(tier, tiers.Working)
	}
	archived, ok := tier.Archived()
	switch {
	case ok:
		return archived
	case !tier.Current() && tier != "":
		return tier
	case tier == "" && (n.next == nil || tierNamed(n.next.peek("tier")) != tiers.LongTerm):
		return tiers.ArchivedWorking
	}
	return tiers.ArchivedShortTerm
}

// tierNamed returns the tier of a name in any spelling, "" if there is none.
func tierNamed(name string) tiers.Tier {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	for _, t := range tiers.All() {
		if plain(string(t)) == plain(name) {
			return t
		}
	}
	return ""
}

// bareSource imports a source without a memory: an activity, or a capture whose memory is
// missing, for which it makes one.
func (r *reader) bareSource(n *originalNode) {
	s := r.sourceOf(n)
	if s.Kind == brain.Activity {
		r.push(ingest.ImportItem{Source: s}, 0)
		return
	}
	name, text := s.Trigger+s.Concept, s.Insight+s.Learned+s.Text
	if strings.TrimSpace(text) == "" {
		r.problem(0, "the %s %s has no text", n.label, n.id)
		return
	}
	r.push(ingest.ImportItem{Source: s, Memory: brain.Memory{
		ID: r.base.IDOf("memory of " + s.ID), Name: name, Content: text, MemoryType: strings.ToLower(n.label), Created: s.Created,
		Project: s.Project, Tags: s.Tags, Importance: brain.Reference, Group: ingest.ImportDir + "/" + Brainbridge, Position: r.count,
	}}, 0)
}

func (r *reader) sourceOf(n *originalNode) *brain.Source {
	s := &brain.Source{
		ID: n.id, Kind: brain.SourceKind(n.label), Created: brain.Instant(n.first(r.now, "created", "createdAt", "timestamp", "date")),
		Project: cmp.Or(n.text("project"), r.o.Project), Tags: brain.CleanTags(slices.Concat(r.o.Tags, n.list("tags"))),
	}
	switch s.Kind {
	case brain.Crystallization:
		s.Trigger, s.Insight = n.text("trigger"), n.text("insight")
	case brain.Learning:
		s.Concept, s.Learned = n.text("concept"), n.text("learned")
	case brain.Reminder:
		s.Text, s.Due = n.text("text"), brain.Instant(n.due(r.o.Location))
		if s.Done = brain.Instant(n.instant("done")); s.Done.IsZero() && (n.truth("done") || n.truth("completed")) {
			s.Done = s.Created
		}
	case brain.Activity:
		s.Type, s.Description = cmp.Or(n.text("type"), "activity"), n.text("description")
	}
	n.dropTimes("created")
	return s
}
