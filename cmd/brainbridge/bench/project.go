package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// statement is a statement that a made-up project stores.
type statement struct {
	subject    string // what it is about; two statements about one differ in their value
	kind       string
	name, text string
	topic      topic
	component  string
	value      string
}

// topic is what can be said of a component: in words for the first time, in others
// after it changed, and with which values.
type topic struct {
	name, kind string
	first      []string // with the component and the value
	later      []string
	values     []string
}

func components() []string {
	return strings.Split("the billing service|the search indexer|the mobile app|the export job|the login page|the mail queue|"+
		"the image resizer|the admin console|the report builder|the staging cluster|the invoice importer|the webhook relay|"+
		"the pricing engine|the chat widget|the audit log|the media store|the rate limiter|the feature flags|the tax module|"+
		"the onboarding flow|the data warehouse|the partner API|the session cache|the release pipeline|the metrics collector", "|")
}

func split(s string) []string { return strings.Split(s, "|") }

func numbers(from, step int) (all []string) {
	for i := range 12 {
		all = append(all, fmt.Sprint(from+i*step))
	}
	return all
}

func topics() []topic {
	return []topic{
		{
			"port", "decision", split("%s listens on port %s|We run %s on port %s|Traffic for %s goes to port %s"),
			split("%s now listens on port %s|%s moves to port %s|From today %s runs on port %s"), numbers(5010, 37),
		},
		{
			"database", "decision", split("%s stores its data in %s|We chose %[2]s as the database of %[1]s|%s keeps its tables in %s"),
			split("%s moves to %s|We switched %s to %s|%s stores its data in %s from now on"), split("PostgreSQL|MySQL|SQLite|CockroachDB|MongoDB|ClickHouse"),
		},
		{
			"release day", "decision", split("%s is released on %s|We ship %s on %s|Releases of %s go out on %s"),
			split("%s is released on %s now|We moved releases of %s to %s|%s ships on %s from now on"), split("Mondays|Tuesdays|Wednesdays|Thursdays|Fridays"),
		},
		{
			"framework", "decision", split("%s is built with %s|We write %s in %s|For %s we picked %s"),
			split("%s will be rewritten in %s|%s is built with %s now|We replaced the stack of %s with %s"), split("Go|Rust|Kotlin|TypeScript|Elixir|Python"),
		},
		{
			"default branch", "decision", split("The default branch of %s is %s|%s is merged into %s|Pull requests for %s target %s"),
			split("The default branch of %s is now %s|%s is merged into %s from now on|Pull requests for %s target %s now"), split("main|develop|trunk|stable|next"),
		},
		{
			"timeout", "fact", split("The timeout of %s is %s seconds|Requests to %s time out after %s seconds|%s waits %s seconds for an answer"),
			split("The timeout of %s is now %s seconds|We raised the timeout of %s to %s seconds|%s waits %s seconds for an answer now"), numbers(5, 5),
		},
		{
			"owner", "fact", split("%s belongs to %s|The owner of %s is %s|%[2]s takes care of %[1]s"),
			split("%s belongs to %s now|The owner of %s is now %s|%[2]s takes care of %[1]s from now on"), split("Priya|Jonas|Amara|Felix|Mei|Tomasz|Lucia|Kwame"),
		},
		{
			"version", "fact", split("%s runs version %s in production|The version of %s in production is %s|Production has %s at version %s"),
			split("%s runs version %s in production now|We deployed %s in version %s|The version of %s in production is now %s"), split("2.1.0|2.2.0|2.3.4|3.0.1|3.1.0|4.0.0"),
		},
		{
			"quota", "fact", split("%s allows %s requests a minute|The limit of %s is %s requests a minute|Clients of %s get %s requests a minute"),
			split("%s now allows %s requests a minute|The limit of %s is now %s requests a minute|Clients of %s get %s requests a minute now"), numbers(60, 45),
		},
		{
			"flaky test", "lesson", split("The tests of %s hang when %s|Builds of %s fail when %s|A deploy of %s breaks when %s"), nil,
			split("the clock jumps|two workers share a port|the cache is cold|a migration is pending|the disk is nearly full|the proxy buffers answers|a secret expired"),
		},
		{
			"root cause", "lesson", split("The crash of %s came from %s|%s lost messages because of %s|The slow start of %s was due to %s"), nil,
			split("a stale lock file|an unbounded queue|a missing index|a retry without a limit|a wrong time zone|a leaked connection|an expired certificate"),
		},
		{
			"review", "preference", split("Changes to %s need %s|Ask for %[2]s before you merge changes to %[1]s|Never merge changes to %s without %s"), nil,
			split("two reviewers|a screenshot|a test plan|a note in the changelog|a benchmark"),
		},
		{
			"style", "preference", split("Write the code of %s with %s|In %s always use %s|Keep %s free of anything but %s"), nil,
			split("four spaces|small functions|table tests|structured logs|early returns"),
		},
	}
}

func reasons() []string {
	return strings.Split("because the old way took too long|because the last incident showed it|because support asked for it|"+
		"because the vendor drops it next year|because the contract demands it|because two teams depend on it|since the audit found it|"+
		"so that the night shift can rely on it|because nobody could explain the old one|because it halves the cost|"+
		"because the new cluster is ready|since customers in Asia waited|because it is what the other teams do|so that rollbacks stay simple", "|")
}

// madeUp generates the statements that a made-up project keeps, and passing remarks.
type madeUp struct {
	rand *rand.Rand
	free []statement // subjects that were not used yet, without texts
}

func newMadeUp(seed uint64) *madeUp {
	m := &madeUp{rand: rand.New(rand.NewPCG(seed, seed))} //nolint:gosec // repeatable, not secret
	for _, c := range components() {
		for _, t := range topics() {
			m.free = append(m.free, statement{subject: c + " " + t.name, kind: t.kind, topic: t, component: c})
		}
	}
	m.rand.Shuffle(len(m.free), func(i, j int) { m.free[i], m.free[j] = m.free[j], m.free[i] })
	return m
}

// preferenceShare is one in how many keepers that is a preference.
const preferenceShare = 9

// keeper returns a statement about something new.
func (m *madeUp) keeper() statement {
	preference := m.rand.IntN(preferenceShare) == 0
	i := slices.IndexFunc(m.free, func(s statement) bool { return (s.kind == "preference") == preference })
	s := m.free[i]
	m.free = slices.Delete(m.free, i, i+1)
	s.value = m.pick(s.topic.values)
	return m.worded(s, s.topic.first)
}

// replacement returns a statement about the same subject with another value.
func (m *madeUp) replacement(s statement) statement {
	for was := s.value; s.value == was; {
		s.value = m.pick(s.topic.values)
	}
	return m.worded(s, s.topic.later)
}

// worded writes a statement: with its reason in the same sentence, below it, or
// without one.
func (m *madeUp) worded(s statement, phrases []string) statement {
	said := capital(fmt.Sprintf(m.pick(phrases), s.component, s.value))
	reason := m.pick(reasons())
	switch m.rand.IntN(4) {
	case 0:
		s.name, s.text = "", said+", "+reason+"."
	case 1:
		s.name, s.text = said, capital(reason)+"."
	case 2:
		s.name, s.text = "", said+".\n\n"+capital(reason)+"."
	default:
		s.name, s.text = "", said+"."
	}
	return s
}

// passing returns a note of something that no later session needs.
func (m *madeUp) passing() string {
	did := m.pick(strings.Split("Ran the tests|Looked at the logs|Read the docs|Rebased the branch|Restarted the container|"+
		"Waited for the build|Cleaned the workspace|Opened a draft|Checked the dashboard|Tried the new build|Formatted the files|Talked about the layout", "|"))
	then := m.pick(strings.Split("all green|nothing new|took a while|done for today|will go on tomorrow|no surprises|as expected|twice", "|"))
	return fmt.Sprintf("%s of %s, %s", did, m.pick(components()), then)
}

func (m *madeUp) pick(list []string) string { return list[m.rand.IntN(len(list))] }
