package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/tiers"
)

// Brainbridge is the name of the format of the original program's graph.
const Brainbridge = "brainbridge"

// The queries that read the graph of the original program. Nodes of this program have the
// name of one of its brains.
const (
	ReadOriginalNodes = `MATCH (n) WHERE (n:Memory OR n:Crystallization OR n:Learning OR n:Reminder OR n:Activity OR n:ConsolidationConfig)
AND (n.brain IS NULL OR NOT EXISTS { MATCH (b:BrainbridgeBrain) WHERE b.name = n.brain })
RETURN elementId(n), labels(n), properties(n) ORDER BY elementId(n)`
	ReadOriginalRelations = `MATCH (n)-[r]->(m) WHERE any(l IN labels(n) WHERE l IN ['Memory', 'Crystallization', 'Learning', 'Reminder', 'Activity'])
RETURN type(r), elementId(n), elementId(m) ORDER BY elementId(r)`
)

// Original is the graph of the original program: the rows of both queries.
type Original struct{ Nodes, Relations [][]any }

// HasTests reports whether it has test memories.
func (g Original) HasTests() bool {
	all := readOriginal(g, "")
	return slices.ContainsFunc(slices.Concat(all.memories, all.sources), func(n *originalNode) bool { return n.test })
}

// originalNode is a node of that graph. What is taken of its fields is no longer in them.
type originalNode struct {
	fields
	element, label, id string
	test               bool
	next, previous     *originalNode // by PROMOTED_TO
	source             *originalNode // of a memory
	memory             *originalNode // of a source: the newest
}

type originalGraph struct {
	memories, sources, configs []*originalNode
	related                    []brain.Relation
}

// readOriginal reads the graph for a brain whose ids have a prefix.
func readOriginal(g Original, prefix string) originalGraph {
	var all originalGraph
	nodes := map[string]*originalNode{}
	for _, row := range g.Nodes {
		n := &originalNode{fields: fields{}}
		n.element, _ = row[0].(string)
		labels, _ := row[1].([]any)
		props, _ := row[2].(map[string]any)
		maps.Copy(n.fields, props)
		n.test = n.truth("isTest") || strings.HasPrefix(n.peek("id"), brain.TestPrefix)
		nodes[n.element] = n
		switch n.label = labelOf(labels); n.label {
		case "Memory":
			all.memories = append(all.memories, n)
		case "ConsolidationConfig":
			all.configs = append(all.configs, n)
		default:
			all.sources = append(all.sources, n)
		}
	}
	for _, row := range g.Relations {
		kind, _ := row[0].(string)
		from, to := nodes[fmt.Sprint(row[1])], nodes[fmt.Sprint(row[2])]
		if from != nil && to != nil {
			all.relate(kind, from, to)
		}
	}
	all.name(prefix)
	return all
}

func labelOf(labels []any) string {
	for _, label := range []string{"ConsolidationConfig", "Memory", "Crystallization", "Learning", "Reminder", "Activity"} {
		if slices.Contains(labels, any(label)) {
			return label
		}
	}
	return ""
}

func (g *originalGraph) relate(kind string, from, to *originalNode) {
	switch {
	case kind == brain.PromotedTo && from.label == "Memory" && to.label == "Memory" && from.next == nil && to.previous == nil && to.newest() != from:
		from.next, to.previous = to, from
	case kind == brain.HasMemory && from.label != "Memory" && to.label == "Memory":
		from.memory, to.source = to, from
		from.test = from.test || to.test
	case from.label == "Memory" && to.label == "Memory":
		if kind = strings.ToLower(kind); brain.CheckRelationType(kind) == nil {
			g.related = append(g.related, brain.Relation{From: from.element, Type: kind, To: to.element})
		}
	}
}

// newest returns the end of the chain of promotions.
func (n *originalNode) newest() *originalNode {
	for n.next != nil {
		n = n.next
	}
	return n
}

// name gives every node its id: its own if it is a UUID that no other node has, else one that
// follows from its own or from that of the server. The newest of a chain comes first.
func (g *originalGraph) name(prefix string) {
	taken := map[string]bool{}
	give := func(n *originalNode) {
		own := n.peek("id")
		bare := strings.TrimPrefix(strings.ToLower(own), brain.TestPrefix)
		switch {
		case brain.OwnsID("", bare):
			n.id = prefix + bare
			delete(n.fields, "id")
		default:
			n.id = prefix + brain.UUIDOf("brainbridge "+n.label+" "+cmp.Or(own, n.element))
		}
		if taken[n.id] {
			n.id = prefix + brain.UUIDOf("brainbridge "+n.element)
		}
		taken[n.id] = true
	}
	byElement := map[string]string{}
	for _, archived := range []bool{false, true} {
		for _, n := range g.memories {
			if (n.next != nil) == archived {
				give(n)
				byElement[n.element] = n.id
			}
		}
	}
	for _, n := range g.sources {
		give(n)
	}
	for i, r := range g.related {
		g.related[i].From, g.related[i].To = byElement[r.From], byElement[r.To]
	}
}

// readOriginalGraph imports the real memories of the graph, or the test memories into the
// brain of those.
func readOriginalGraph(r *reader) {
	tl, err := r.base.Timeline(r.ctx)
	if err != nil {
		r.refuse(0, "cannot be imported: %v", err)
		return
	}
	prefix := r.base.IDPrefix
	g := readOriginal(r.o.Original, prefix)
	if len(g.memories)+len(g.sources) == 0 {
		r.refuse(0, "has no memories of the original program")
		return
	}
	r.report.Files++
	related := map[string][]brain.Relation{}
	for _, rel := range g.related {
		related[rel.From] = append(related[rel.From], rel)
	}
	for _, n := range g.memories {
		if n.test == (prefix != "") {
			r.original(n, tl, related[n.id])
		}
	}
	for _, n := range g.sources {
		if n.test == (prefix != "") && n.memory == nil {
			r.bareSource(n)
		}
	}
}

// original imports a memory with its life. The newest of a chain brings the source.
func (r *reader) original(n *originalNode, tl tiers.Timeline, related []brain.Relation) {
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
		Group: importDir + "/" + Brainbridge, Position: len(r.items), Root: n.root(),
	}
	m.Created = brain.Instant(n.first(r.now, "created", "createdAt", "validFrom", "lastDecay"))
	m.State = n.life(tl, m.Created)
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
		item.Relations = append(item.Relations, brain.Relation{From: n.previous.id, Type: brain.PromotedTo, To: n.id})
	}
	m.Extra = n.rest()
	item.Memory = m
	r.push(item, 0)
}

// root returns the first id of the chain.
func (n *originalNode) root() string {
	for n.previous != nil {
		n = n.previous
	}
	return n.id
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
func (n *originalNode) life(tl tiers.Timeline, created time.Time) tiers.State {
	tier, until := n.tier(), n.instant("validTo")
	written := brain.Instant(n.first(created, "lastDecay"))
	if tier.Live() && !until.IsZero() {
		tier = tiers.Superseded
	}
	energy := n.number("energy", tl.At(written).InitialOther)
	s := tl.Start(tier, max(0, min(energy, tiers.MaxEnergy)), 0, written)
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

// tier returns the tier of a memory here. What was promoted is archived.
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
		Project: s.Project, Tags: s.Tags, Importance: brain.Reference, Group: importDir + "/" + Brainbridge, Position: len(r.items),
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
		s.Text, s.Due = n.text("text"), brain.Instant(n.instant("due"))
		if s.Done = brain.Instant(n.instant("done")); s.Done.IsZero() && (n.truth("done") || n.truth("completed")) {
			s.Done = s.Created
		}
	case brain.Activity:
		s.Type, s.Description = cmp.Or(n.text("type"), "activity"), n.text("description")
	}
	n.dropTimes("created")
	return s
}

// Numbers returns the lifecycle numbers of the current configuration that differ from those
// of a policy, by key.
func (g Original) Numbers(p tiers.Policy) map[string]float64 {
	numbers := map[string]float64{}
	for _, n := range readOriginal(g, "").configs {
		if n.peek("validTo") != "" {
			continue
		}
		for name, value := range n.fields {
			key := numberKey(name)
			there, ok := numberOf(value)
			if here, known := p.Get(key); ok && known && here != there {
				numbers[key] = there
			}
		}
	}
	return numbers
}

// numberKey returns the key of a lifecycle number by the name of a property, "" for none.
func numberKey(property string) string {
	plain := func(s string) string { return strings.ToLower(strings.NewReplacer("_", "", ".", "").Replace(s)) }
	for _, key := range tiers.Keys() {
		if plain(key) == plain(property) {
			return key
		}
	}
	return map[string]string{
		"workinglambda": "lambda.working", "shorttermlambda": "lambda.shortTerm", "longtermlambda": "lambda.longTerm",
		"workingdecayrate": "lambda.working", "shorttermdecayrate": "lambda.shortTerm", "longtermdecayrate": "lambda.longTerm",
		"decayrateworking": "lambda.working", "decayrateshortterm": "lambda.shortTerm", "decayratelongterm": "lambda.longTerm",
		"workingthreshold": "promote.energy.working", "workingpromotionthreshold": "promote.energy.working", "workingtoshorttermthreshold": "promote.energy.working",
		"shorttermthreshold": "promote.energy.shortTerm", "shorttermpromotionthreshold": "promote.energy.shortTerm", "shorttermtolongtermthreshold": "promote.energy.shortTerm",
		"expirethreshold": "expire.below", "expirationthreshold": "expire.below", "expirythreshold": "expire.below", "minenergy": "expire.below",
		"boostamount": "boost", "promotionbatchsize": "batch.promotion", "decaybatchsize": "batch.decay",
		"decaythresholddays": "forget.afterDays", "minusestoretain": "forget.minUses", "maxmemoriesbeforeconsolidation": "maxMemories",
	}[plain(property)]
}
