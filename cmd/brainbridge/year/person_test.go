package year

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// fact is one thing that the simulated person knows.
type fact struct {
	name, content string
	project       string
	id            string    // as the capture gave it
	use           time.Time // when it is used next; zero: never again
	uses          int
}

// question asks for a fact by its words, in another order and without those of
// the answer.
func (f fact) question() string {
	words := strings.Fields(f.name)
	return words[2] + " " + words[0] + " " + words[1]
}

// person writes things down, day by day, the same for the same seed: twenty a
// day, of which three say in another form what was written before, and one
// says something else of the same subject. A tenth of the rest is used again
// and again, at growing distances, as one learns.
type person struct {
	rnd   *rand.Rand
	facts []fact
	used  map[string]bool // subjects that were written about
}

func newPerson(seed uint64) *person {
	return &person{rnd: rand.New(rand.NewPCG(seed, 5)), used: map[string]bool{}}
}

// subject is what nobody wrote about before, so that a question names one subject
// alone: there are twice as many as a year takes.
func (p *person) subject() (project, name string) {
	projects := strings.Fields("billing search mobile ledger gateway console pipeline archive")
	components := strings.Fields(`importer scheduler cache parser worker router queue session replica uploader checker exporter planner monitor bridge
		balancer sampler compactor signer renderer indexer throttler dispatcher crawler tokenizer ingester formatter collector resolver validator`)
	properties := strings.Fields(`timeout owner port region format limit schema prefix window quota cadence encoding fallback threshold
		database bucket runner certificate template alias priority branch locale colour ancestor checksum mirror budget rotation maintainer
		endpoint retention parity licence watermark heartbeat codec dialect replication snapshot channel vendor escalation glossary baseline hostname`)
	for {
		project = projects[p.rnd.IntN(len(projects))]
		name = project + " " + components[p.rnd.IntN(len(components))] + " " + properties[p.rnd.IntN(len(properties))]
		if !p.used[name] {
			p.used[name] = true
			return project, name
		}
	}
}

// value is a word that stands nowhere else.
func (p *person) value() string {
	const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu"
	all := strings.Fields(syllables)
	var b strings.Builder
	for range 4 {
		b.WriteString(all[p.rnd.IntN(len(all))])
	}
	return b.String()
}

func (p *person) newFact() fact {
	project, name := p.subject()
	words := strings.Fields(name)
	forms := []string{
		"The %[3]s of the %[2]s in %[1]s is %[4]s, as agreed with the people who run it.",
		"We set the %[3]s to %[4]s for the %[2]s, because %[1]s could not cope with what it had before.",
		"After a long search it turned out that the %[2]s of %[1]s takes its %[3]s from %[4]s and from nowhere else.",
	}
	content := fmt.Sprintf(forms[p.rnd.IntN(len(forms))], words[0], words[1], words[2], p.value())
	return fact{name: name, content: content, project: project}
}

// again is a fact of before in another form: what any person would call the
// same.
func (p *person) again(f fact) fact {
	switch p.rnd.IntN(4) {
	case 0:
		f.content = strings.ToUpper(f.content[:1]) + strings.ToLower(f.content[1:])
	case 1:
		f.content = strings.TrimSuffix(f.content, ".")
	case 2:
		first, rest, _ := strings.Cut(f.content, " ")
		f.content = `"` + first + `" ` + rest // which is not known, but merged by rule
	case 3:
		f.content = strings.Replace(f.content, ".", "!", 1)
	}
	f.use = time.Time{}
	return f
}

// otherwise says something else of the same subject.
func (p *person) otherwise(f fact) fact {
	words := strings.Fields(f.name)
	f.content = fmt.Sprintf("The %s of the %s in %s is %s, as agreed with the people who run it.", words[2], words[1], words[0], p.value())
	f.use = time.Time{}
	return f
}

// some is a fact of the last weeks.
func (p *person) some() fact {
	recent := p.facts[max(0, len(p.facts)-400):]
	return recent[p.rnd.IntN(len(recent))]
}

// day is what is captured on a day.
func (p *person) day(now time.Time) []fact {
	var all []fact
	for i := range 20 {
		switch {
		case len(p.facts) > 40 && i%7 == 3:
			all = append(all, p.again(p.some()))
		case len(p.facts) > 40 && i == 11:
			all = append(all, p.otherwise(p.some()))
		default:
			f := p.newFact()
			if p.rnd.IntN(10) == 0 {
				f.use = now.Add(20 * time.Hour)
			}
			all = append(all, f)
		}
	}
	return all
}

// due are the places of the facts that are used by now.
func (p *person) due(now time.Time) []int {
	var due []int
	for i := range p.facts {
		if f := &p.facts[i]; !f.use.IsZero() && !f.use.After(now) {
			due = append(due, i)
		}
	}
	return due
}

// next is when a fact is used again: after one day, two, four and so on, up to
// a month.
func (f *fact) next(now time.Time) {
	f.uses++
	days := min(1<<f.uses, 30)
	f.use = now.Add(time.Duration(days)*24*time.Hour - time.Hour)
}
