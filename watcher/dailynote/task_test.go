package dailynote

import (
	"strings"
	"testing"
	"time"
)

// tasks returns the tasks of a text, one a line: the state, what is shown, and the due date.
func tasks(text string, opts Options) string {
	var all []string
	for _, b := range Parse([]byte(text), opts).Bullets {
		s := map[bool]string{true: "done ", false: "open "}[b.Done] + b.Shown
		if b.Kind != reminderKind {
			s = b.Kind + " " + b.Title
		}
		if !b.Due.IsZero() {
			s += strings.TrimSuffix(" | "+b.Due.Format("2006-01-02 15:04"), " 00:00")
		}
		all = append(all, s)
	}
	return strings.Join(all, "\n")
}

func TestStatesOfTasks(t *testing.T) {
	for text, want := range map[string]string{
		"- [ ] Tar the hull":                            "open Tar the hull",
		"* [/] Tar the hull":                            "open Tar the hull",
		"2. [>] Tar the hull":                           "open Tar the hull",
		"+ [<] Tar the hull":                            "open Tar the hull",
		"- [X] Tar the hull":                            "done Tar the hull",
		"- [-] Tar the hull":                            "done Tar the hull",
		"- [ ] Tar the hull ✅ 2026-02-04":               "done Tar the hull",
		"- [ ]\tTar the hull":                           "open Tar the hull",
		"- [ ] Tar the hull\n  both sides\n":            "open Tar the hull\nboth sides",
		"- [x] Tar the hull\n    - [ ] port side\n":     "done Tar the hull\nopen port side",
		"- [x](https://a.example) is a link to the bug": "note x](https://a.example) is a link to the bug",
		"- [?] Tar the hull":                            "",
		"- [ ] ":                                        "",
		"- [ ] 📅 2026-03-01":                            "",
	} {
		if strings.Contains(text, "](") {
			want = "note [x](https://a.example) is a link to the bug"
		}
		if got := tasks(text, Options{Day: day}); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A task is shown without the marks that programs for tasks add, and they give its date.
func TestMarkersOfTasks(t *testing.T) {
	for text, want := range map[string]string{
		"Paint the mast 📅 2026-03-09":                                     "Paint the mast | 2026-03-09",
		"Paint the mast 🗓️ 2026-03-09 ⏫ #task":                            "Paint the mast | 2026-03-09",
		"#task Paint the mast 🔺 ➕ 2026-02-01 ⏳ 2026-03-01 📅2026-03-09":    "Paint the mast | 2026-03-09",
		"Paint the mast (due: 2026-03-09)":                                "Paint the mast | 2026-03-09",
		"Paint the mast (📅 2026-03-09)":                                   "Paint the mast | 2026-03-09",
		"Paint the mast (@2026-03-09)":                                    "Paint the mast | 2026-03-09",
		"Paint the mast due:9.3.2026, in red":                             "Paint the mast, in red | 2026-03-09",
		"Paint the mast due:tomorrow":                                     "Paint the mast | 2026-02-06",
		"Paint the mast due 03/19/2026":                                   "Paint the mast due 03/19/2026 | 2026-03-19",
		"Paint the mast due:soon":                                         "Paint the mast due:soon",
		"Paint the mast ⏳ 2026-03-01":                                     "Paint the mast | 2026-03-01",
		"Paint the mast 🔁 every 2 weeks 📅 2026-03-09":                     "Paint the mast | 2026-03-09",
		"Paint the mast due:2026-03-09":                                   "Paint the mast | 2026-03-09",
		"Paint the mast due: 2026-03-09, both sides":                      "Paint the mast, both sides | 2026-03-09",
		"Paint the mast [due:: 2026-03-09] [priority:: high]":             "Paint the mast | 2026-03-09",
		"Paint the mast (due:: 9 March 2026) (created:: 2026-02-01)":      "Paint the mast | 2026-03-09",
		"Paint the mast @due(2026-03-09) priority:low":                    "Paint the mast | 2026-03-09",
		"Paint the mast @{2026-03-09} @@{10:00}":                          "Paint the mast | 2026-03-09",
		"Paint the mast 📅 2026-03-09 ^mast-1":                             "Paint the mast | 2026-03-09",
		"Paint the mast 🆔 mast1 ⛔ hull2":                                  "Paint the mast",
		"Paint [[Boats/Heron|the heron]] by Friday":                       "Paint the heron by Friday | 2026-02-06",
		"Paint [[Heron]] with <!-- not green --> blue %% cheap %%":        "Paint Heron with blue",
		"Ask for due process and priority seats":                          "Ask for due process and priority seats",
		"Paint the mast until 9 March at 10:30":                           "Paint the mast until 9 March at 10:30 | 2026-03-09 10:30",
		"Mail bo@due.example about #taskforce and 5 #todos of 🔧 the mast": "Mail bo@due.example about #taskforce and 5 #todos of 🔧 the mast",
	} {
		if got := tasks("- [ ] "+text+"\n", Options{Day: day}); got != "open "+want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Only a remark about another day is no part of a task.
func TestRemarksOfCarriedTasks(t *testing.T) {
	for text, want := range map[string]string{
		"Paint the mast (carried from Friday)":    "Paint the mast",
		"Paint the mast (verschoben)":             "Paint the mast",
		"Paint the mast (from 11 Nov)":            "Paint the mast",
		"Paint the mast [moved to next week]":     "Paint the mast",
		"The sofa has to be moved to the attic":   "The sofa has to be moved to the attic",
		"Get the tar (from Lidl)":                 "Get the tar (from Lidl)",
		"See that the anchor is copied by Monday": "See that the anchor is copied by Monday",
	} {
		if got := WithoutCarriedRemark(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Outside daily notes a task counts if it has a date.
func TestTasksOfOtherFiles(t *testing.T) {
	const text = "# Boat\n\n- [ ] Tar the hull\n- [ ] Paint the mast 📅 2026-03-09\n- [ ] Call Bo tomorrow\n- [x] Oil it 📅 2026-01-02\n"
	at := time.Date(2026, 2, 5, 22, 0, 0, 0, time.UTC)
	want := "open Paint the mast | 2026-03-09\nopen Call Bo tomorrow | 2026-02-06\ndone Oil it | 2026-01-02"
	if got := tasks(text, Options{Modified: at}); got != want {
		t.Errorf("got %q", got)
	}
	if got := tasks("---\ndate: 2026-02-10\n---\n"+text, Options{Modified: at}); !strings.Contains(got, "Call Bo tomorrow | 2026-02-11") {
		t.Errorf("with a date of its own: %q", got)
	}
	for _, opts := range []Options{{Plain: true}, {Plain: true, Day: day}} {
		if got := tasks(text, opts); got != "" {
			t.Errorf("%+v: %q", opts, got)
		}
	}
}
