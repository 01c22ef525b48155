package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
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

// originalNode is a node of that graph. Its fields shrink as they are read, see [fields].
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
