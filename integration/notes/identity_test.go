package notes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestSecondSyncChangesNothing(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.save("knowledge/people/ada.md", "# Ada\n\nAda likes gliders.\n")
	r.wantSync(3, 0, 0, 0)
	before := r.once("heron")
	updates := r.store.updates.Load()
	r.wantSync(0, 0, 3, 0)
	if n := r.store.updates.Load() - updates; n != 1 {
		t.Errorf("%d writes, want the time of the scan alone", n)
	}
	if after := r.once("heron"); after.ID != before.ID || *after.Energy != *before.Energy {
		t.Errorf("the memory changed: %+v, %+v", before, after)
	}
	r.once("gliders")
}

func TestSectionsOfKnowledgeCount(t *testing.T) {
	r := newRig(t)
	const file, lake = "knowledge/z.md", "# Lake\n\nOtters.\n"
	r.save("2026-02-05.md", "# 2026-02-05 - Daily Notes\n\n## Weather\n\nRain.\n")
	r.save(file, "# Zoo\n\nPenguins.\n\n"+lake)
	r.wantSync(2, 0, 0, 0)
	r.wantSync(0, 0, 2, 0)
	r.touch(file)
	r.wantSync(0, 0, 2, 0)
	r.save(file, "# Zoo\n\nPuffins.\n\n"+lake+"\n# Pond\n\nFrogs.\n")
	r.wantSync(1, 1, 1, 0)
	r.save(file, lake)
	r.wantSync(0, 0, 1, 2)
	r.remove(file)
	r.wantSync(0, 0, 0, 1)
	r.wantSync(0, 0, 0, 0)
}

func TestSavesThatChangeNothing(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.wantSync(2, 0, 0, 0)
	id := r.once("heron").ID
	for name, save := range map[string]func(){
		"touch":          func() { r.touch("2026-02-05.md") },
		"write in place": func() { r.save("2026-02-05.md", note) },
		"rename save": func() {
			r.save(".tmp", note)
			r.rename(".tmp", "2026-02-05.md")
		},
		"backup dance": func() {
			r.rename("2026-02-05.md", "2026-02-05.md~")
			r.save("2026-02-05.md", note)
		},
		"copy of the file": func() { r.save("2026-02-05-copy.md", note); r.sync(); r.remove("2026-02-05-copy.md") },
	} {
		save()
		r.wantSync(0, 0, 2, 0)
		if got := r.once("heron"); got.ID != id {
			t.Errorf("%s: another memory", name)
		} else {
			r.wantPlace(got, "2026-02-05.md", 3)
		}
	}
}

func TestEditKeepsIDAndEarlierText(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	before := r.once("heron")
	r.now = r.now.Add(time.Minute)
	r.save("2026-02-05.md", strings.Replace(note, "heron engine", "pelican motor", 1))
	r.wantSync(0, 1, 1, 0)
	after := r.once("pelican")
	if after.ID != before.ID || !after.ValidFrom.Equal(r.now) {
		t.Errorf("edited: %s valid from %s, want %s from %s", after.ID, after.ValidFrom, before.ID, r.now)
	}
	shown, err := r.brain.Recall.Show(t.Context(), after.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	past := ""
	for _, rel := range shown.Relations {
		if rel.Type == brain.Supersedes && rel.From == after.ID {
			past = rel.To
		}
	}
	old, err := r.brain.Recall.Show(t.Context(), past, true)
	if err != nil || !strings.Contains(old.Memory.Content, "heron engine") || !old.Memory.ValidTo.Equal(r.now) {
		t.Errorf("the earlier text is %+v, %v", old.Memory, err)
	}
	// Back to the older version, as git checkout brings it.
	r.save("2026-02-05.md", note)
	r.wantSync(0, 1, 1, 0)
	if again := r.once("engine"); again.ID != before.ID {
		t.Error("the older text is another memory")
	}
	if n := len(r.recall("pelican")); n != 0 {
		t.Errorf("the text that was taken back is recalled %d times", n)
	}
}

func TestNewHeaderSameBodyIsTheSameOutcome(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	id := r.once("heron").ID
	r.save("2026-02-05.md", strings.Replace(note, "decision: Heron database", "decision: Choice of storage", 1))
	r.wantSync(0, 1, 1, 0)
	if got := r.once("storage"); got.ID != id || got.Name != "Choice of storage" {
		t.Errorf("renamed: %+v", got)
	}
}

// The ID field alone makes the identity of a captured outcome: its key says
// nothing of what became of its header.
func TestHeaderAloneReachesTheMemory(t *testing.T) {
	id := brain.NewID()
	text := "## [09:00] decision: Heron\n\n**ID:** " + id + "\n\nWe use the heron engine.\n"
	for name, edit := range map[string][2]string{
		"type": {"[09:00] decision", "[09:00] lesson"}, "time": {"[09:00]", "[10:30]"},
		"date": {"**ID:**", "**Date:** 2026-02-04\n**ID:**"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.save("2026-02-05.md", text)
			r.sync()
			before, past := r.once("heron"), r.source(r.once("heron").ID)
			r.save("2026-02-05.md", strings.Replace(text, edit[0], edit[1], 1))
			r.wantSync(0, 1, 0, 0)
			after := r.once("heron")
			s := r.source(after.ID)
			if after.ID != before.ID || *after.Energy != *before.Energy || s.ID != past.ID {
				t.Errorf("another memory: %+v, was %+v", after, before)
			}
			if got := [3]string{s.Type, s.Time, s.Date}; got == [3]string{past.Type, past.Time, past.Date} || after.MemoryType != s.Type {
				t.Errorf("the memory is a %s of %v", after.MemoryType, got)
			}
			r.wantSync(0, 0, 1, 0)
		})
	}
}

func TestNewTypeOfAnOutcomeWithoutID(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	before := r.once("heron")
	r.save("2026-02-05.md", strings.Replace(note, "decision: Heron", "lesson: Heron", 1))
	r.wantSync(0, 1, 1, 0)
	if got := r.once("heron"); got.ID != before.ID || got.MemoryType != "lesson" || *got.Energy != *before.Energy {
		t.Errorf("the header says lesson: %+v, was %+v", got, before)
	}
}

func TestSameTitleAnotherDayFollows(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	older := r.once("engine").ID
	r.save("2026-02-06.md", "## [09:00] decision: heron  DATABASE\n\nStill the walrus.\n")
	r.wantSync(1, 0, 2, 0)
	newer := r.once("walrus").ID
	r.wantRelation(newer, "follows", older)
}

func (r *rig) wantRelation(from, kind, to string) {
	r.Helper()
	shown, err := r.brain.Recall.Show(r.Context(), to, true)
	if err != nil {
		r.Fatal(err)
	}
	for _, rel := range shown.Relations {
		if rel == (brain.Relation{From: from, Type: kind, To: to}) {
			return
		}
	}
	r.Errorf("no %s from %s to %s in %+v", kind, from, to, shown.Relations)
}

func TestGoneIsKeptAndComesBack(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	id := r.once("heron").ID
	r.save("2026-02-05.md", "## [10"+strings.SplitN(note, "## [10", 2)[1])
	r.wantSync(0, 0, 1, 1)
	if got := r.once("heron"); got.ID != id || r.source(id).Removed.IsZero() {
		t.Errorf("gone: %+v, %+v", got, r.source(id))
	}
	r.save("2026-02-05.md", note)
	r.wantSync(0, 0, 2, 0)
	if s := r.source(r.once("heron").ID); s.ID != r.source(id).ID || !s.Removed.IsZero() {
		t.Errorf("back: %+v", s)
	}
	r.remove("2026-02-05.md")
	r.wantSync(0, 0, 0, 2)
	r.wantSync(0, 0, 0, 0)
	if r.source(id).Removed.IsZero() {
		t.Error("the file is gone and its outcome is not marked")
	}
	r.save("2026-02-05.md", note)
	r.wantSync(0, 0, 2, 0)
	if r.once("heron").ID != id {
		t.Error("it came back as another memory")
	}
}

func TestRenamedFileKeepsItsOutcomes(t *testing.T) {
	r := newRig(t)
	for _, to := range []string{"2026-02-05-zebra.md", "2026-02-05-ant.md"} {
		r.save("2026-02-05.md", note)
		r.sync()
		id := r.once("heron").ID
		r.rename("2026-02-05.md", to)
		r.wantSync(0, 0, 2, 0)
		got := r.once("heron")
		r.wantPlace(got, to, 3)
		if got.ID != id || !r.source(id).Removed.IsZero() {
			t.Errorf("renamed to %s: %+v", to, r.source(id))
		}
		r.rename(to, "2026-02-05.md")
		r.sync()
	}
}

func TestCopyTakesOverWhenTheFirstIsGone(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	r.save("2026-02-05-copy.md", note)
	r.wantSync(0, 0, 4, 0)
	r.wantPlace(r.once("heron"), "2026-02-05.md", 3)
	r.remove("2026-02-05.md")
	res, err := r.door.SyncPaths(t.Context(), []string{"2026-02-05.md"})
	if err != nil || res.Gone != 0 {
		t.Errorf("take: %+v, %v", res, err)
	}
	got := r.once("heron")
	r.wantPlace(got, "2026-02-05-copy.md", 3)
	if !r.source(got.ID).Removed.IsZero() {
		t.Error("the copy still has the outcome, and it counts as gone")
	}
}

func TestMovedOutcomeIsNotGone(t *testing.T) {
	r := newRig(t)
	a := "## [09:00] decision: Heron database\n\n**Date:** 2026-02-05\n\nWe use the heron engine.\n"
	r.save("2026-02-05.md", a+"\n## [10:00] lesson: Otters swim\n\nOtters need rivers.\n")
	r.save("2026-02-04.md", "## [08:00] note: Start\n\nMorning.\n")
	r.sync()
	id := r.once("heron").ID
	r.save("2026-02-05.md", "## [10:00] lesson: Otters swim\n\nOtters need rivers.\n")
	r.save("2026-02-04.md", "## [08:00] note: Start\n\nMorning.\n\n"+a)
	r.wantSync(0, 0, 3, 0)
	got := r.once("heron")
	if got.ID != id {
		t.Error("moved outcome is another memory")
	}
	r.wantPlace(got, "2026-02-04.md", 5)
}

func TestTwoFilesWithOneHeaderKeepBothTexts(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", "## [09:00] note: Standup\n\nAbout herons.\n")
	r.save("2026-02-05-team.md", "## [09:00] note: Standup\n\nAbout otters.\n")
	r.wantSync(2, 0, 0, 0)
	herons, otters := r.once("herons").ID, r.once("otters").ID
	for range 2 {
		r.touch("2026-02-05.md")
		r.save("2026-02-05-team.md", "## [09:00] note: Standup\n\nAbout otters. \n\n")
		r.wantSync(0, 0, 2, 0)
	}
	r.save("2026-02-05-team.md", "## [09:00] note: Standup\n\nAbout otters and seals.\n")
	r.wantSync(0, 1, 1, 0)
	if r.once("herons").ID != herons || r.once("seals").ID != otters {
		t.Error("the outcomes of the two files took each other's place")
	}
}

func TestBulletsCarryTheirHeading(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", "# 2026-02-05 - Daily Notes\n\n- decided: green tea\n\n## Kitchen\n\n- **fixed:** the old kettle\n- bought milk\n")
	r.wantSync(2, 0, 0, 0)
	kettle := r.once("kettle")
	if kettle.Content != "**fixed:** the old kettle\n\n(Kitchen)" || kettle.Name != "the old kettle" || kettle.MemoryType != "resolution" {
		t.Errorf("bullet: %+v", kettle)
	}
	if tea := r.once("tea"); tea.Content != "decided: green tea" || tea.MemoryType != "decision" {
		t.Errorf("bullet below the title of the day: %+v", tea)
	}
	milk := r.once("milk")
	if shown, err := r.brain.Recall.Show(t.Context(), milk.ID, false); err != nil || shown.Memory.Content != milk.Content {
		t.Errorf("the id of a section shows %+v, %v", shown.Memory, err)
	}
	if milk.MemoryType != "section" || milk.Name != "2026-02-05.md#Kitchen" {
		t.Errorf("other text: %+v", milk)
	}
}

func TestForgottenStaysForgotten(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	if _, _, err := r.brain.Journal.Forget(t.Context(), r.once("heron").ID, "test"); err != nil {
		t.Fatal(err)
	}
	r.touch("2026-02-05.md")
	r.save("2026-02-05-copy.md", note)
	r.sync()
	r.save("2026-02-05.md", note+"\nmore about otters\n")
	r.sync()
	for _, v := range r.recall("heron engine") {
		if v.Memory.MemoryType == "decision" {
			t.Errorf("it came back: %+v", v.Memory)
		}
	}
}

// A memory arrives as it would be today: half a year old, it has expired; of this
// morning, it is as fresh as one that was captured then.
func TestALifeBeginsAtItsDate(t *testing.T) {
	r := newRig(t) // on 2026-02-06 at 12:00
	r.save("2025-08-06.md", "## [09:00] decision: Rent the small office\n\nIt is enough.\n\n## Later\n\n- decided: paint it white\n")
	r.save("vault/2026-02-06.md", "## [11:00] lesson: Ask first\n\nAlways.\n\n## Later\n\n- decided: paint it red\n")
	r.sync()
	for words, want := range map[string]tiers.Tier{
		"rent small office": tiers.Expired, "paint white": tiers.Expired, "ask first": tiers.Working, "paint red": tiers.Working,
	} {
		if got := *r.recall(words)[0].Memory.Tier; got != want {
			t.Errorf("%s is %s, want %s", words, got, want)
		}
	}
}

func TestProjectsOfNotes(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", "## [09:00] decision: Sell umbrellas\n\n**Project:** shop\n\nRain.\n\n## [10:00] decision: Print globes #project/atlas\n\nRound.\n\n"+
		"## [11:00] decision: Buy a kettle\n\nTea.\n\n## Other\n\n- decided: paint the door #project/shop\n")
	r.save("2026-02-04-rivers.md", "---\nproject: atlas\n---\n\n## [09:00] decision: Draw rivers blue\n\nAs water.\n")
	r.save("knowledge/projects/atlas/scale.md", "# Scale\n\nOne to a million, pelicans included.\n")
	r.save("vault/page.md", "---\nproject: shop\n---\n\n# Till\n\nThe drawer sticks.\n")
	r.sync()
	for words, want := range map[string]string{
		"umbrellas": "shop", "globes": "atlas", "kettle": "", "paint door": "shop", "rivers blue": "atlas", "pelicans": "atlas", "drawer": "shop",
	} {
		if got := string(r.recall(words)[0].Memory.Project); got != want {
			t.Errorf("%s belongs to %q, want %q", words, got, want)
		}
	}
	id := r.once("kettle").ID
	r.save("2026-02-05.md", "## [11:00] decision: Buy a kettle\n\n**Project:** shop\n\nTea.\n")
	r.sync()
	if v := r.once("kettle"); v.ID != id || v.Project != "shop" {
		t.Errorf("with a project added it is %+v", v)
	}
}
