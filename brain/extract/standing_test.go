package extract_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain/extract"
)

// An order to the agent is kept if a mark says that it holds beyond this moment.
func TestOrdersThatHold(t *testing.T) {
	for mark, texts := range map[string][]string{
		"always, never":      {"ok but always quote shell variables", "You must never cache personal data.", "For feature flags, never reuse an old key"},
		"from now on":        {"from now on u answer with bullet points only", "Pls give me metric units going forward", "Next time you rename a column, write down why."},
		"not again":          {"dont format that table with spaces anymore", "Please don't ever squash the history of a shared branch."},
		"each event":         {"Update the changelog with every release, please.", "I want a benchmark for every refactoring."},
		"a general case":     {"Whenever you delete a table, leave a backup", "before publishing, bump the minor version", "When in doubt, ask me.", "Check the licence before you add a package"},
		"with a reservation": {"Don't rename public types unless I ask for it", "dont drop a table without my approval"},
		"asked politely":     {"could you stop adding blank lines to imports?", "Would you please use tabs from here on?"},
		"a rule of work":     {"Every migration needs a rollback.", "All commit messages must be in lower case."},
		"a custom":           {"We don't release on Thursdays"},
		"no need":            {"You don't need to show me the diff each time."},
	} {
		for _, text := range texts {
			if items := defaultItems(t, text); len(items) != 1 || items[0].Kind != extract.Preference {
				t.Errorf("%s: %q gives %+v, want a standing instruction", mark, text, items)
			}
		}
	}
}

func TestWhatIsNoStandingInstruction(t *testing.T) {
	for reason, texts := range map[string][]string{
		"an order for now":      {"Format the table again", "don't format it for now", "Before you go on, open this page."},
		"what happens":          {"It never ends, every time I scroll", "From now on it starts by itself.", "The job always fails on Sundays"},
		"what somebody does":    {"She always rebases", "I never remember the port", "My colleague told me to always squash"},
		"what a program does":   {"Write a parser that never allocates", "If a user signs out, never keep the token", "Add a button to each page"},
		"a question":            {"Can you always nest generics?", "why do you never use enums?"},
		"a thing at hand":       {"When you are finished, delete the folder", "Next time I travel, remind me"},
		"the words of others":   {`"Never merge on Fridays" stands in their handbook.`, "The guide says: always use tabs"},
		"a role for a prompt":   {"Act as a chef. Always answer in rhymes."},
		"advice, and no orders": {"You can always change the name later", "never mind, it works"},
	} {
		for _, text := range texts {
			if items := defaultItems(t, text); len(items) != 0 {
				t.Errorf("%s: %q gives %+v, want nothing", reason, text, items)
			}
		}
	}
}

func TestDecisionsAndPreferencesThatSaySo(t *testing.T) {
	for kind, texts := range map[extract.Kind][]string{
		extract.Decision:   {"After the retro we agreed on two reviewers for each change", "We're going with Terraform for the network.", "protobuf instead of JSON", "let's stick with Debian for the servers"},
		extract.Preference: {"I prefer plain functions over decorators", "I like it when you name the file first.", "id rather have one big module than ten small ones"},
		"":                 {"We agreed to meet at noon", "let's go with that", "we decided to go for lunch", "maybe we go with Terraform", "I like the colour", "I got a list instead of a map", "They decided to move to Go"},
	} {
		for _, text := range texts {
			items := defaultItems(t, text)
			if got := extract.KindOf(text); got != kind || len(items) > 1 {
				t.Errorf("%q gives %+v, want the kind %q", text, items, kind)
			}
		}
	}
}
