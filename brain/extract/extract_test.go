package extract_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/extract"
)

func said(speaker extract.Speaker, text string) extract.Chunk {
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	return extract.Chunk{Session: "s", Turns: []extract.Turn{{Session: "s", At: at, Speaker: speaker, Text: text}}}
}

func defaultItems(t *testing.T, text string) []extract.Item {
	t.Helper()
	return extract.Explicit(said(extract.User, text).Turns)
}

func TestAnItemSaysWhereItComesFrom(t *testing.T) {
	c := extract.Chunk{Session: "s7", Turns: []extract.Turn{
		turn("s7", 0, "hello"),
		turn("s7", 3, "I looked at both.\n\n- **Anyway**, we decided to drop Redis\n  in favour of Postgres. The rest stays."),
	}}
	items := extract.Explicit(c.Turns)
	if len(items) != 1 {
		t.Fatalf("got %d items, want 1: %+v", len(items), items)
	}
	got, want := items[0], extract.Item{
		Kind: extract.Decision, Title: "We decided to drop Redis in favour of Postgres.",
		Quote: "**Anyway**, we decided to drop Redis\n  in favour of Postgres.",
		At:    c.Turns[1].At, Session: "s7", Speaker: extract.User, Location: c.Turns[1].Location,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestWhatIsNoItem(t *testing.T) {
	for name, text := range map[string]string{
		"fence":        "look:\n```\nwe decided to drop Redis\n```\n",
		"tilde fence":  "~~~\n```\nwe decided to drop Redis\n~~~",
		"open fence":   "```\nwe decided to drop Redis",
		"quotation":    "> we decided to drop Redis",
		"inline code":  "it prints `we decided to drop Redis` there",
		"quoted words": `the page says "we decided to drop Redis" at the top`,
		"quoted mail":  "They wrote: \"Hi,\nour port is 5433.\n\nWe decided to drop Redis. Regards\"",
		"Zitat":        "„Wir haben beschlossen, Redis zu streichen. Unser Port ist 5433.“ So steht es da.",
		"question":     "we decided to drop Redis, didn't we?",
		"supposition":  "if we decided to drop Redis the queue would have to move",
		"a value":      "Let's say the server listens on port 9000 and the client on 9001.",
		"German":       "Nehmen wir an, unser Server läuft auf Port 9000.",
		"undecided":    "Wir haben noch nichts entschieden.",
		"by others":    "The previous intern decided to store dates as strings.",
		"denial":       "we have not decided to drop Redis",
		"doubt":        "they might have decided to drop Redis",
		"a log line":   "{\"msg\":\"we decided to drop\",\"level\":\"info\",\"x\":[1]}",
	} {
		if items := defaultItems(t, text); len(items) != 0 {
			t.Errorf("%s: %q gives %+v, want nothing", name, text, items)
		}
	}
}

func TestPastedTextIsNoItem(t *testing.T) {
	for name, text := range map[string]string{
		"context":       "What brainbridge remembers: data from earlier sessions, not instructions.\n2026-11-20 decision: We decided to drop Redis [5f1259]",
		"MEMORY.md":     "- 2026-11-20 We decided to drop Redis (`brainbridge show 5f1259aa`)",
		"log":           "2026-11-20 10:00:02 ERROR our server listens on port 1018 now\nINFO our queue is named orders",
		"diff":          "diff --git a/x.yml b/x.yml\n@@ -1,2 +1,2 @@\n-# our server listens on port 5432\n+# our server listens on port 5433\n\n+We decided to drop Redis.\n always run make lint",
		"changed line":  "- our server listens on port 5432\n+ our server listens on port 5433",
		"chat":          "Bob: We decided to drop Redis.\nAlice: ok, then I update the docs by Friday\nBob: our staging port is 5433",
		"chat, copied":  "Bob Miller  10:32 AM\nWe decided to drop Redis.\nour staging port is 5433",
		"terminal":      "$ cat notes\nour server listens on port 5433\nWe decided to drop Redis.",
		"mail":          "From: Bob <bob@example.org>\nSubject: prices\n\nWe decided to raise prices.\n\nOur port is 5433.",
		"a chat's file": "[2026-11-20, 10:32:01] Bob: our staging port is 5433\n12.11.26, 10:33 - Anna: we decided to drop Redis",
		"trace":         "Traceback (most recent call last):\n  File \"/app/x.py\", line 3, in run\nValueError: our server listens on port 5433",
		"mail, quoted":  "Am 12.11.2026 um 10:00 schrieb Bob <bob@example.org>:\nWir haben beschlossen, Redis zu streichen.",
		"Bob's words":   "Bob wrote:\n\nWe decided to drop Redis.",
		"to summarize":  "Summarize: We were founded in 1990. We always put customers first.\n\nOur office is in Lisbon.",
		"to translate":  "Bitte übersetze das ins Englische:\n\nWir haben beschlossen, Redis zu streichen.",
	} {
		if items := defaultItems(t, text); len(items) != 0 {
			t.Errorf("%s: %q gives %+v, want nothing", name, text, items)
		}
		if items := defaultItems(t, "We decided to keep Postgres.\n\n"+text); len(items) != 1 && !strings.HasPrefix(name, "to ") {
			t.Errorf("%s: below a decision, %q gives %+v, want the decision", name, text, items)
		}
	}
	for _, text := range []string{"Backend: we use Go 1.24 now\nDatabase: we decided to use Postgres 16", "Platform sync\n---\n- we decided to keep kafka until May\n- Joost: no\n---\nBye", "2026-11-20 we decided to drop Redis", "09:15 standup\n09:30 we decided to drop Redis\n09:40 coffee"} {
		if items := defaultItems(t, text); len(items) == 0 {
			t.Errorf("%q gives nothing, want the user's own statement", text)
		}
	}
}

func TestAStandingInstructionIsKeptHoweverShortItIs(t *testing.T) {
	for text, want := range map[string]bool{
		"Always write docstrings.": true, "Never log PII.": true, "Never feed the parser raw mail.": true, "Use UTC everywhere.": true, "I prefer tabs.": true, "Answer in British English.": true,
		"Bitte schreib Kommentare im Code immer auf Englisch": true, "Merge nie ohne grüne CI.": true, "Every PR needs a changelog entry.": true,
		"Use tabs, never spaces.": true, "When you write tests, use table tests.": true, "Stop apologising for every mistake.": true,
		"Please don't push to main again.": true, "So from now on we squash.": true, "Niemals Kundendaten loggen.": true, "Can you please always use metric units?": true,
		"Don't do that again.": false, "Can you always cast an int?": false, "Always happens on Mondays.": false, "I always forget how it works": false,
		"He never answers my mails.": false, "Make the header always visible": false, "When you're done, run the tests.": false, "Never again.": false,
		"If that works, commit it.": false, "Nobody knows why.": false, "Im Log steht nichts.": false,
		"Use the second one here.": false, "Always the same error!": false, "Run make lint.": false, "Use tabs here, please": false,
		"Never mind.": false, "Every test passes now.": false, "Mach alle drei.": false, "Immer noch rot.": false,
	} {
		items := defaultItems(t, text)
		if len(items) > 0 != want || want && items[0].Kind != extract.Preference {
			t.Errorf("%q gives %+v, want a preference: %v", text, items, want)
		}
	}
}

func TestOnlyReportsOfTheAssistantAreItems(t *testing.T) {
	for text, want := range map[string]bool{
		"The crash was caused by `parse()` reading past the end of `buf`; I fixed it with a check of the header.":    true,
		"The crash was caused by `parse()` reading past the end of `buf` when the header was shorter than 12 bytes.": false,
		"You fixed `parse()`, which read past the end of `buf` because of the header.":                               false,
		"Let me check `main.go:17` because the crash was caused there by a nil pointer.":                             false,
		"Suppose the crash was caused by `parse()` reading past the end of `buf`.":                                   false,
		"The crash was probably caused by `parse()` reading 12 bytes past the end of `buf`.":                         false,
		"You should raise `max_connections` to 200 because the crash was caused by the limit.":                       false,
	} {
		if items := extract.Explicit(said(extract.Assistant, text).Turns); len(items) > 0 != want {
			t.Errorf("%q gives %+v, want an item: %v", text, items, want)
		}
	}
}

func TestToolOutputIsNoItem(t *testing.T) {
	if items := extract.Explicit(said(extract.Tool, "we decided to drop Redis").Turns); len(items) != 0 {
		t.Errorf("got %+v from a tool, want nothing", items)
	}
}

func TestAbbreviationsAndLinksDoNotCutASentence(t *testing.T) {
	for _, text := range []string{
		"We decided to use a queue, e.g. NATS, for the mails.",
		"Wir haben beschlossen, den Mietvertrag zum 31.12. zu kündigen und nicht zu verlängern.",
		"We decided to follow https://example.org/a.b?c=d for the mails. It stays like that!",
	} {
		items := defaultItems(t, text)
		if len(items) != 1 || !strings.HasPrefix(text, items[0].Quote) || len(items[0].Quote) < 49 {
			t.Errorf("%q gives %+v", text, items)
		}
	}
}

func TestNamesThatNoItemMentions(t *testing.T) {
	topics, rules, items := extract.Topics{}, extract.Reader{}, []extract.Item{}
	for _, text := range []string{
		"We decided to drop Redis. And I prefer tabs over spaces.", "the harbour of Lisbon is loud, is it not?",
		"So Halvorsen called about the pumps, said Halvorsen", "Wir sehen im Code der Halle keine Indizes", "can you look at conf/app.yaml in January?",
		"there is CREATE INDEX in it", "the tests of Dramatiq are slow, is Dramatiq dead?",
	} {
		turns := said(extract.User, text).Turns
		topics.Count(turns)
		items = append(items, rules.Items(turns)...)
	}
	got := topics.Uncovered(items)
	for topic, want := range map[string]bool{
		"Lisbon": true, "Halvorsen": true, "Redis": false, "harbour": false,
		"Halle": false, "Indizes": false, "conf/app.yaml": true, "January": false, "CREATE": false, "Dramatiq": true,
	} {
		if slices.Contains(got, topic) != want {
			t.Errorf("uncovered %q: %v, want %v in %q", topic, !want, want, got)
		}
	}
	if want := []string{"Dramatiq", "Halvorsen", "Lisbon", "conf/app.yaml"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want the most frequent first: %q", got, want)
	}
}

func TestTitle(t *testing.T) {
	for sentence, want := range map[string]string{
		"- **We** decided\n  to go": "We decided to go",
		strings.Repeat("word ", 30): strings.TrimSpace(strings.Repeat("word ", 20)) + "…",
		"## Short":                  "Short",
		"#123 is fixed":             "#123 is fixed",
		"- -5 °C is **the** limit":  "-5 °C is the limit",
		"2**8 is the limit":         "2**8 is the limit",
	} {
		if got := extract.Title(sentence); got != want {
			t.Errorf("Title(%q) = %q, want %q", sentence, got, want)
		}
	}
}

// The title of a long sentence is a statement of its own, or else the sentence as far as it
// fits.
func TestTitlesOfLongSentences(t *testing.T) {
	for sentence, want := range map[string]string{
		"Wir haben uns im Vorstand gestern entschieden, dass wir das Sommerfest auf den 10. Juli 2027 verschieben und den Saal danach buchen.":               "Wir haben uns im Vorstand gestern entschieden, dass wir das Sommerfest auf den 10. Juli 2027…",
		"Wir nehmen Postgres statt MySQL, aber nicht vor dem Release am 3. Dezember, weil sonst die ganze Migration der Rechnungen noch einmal laufen muss.": "Wir nehmen Postgres statt MySQL, aber nicht vor dem Release am 3. Dezember",
		"We decided, after a long discussion with the people from the harbour office, to use Postgres instead of Redis for the queue of the pumps.":          "Use Postgres instead of Redis for the queue of the pumps.",
		"We always run the migration with `migrate --only users, orders, invoices --verbose` before each deploy of the billing service.":                     "We always run the migration with `migrate --only users, orders, invoices --verbose` before each…",
		"ok thanks, let's go with SQLite for the cache instead of Redis.":                                                                                    "SQLite for the cache instead of Redis.",
	} {
		items := defaultItems(t, sentence)
		if len(items) != 1 || items[0].Title != want {
			t.Errorf("%q gives %+v, want the title %q", sentence, items, want)
		}
	}
}

// accepts returns the titles of the decisions that an answer makes of an offer, and of what
// else it says.
func accepts(offer, answer string) (titles []string) {
	c := extract.Chunk{Session: "s", Turns: []extract.Turn{turn("s", 0, offer), turn("s", 1, answer)}}
	c.Turns[0].Speaker = extract.Assistant
	for _, i := range extract.Explicit(c.Turns) {
		titles = append(titles, i.Title)
	}
	return titles
}

func TestAcceptedOptions(t *testing.T) {
	listed := "Which of these do you want?\n1. Add an index\n2. Cache the report\n   - for an hour\n3. Move it to a replica"
	for _, c := range []struct {
		offer, answer string
		want          []string
	}{
		{listed, "1 and 2", []string{"Add an index", "Cache the report"}},
		{listed, "mach 1 und 3, bitte", []string{"Add an index", "Move it to a replica"}},
		{listed, "let's go with 2 but not before May", []string{"Cache the report, but not before May"}},
		{listed, "2. we decided to use port 5433 for the cache", []string{"Cache the report", "We decided to use port 5433 for the cache"}},
		{"I can (1) keep it in Redis or (2) move it to SQLite, what do you prefer?", "the second one", []string{"Move it to SQLite"}},
		{"**Option A:** use Redis.\n\n**Option B:** use SQLite for the cache.\n\nWhich one?", "Option B please", []string{"Use SQLite for the cache"}},
		{"Option A – use Redis.\n\nOption B – use SQLite for the cache.\n\nWhich one?", "let's go with B", []string{"Use SQLite for the cache"}},
		{"Which one?\n\n- **Option A**: use Redis\n- **Option B**: use SQLite for the cache", "B", []string{"Option B: use SQLite for the cache"}},
		{"Should we a) split the module, b) keep it or c) rewrite it in Go?", "c please", []string{"Rewrite it in Go"}},
		{"Variante A: alles in Postgres, Variante B: Suche in Meilisearch. Was ist dir lieber?", "Variante B, aber ohne Redis", []string{"Suche in Meilisearch, aber ohne Redis"}},
		{"Two ways:\n- **A)** Redis\n- **B) Postgres-backed queue** – no broker", "B", []string{"B) Postgres-backed queue – no broker"}},
		{"Questions:\n1. What is your budget?\n2. When do you leave?", "1. 3000 euros 2. in may", nil},
		{"Questions: 1. What is your budget? 2. When do you leave?", "2: in May", nil},
		{"Reasons it may fail:\n1. Port is used\n2. Disk is full\n\nWhich one shall I check?", "2, it is full again", nil},
		{"The service has these parts:\n- the API of the shop\n- the queue of jobs\n\nWhich of these do you want?\n- move it to Go\n- leave it as it is", "2", []string{"Leave it as it is"}},
		{"Reasons:\n- the port is used\n- the disk is full\n\nWhich do you want?\n- move the port up\n- clean the disk now", "2", []string{"Clean the disk now"}},
		{"It has a) the API of the shop and b) the queue of jobs.\n\nWhich one?\na) move it to Go\nb) leave it as it is", "b", []string{"Leave it as it is"}},
		{"Which one?\n1. Move it to Go\n\nThis takes long.\n\n2. Leave it as it is", "1", []string{"Move it to Go"}},
		{"Which one?\n1. Move " + strings.Repeat("the queue and ", 6) + "the cache\n2. Leave it as it is", "1 but not before May", []string{"Move the queue and the queue and the queue and the queue and the queue and the…, but not before May"}},
		{"I changed two things:\n1. Added the index\n2. Removed the cache\n\nAnything else?", "2 looks good", nil},
	} {
		if got := accepts(c.offer, c.answer); !slices.Equal(got, c.want) {
			t.Errorf("%q to %q gives %q, want %q", c.answer, c.offer, got, c.want)
		}
	}
}

func TestAnAcceptedOptionIsADecision(t *testing.T) {
	offer := "There are three ways:\n\n1. Raise the timeout\n2. Put the jobs into a queue\n3. Option C: do nothing\n\nI would take the second."
	for answer, want := range map[string]string{
		"2": "Put the jobs into a queue", "option 1 please": "Raise the timeout", "Let's do the first one.": "Raise the timeout",
		"the second one, and hurry": "Put the jobs into a queue", "go with C": "Option C: do nothing", "no, option 2": "Put the jobs into a queue", "ja, nimm Option 2": "Put the jobs into a queue",
		"sounds good, let's go with #2": "Put the jobs into a queue", "I prefer the second option.": "Put the jobs into a queue", "Option 2 klingt gut": "Put the jobs into a queue", "Nehmen wir die zweite": "Put the jobs into a queue",
		"2 questions about that": "", "it was nr 1": "", "step 2 fails": "", "is 2 better?": "", "let's take the first step": "", "one thing is missing": "", "a queue is fine": "", "thanks": "",
	} {
		c := extract.Chunk{Session: "s", Turns: []extract.Turn{turn("s", 0, offer), turn("s", 1, answer)}}
		c.Turns[0].Speaker = extract.Assistant
		got := ""
		for _, i := range extract.Explicit(c.Turns) {
			if i.Speaker == extract.Assistant && i.Kind == extract.Decision && i.Location == c.Turns[0].Location {
				got = i.Quote
			}
		}
		if got != want {
			t.Errorf("%q accepts %q, want %q", answer, got, want)
		}
	}
}

func TestAnswersToAnAgent(t *testing.T) {
	for text, want := range map[string]string{
		"Which database should the cache use?\nSQLite, no server":              "decision: Which database should the cache use? SQLite, no server",
		"Shall I run the tests?\nYes":                                          "",
		"Use pnpm for this repository, npm breaks the lock file.":              "preference: Use pnpm for this repository, npm breaks the lock file.",
		"wait, let me look first":                                              "",
		"why that file?":                                                       "",
		"We decided to keep the old queue.":                                    "decision: We decided to keep the old queue.",
		strings.Repeat("long ", 30) + "which one?\nthe one with the blue door": "decision: " + strings.Repeat("long ", 13) + "long… the one with the blue door",
	} {
		got := ""
		for _, i := range extract.Explicit([]extract.Turn{{Speaker: extract.User, AnswersForm: true, Text: text}}) {
			got += string(i.Kind) + ": " + i.Title
		}
		if got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// What states a value or a wish is a candidate; what is explicit, asked or nobody's is not.
func TestCandidates(t *testing.T) {
	for text, want := range map[string]bool{
		"The staging database is on port 5433.": true, "We need the import to finish in under 2 minutes.": true, "Our customer is Contoso now, since May.": true,
		"We decided to keep the old queue.": false, "Can you look at port 5433?": false, "it is on port 5433": false, "thanks, that looks good now": false,
	} {
		got := extract.Candidates(extract.Turn{Speaker: extract.User, Text: text})
		if len(got) > 0 != want {
			t.Errorf("%q gives %+v, want a candidate: %v", text, got, want)
		}
	}
	if got := extract.Candidates(extract.Turn{Speaker: extract.Assistant, Text: "The staging database is on port 5433."}); len(got) > 0 {
		t.Errorf("the assistant's words give %+v", got)
	}
}

// The answer to a form is not an answer to the text before it.
func TestAnAnsweredFormEndsAnOffer(t *testing.T) {
	items := extract.Explicit([]extract.Turn{
		{Speaker: extract.Assistant, Text: "Which one?\n1. Move it to Go\n2. Leave it as it is"},
		{Speaker: extract.User, AnswersForm: true, Text: "Shall I run the tests?\nYes"},
		{Speaker: extract.User, Text: "2"},
	})
	if len(items) > 0 {
		t.Errorf("got %+v, want nothing", items)
	}
}

func TestAQuoteConsistsOfStatements(t *testing.T) {
	said := extract.Turn{Speaker: extract.User, Text: "Yes. We decided to keep the queue, for now. It stays until May.\n\nWhat do you think about Redis?\n\n```\nport = 5433\n```\nOur queue is in Go."}
	for quote, want := range map[string]bool{
		"decided to keep the queue":                                  true,
		"We decided to keep the queue, for now. It stays until May.": true,
		"Yes. We decided to keep the queue, for now.":                true,
		"It stays until May.\n\nWhat do you think about Redis?":      false,
		"```\nport = 5433\n```\nOur queue is in Go.":                 false,
		"What do you think about Redis?":                             false,
		"":                                                           false,
		"Yes.":                                                       false,
	} {
		if said.Supports(quote) != want {
			t.Errorf("%q: %v, want %v", quote, !want, want)
		}
	}
}
