package notes_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
)

const talkFile = "transcripts/2026-02-05-transcript.md"

const talkText = `# Transcript of 2026-02-05

## [09:10] session one

**Person:** Ask [[Walrus]] about the narwhal, we decided to keep it.

- decision: the narwhal stays
- an error, a bug, and nothing of it is an item

## [25:99] no such time

**Date:** never

##[11:00] issue: glued
The beluga sings. ` + "```" + `
`

// said is what a recall with transcripts answers.
func (r *rig) said(query string, change ...func(*recall.Query)) []recall.Recalled {
	r.Helper()
	q := recall.Query{Words: words.Parse(query), Limit: 50, NoTouch: true, Transcripts: true}
	for _, c := range change {
		c(&q)
	}
	found, err := r.brain.Recall.Recall(r.Context(), q)
	if err != nil {
		r.Fatal(err)
	}
	return found.Results
}

func TestTranscriptsAreSectionsFoundOnRequest(t *testing.T) {
	r := newRig(t)
	r.save(talkFile, talkText)
	res := r.sync()
	if res.Files != 1 || res.New != 2 || len(res.Problems) != 0 {
		t.Errorf("result: %+v, want 2 new sections of one file and no problem", res)
	}
	if found := r.recall("narwhal beluga decided"); len(found) != 0 {
		t.Errorf("an ordinary recall finds talk: %+v", found)
	}
	found := r.said("narwhal")
	if len(found) != 1 {
		t.Fatalf("recalled %d times: %+v", len(found), found)
	}
	v := found[0].Memory
	if v.MemoryType != brain.SectionType || v.Tier != nil || v.Energy != nil || v.Name != talkFile+"#[09:10] session one" {
		t.Errorf("it is %+v", v)
	}
	if !strings.Contains(v.Content, "decision: the narwhal stays") {
		t.Errorf("its list items are not in it: %q", v.Content)
	}
	r.wantPlace(v, talkFile, 3)
	if want := time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC); !v.Created.Equal(want) {
		t.Errorf("it was said at %v, want the day %v", v.Created, want)
	}
	counts, err := r.brain.Recall.Status(r.Context())
	if err != nil || counts.Total != 0 {
		t.Errorf("%d memories, error %v; talk makes none", counts.Total, err)
	}
}

func TestTranscriptsNameNobody(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-04.md", "## [09:00] note: Walrus\n\nA big one.\n")
	r.save(talkFile, talkText)
	r.sync()
	walrus := r.once("walrus")
	r.save(talkFile, strings.ReplaceAll(talkText, "[[Walrus]]", "[[Walrus]] and [[Nobody]]"))
	r.wantSync(0, 1, 2, 0)
	shown, err := r.brain.Recall.Show(r.Context(), walrus.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(shown.Relations, func(x brain.Relation) bool { return x.Type == "mentions" }) {
		t.Errorf("relations: %v", shown.Relations)
	}
}

func TestTranscriptsFollowTheirFile(t *testing.T) {
	r := newRig(t)
	r.save(talkFile, talkText)
	r.sync()
	r.wantSync(0, 0, 2, 0)
	id := r.said("narwhal")[0].Memory.ID
	r.save(talkFile, talkText+"\n## [12:00] session two\n\nThe dugong left.\n")
	r.sync()
	if found := r.said("dugong"); len(found) != 1 {
		t.Errorf("what was said later is recalled %d times", len(found))
	}
	if found := r.said("narwhal"); len(found) != 1 || found[0].Memory.ID != id {
		t.Errorf("what was said before is now %+v, want the same section", found)
	}
	r.save(talkFile, "# Transcript of 2026-02-05\n\n## [09:10] session one\n\nThe ocelot slept.\n")
	r.sync()
	if len(r.said("narwhal dugong beluga")) != 0 || len(r.said("ocelot")) != 1 {
		t.Error("the old text is found, or the new one is not")
	}
	r.remove(talkFile)
	r.wantSync(0, 0, 0, 1)
	if len(r.said("ocelot")) != 0 {
		t.Error("it is found after its file went")
	}
}

func TestTalkIsSoughtByItsDay(t *testing.T) {
	r := newRig(t)
	r.save(talkFile, talkText)
	r.save("transcripts/2026-02-01-transcript.md", "# Transcript\n\nA narwhal long ago.\n")
	r.sync()
	since := time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)
	found := r.said("narwhal", func(q *recall.Query) { q.Since = since })
	if len(found) != 1 || found[0].Memory.Source.File != talkFile {
		t.Errorf("since the day: %+v", found)
	}
	found = r.said("narwhal", func(q *recall.Query) { q.Until = since })
	if len(found) != 1 || found[0].Memory.Source.File == talkFile {
		t.Errorf("before the day: %+v", found)
	}
}

const ada = "---\ntitle: Ada Lovelace\ntags: [mathematics, engines]\ntype: person\n---\n\n# Ada\n\nShe likes gliders.\n\n## Work\n\nNotes on the engine.\n"

func TestKnowledgeWithFrontMatter(t *testing.T) {
	r := newRig(t)
	const file = "knowledge/people/ada.md"
	r.save(file, ada)
	if res := r.sync(); res.New != 3 || len(res.Problems) != 0 {
		t.Errorf("result: %+v, want 3 sections and no problem", res)
	}
	for _, words := range []string{"lovelace", "mathematics", "person"} {
		r.wantPlace(r.once(words), file, 1)
	}
	work := r.once("work")
	if work.Name != file+"#Work" || work.MemoryType != brain.SectionType {
		t.Errorf("it is %q, a %s", work.Name, work.MemoryType)
	}
	r.save(file, strings.ReplaceAll(strings.ReplaceAll(ada, "mathematics", "poetry"), "gliders", "kites"))
	r.wantSync(0, 2, 1, 0)
	if len(r.recall("mathematics gliders")) != 0 {
		t.Error("the old text is found")
	}
	r.wantPlace(r.once("poetry"), file, 1)
	r.wantPlace(r.once("kites"), file, 7)
}

// A note that holds a conversation is found like a transcript; what is explicit in it is a memory.
func TestAConversationInANote(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05-walrus.md", "# Session: 2026-02-05 10:00:00 UTC\n\n## Conversation Summary\n\nuser: Never wake the walrus before ten.\nassistant: Decision: the walrus eats at noon\n- important: an error with the herring\n")
	if res := r.sync(); len(res.Problems) != 0 {
		t.Errorf("problems: %v", res.Problems)
	}
	found := r.recall("walrus")
	if len(found) != 1 || found[0].Memory.Name != "Never wake the walrus before ten." || found[0].Memory.MemoryType != "preference" {
		t.Errorf("found %+v", found)
	}
	if talk := r.said("herring"); len(talk) != 1 {
		t.Errorf("with transcripts: %+v", talk)
	}
}
