package notes_test

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// openReminders returns the open reminders by their text.
func (r *rig) openReminders() map[string]brain.Source {
	r.Helper()
	found, err := r.brain.Recall.Sources(r.Context(), brain.SourceFilter{Kind: brain.Reminder, Open: true, Limit: 99})
	if err != nil {
		r.Fatal(err)
	}
	open := map[string]brain.Source{}
	for _, s := range found {
		open[s.Text] = s
	}
	return open
}

func TestCheckboxesAreReminders(t *testing.T) {
	r := newRig(t) // on 2026-02-06
	const call, paint = "Call Mara by friday", "Paint the door 2026-03-01"
	r.save("2026-02-05.md", "# A\n\n- [ ] "+call+"\n- [ ] "+paint+" #project/house\n- [x] Bought milk\n- [ ] \n")
	r.sync()
	open := r.openReminders()
	if len(open) != 2 {
		t.Fatalf("open: %v", open)
	}
	if got, want := open[call].Due, time.Date(2026, 2, 6, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("due %v, want %v", got, want)
	}
	if s := open[paint]; s.Project != "house" || s.Due.Month() != time.March {
		t.Errorf("%+v", s)
	}
	if m := r.once("mara"); m.MemoryType != "reminder" || m.Content != call {
		t.Errorf("%+v", m)
	}
	if r.once("milk").MemoryType != brain.SectionType {
		t.Error("what was done before it was read is a memory")
	}

	r.save("2026-02-05.md", "# A\n\n- [x] "+call+"\n- [ ] "+paint+" #project/house\n")
	if got := r.sync(); got.Changed != 1 || len(r.openReminders()) != 1 {
		t.Fatalf("ticked: %+v, open %v", got, r.openReminders())
	}
	r.save("2026-02-05.md", "# A\n\n- [ ] "+call+"\n- [ ] "+paint+" #project/house\n")
	r.sync()
	if len(r.openReminders()) != 2 {
		t.Fatal("taking the tick off does not open it again")
	}

	// Done by hand, it stays done while the file stays as it is.
	if _, err := r.brain.Capture.Done(t.Context(), open[call].ID, false); err != nil {
		t.Fatal(err)
	}
	r.save("2026-02-05.md", "# A\n\n- [ ] "+call+"\n- [ ] "+paint+" #project/house\n\nmore\n")
	r.sync()
	if _, again := r.openReminders()[call]; again {
		t.Error("a reminder that was done by hand is open again")
	}

	// A line that is deleted needs no doing; when it comes back, it does.
	r.save("2026-02-05.md", "# A\n\n- [ ] "+call+"\n")
	r.sync()
	if open := r.openReminders(); len(open) != 0 {
		t.Errorf("open after deleting the line: %v", open)
	}
	r.save("2026-02-05.md", "# A\n\n- [ ] "+call+"\n- [ ] "+paint+" #project/house\n")
	r.sync()
	if open := r.openReminders(); len(open) != 1 {
		t.Errorf("open after bringing the line back: %v", open)
	}
}

func TestDueDates(t *testing.T) {
	r := newRig(t)
	for text, want := range map[string]string{
		"Send it by friday": "2026-02-06T00:00", "Bis Freitag um 14:00 abgeben": "2026-02-06T14:00", "pay by 2026-03-02": "2026-03-02T00:00",
		"Rechnung zahlen (12.3.2026)": "2026-03-12T00:00", "due: tomorrow": "2026-02-06T00:00", "write by hand until monday": "2026-02-09T00:00", "on the way": "",
	} {
		r.save("2026-02-05.md", "- [ ] "+text+"\n")
		r.sync()
		got := ""
		if due := r.openReminders()[text].Due; !due.IsZero() {
			got = due.Format("2006-01-02T15:04")
		}
		if got != want {
			t.Errorf("%q is due %q, want %q", text, got, want)
		}
	}
}
