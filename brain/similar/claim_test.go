package similar_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain/similar"
)

func TestClaimsThatDisagree(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		disagree bool
	}{
		{"Deploy port is 8080", "The deploy port is now 9090", true},
		{"Deploy port: 8080", "The deploy port is 9090.", true},
		{"The retry limit is 3", "Currently the retry limit is five", true},
		{"The default branch is main", "default branch is trunk now", true},
		{"The release manager is Grace Hopper", "Release manager: Ada Lovelace", true},
		{"The cache is enabled", "The cache is disabled now", true},
		{"The cache is shared", "The cache isn't shared", true},
		{"The config is in /etc/app.toml", "config is now in /opt/app.toml", true},
		{"The timeout is 30 s", "The timeout is now 60 seconds", true},

		{"Der Deploy-Port ist 8080", "Deploy-Port ist jetzt 9090.", true},
		{"Das Standup ist um 9:30", "Standup ist derzeit um 10:00", true},
		{"Die Zahl der Versuche beträgt drei", "Die Zahl der Versuche ist nun fünf", true},
		{"Der Cache ist aktiv", "Der Cache ist nicht aktiv", true},

		{"Der Deploy ist schnell", "Der Deploy ist fertig", false},
		{"Der Port ist 8080 im Test", "Der Port ist 9090 im Betrieb", false},
		{"The timeout is 30 s", "The timeout is 30 seconds now", false},
		{"Deploy port is 8080", "Deploy port is 8080", false},
		{"Deploy port is 8080", "The staging port is 9090", false},
		{"The port is 8080 for staging", "The port is 9090 for production", false},
		{"Alice is tall", "Alice is tired", false},
		{"The cache is shared", "The cache is in Redis since the move", false},
		{"Is the port 8080?", "Is the port 9090?", false},
		{"It is 8080", "It is 9090", false},
		{"Deployed build 1234 to staging", "Deployed build 1235 to staging", false},
		{"The port is 8080. It was chosen by Ada.", "The port is 9090", false},
	} {
		a, b := similar.Prepare(c.a), similar.Prepare(c.b)
		if got := similar.Disagree(a, b); got != c.disagree || similar.Disagree(b, a) != got {
			t.Errorf("%q and %q disagree: %v", c.a, c.b, got)
		}
		if v, why := similar.Duplicate(a, b); c.disagree != (v == similar.Conflict && why != "") && (c.disagree || a.Similarity(b) < 0.7) {
			t.Errorf("%q and %q: %s (%s)", c.a, c.b, v, why)
		}
	}
	if !similar.Disagree(similar.PrepareNamed("deploy port", "8080"), similar.Prepare("The deploy port is 9090")) {
		t.Error("a name and a value are no claim")
	}
}

func TestPatternsOfSeries(t *testing.T) {
	for text, want := range map[string]string{
		"Deployed build 1234 to staging.":   "deployed build # to staging",
		"Standup of Monday, 3 April: quiet": "standup of # # # quiet",
		"Fixed JIRA-12 in 4f2a9c":           "fixed # in #",
		"Nothing to count here":             "",
	} {
		if got := similar.Prepare(text).Pattern(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNamedApart(t *testing.T) {
	named := similar.PrepareNamed
	for _, c := range []struct {
		a, b  similar.Text
		apart bool
	}{
		{named("search parser", "The parser has a limit"), named("search sampler", "The sampler has a limit"), true},
		{named("Port", "The port of the proxy"), named("Proxy", "The port of the proxy"), false},
		{named("Deploys", "How to deploy"), named("Deploy", "How to deploy it"), false},
		{named("Parser limit", "It is 7"), named("", "The limit of the sampler is 7"), false},
	} {
		if got := similar.NamedApart(c.a, c.b); got != c.apart || similar.NamedApart(c.b, c.a) != got {
			t.Errorf("%q and %q are named apart: %v", c.a.Normalised(), c.b.Normalised(), got)
		}
	}
}
