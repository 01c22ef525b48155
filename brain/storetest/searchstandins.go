package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

func searchStandInCases() []testCase {
	return []testCase{
		{"an unknown word has stand-ins, a known one has none", standInsOfUnknown},
		{"stand-ins are in a current text of the brain", standInsHeld},
	}
}

func (b *db) standIns(query string) []string {
	b.t.Helper()
	asked := words.Parse(query)
	found := view(b, func(r brain.Reader) ([]words.StandIn, error) {
		stats, err := r.Statistics(false, asked.Terms...)
		var unknown []string
		for _, term := range asked.Terms {
			if asked.Typed[term] != "" && stats.With[term] == 0 {
				unknown = append(unknown, asked.Typed[term])
			}
		}
		if err != nil {
			return nil, err
		}
		return r.StandIns(unknown...)
	})
	return brain.Map(found, func(s words.StandIn) string { return s.Term })
}

func standInsOfUnknown(t *testing.T, b *db) {
	named := Memory("x", func(m *brain.Memory) { m.Name = "Kubernetes" })
	tagged := Memory("y", func(m *brain.Memory) { m.Tags = []string{"prometheus"} })
	b.put(append(padding(30), Memory("the staging server"), Memory("Ameisensäure und Oxalsäure"), Memory("das Passwort, useful"), named, tagged)...)
	b.putSections(Section("d", "scale.md", 1, "a Bienenwaage in the garden"))
	for query, want := range map[string][]string{
		"stagin": {"stage"}, "staing": {"stage"}, "Saeure": {"oxalsaur", "ameisensaur"}, "Datenbankpasswort": {"passwort"}, "Waage": {"bienenwaag"},
		"kuberntes": {"kubernet"}, "promtheus": {"prometheus"}, "giraffe": nil, "useufl": {"use"},
		"kuberentesprometheus": {"prometheus"}, "oxalsaeuregiraff": {"oxalsaur"},
		"stagin promtheus": {"stage", "prometheus"},
	} {
		same(t, query, want, b.standIns(query))
	}
	b.put(Memories(40, "Salzsäure, Essigsäure, Milchsäure, Kohlensäure")...)
	same(t, "of a known word", 0, len(b.standIns("server")))
	same(t, "beside a known one", []string{"stage"}, b.standIns("server stagin"))
	same(t, "of nothing", 0, len(b.standIns("...")))
	same(t, "how many of five", words.MaxStandIns, len(b.standIns("Säure")))
}

func standInsHeld(t *testing.T, b *db) {
	other := b.h.brain(t)
	other.put(Memory("the staging server"))
	same(t, "from another brain", 0, len(b.standIns("stagin")))
	m := Memory("the staging server")
	b.put(m, Memory("anything else"))
	same(t, "from this one", []string{"stage"}, b.standIns("stagin"))
	b.deleteMemories(m.ID)
	same(t, "from a deleted memory", 0, len(b.standIns("stagin")))
	b.putSections(Talk(Section("d", "talk.md", 1, "the staging server")))
	same(t, "from a transcript", 0, len(b.standIns("stagin")))
}
