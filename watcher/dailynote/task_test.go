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
		"- [ ] ~~Tar the hull~~":                        "done ~~Tar the hull~~",
		"- [ ] ~~Tar~~ oil the ~~hull~~":                "open ~~Tar~~ oil the ~~hull~~",
		"- [ ] Tar the hull ✅ 2026-02-04":               "done Tar the hull",
		"- [ ]\tTar the hull":                           "open Tar the hull",
		"- [ ] Tar the hull\n  both sides\n":            "open Tar the hull\nboth sides",
		"- [x] Tar the hull\n    - [ ] port side\n":     "done Tar the hull\nopen port side",
		"- [x](https://a.example) is a link to the bug": "note x is a link to the bug",
		"- [?] Tar the hull":                            "",
		"- [ ] ":                                        "",
		"- [ ] 📅 2026-03-01":                            "",
		"- [ ] ?":                                       "",
		"- [ ] TODO":                                    "",
	} {
		if got := tasks(text, Options{Day: day}); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A task is shown without the marks that programs for tasks add, and they give its date.
func TestMarkersOfTasks(t *testing.T) {
	for text, want := range map[string]string{
		"Paint the mast 📅 2026-03-09":                                           "Paint the mast | 2026-03-09",
		"Paint the mast 🗓️ 2026-03-09 ⏫ #task":                                  "Paint the mast | 2026-03-09",
		"#task Paint the mast 🔺 ➕ 2026-02-01 ⏳ 2026-03-01 📅2026-03-09":          "Paint the mast | 2026-03-09",
		"Paint the mast (due: 2026-03-09)":                                      "Paint the mast | 2026-03-09",
		"Paint the mast (📅 2026-03-09)":                                         "Paint the mast | 2026-03-09",
		"Paint the mast (@2026-03-09)":                                          "Paint the mast | 2026-03-09",
		"Paint the mast due:9.3.2026, in red":                                   "Paint the mast, in red | 2026-03-09",
		"Paint the mast due:tomorrow":                                           "Paint the mast | 2026-02-06",
		"Paint the mast due 03/19/2026":                                         "Paint the mast due 03/19/2026 | 2026-03-19",
		"Paint the mast due:soon":                                               "Paint the mast due:soon",
		"Paint the mast ⏳ 2026-03-01":                                           "Paint the mast | 2026-03-01",
		"Paint the mast 🔁 every 2 weeks 📅 2026-03-09":                           "Paint the mast | 2026-03-09",
		"Paint the mast due:2026-03-09":                                         "Paint the mast | 2026-03-09",
		"Paint the mast due: 2026-03-09, both sides":                            "Paint the mast, both sides | 2026-03-09",
		"Paint the mast [due:: 2026-03-09] [priority:: high]":                   "Paint the mast | 2026-03-09",
		"Paint the mast (due:: 9 March 2026) (created:: 2026-02-01)":            "Paint the mast | 2026-03-09",
		"Paint the mast @due(2026-03-09) ⏫ #deck 🔁 every week on Sunday":        "Paint the mast #deck | 2026-03-09",
		"Paint the mast @{2026-03-09} @@{10:00}":                                "Paint the mast | 2026-03-09",
		"Paint the mast 📅 2026-03-09 ^mast-1":                                   "Paint the mast | 2026-03-09",
		"Paint #task ➕ 2026-01-01 ⏳ 2026-03-02 [priority:: high] with [[Mara]]": "Paint with Mara | 2026-03-02",
		"Paint the mast 🆔 mast1 ⛔ hull2":                                        "Paint the mast",
		"Paint [[Boats/Heron|the heron]] by Friday":                             "Paint the heron by Friday | 2026-02-06",
		"Paint [[Heron]] with <!-- not green --> blue %% cheap %%":              "Paint Heron with blue",
		"Ask for due process and priority seats":                                "Ask for due process and priority seats",
		"Paint the mast until 9 March at 10:30":                                 "Paint the mast until 9 March at 10:30 | 2026-03-09 10:30",
		"Mail bo@due.example about #taskforce and 5 #todos of 🔧 the mast":       "Mail bo@due.example about #taskforce and 5 #todos of 🔧 the mast",
	} {
		if got := tasks("- [ ] "+text+"\n", Options{Day: day}); got != "open "+want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// The words of a person are no marks, and a sign in a sentence closes no task.
func TestWordsOfTasks(t *testing.T) {
	for _, text := range []string{
		"⛔ Never merge without review", "🔁 Weekly review of the backlog", "🔁 every release: write the notes",
		"Make the ✅ button green", "Replace the ❌ of the dialog", "Sort ⏫ before 🔼 in the list",
		"Fix @{upstream} tracking", "Read Meyers (Effective::Modern)", "Link std::span (note:: it copies)",
		"Hide lines with priority: low", "Change the accent to #ff6600", "Ask in #incidents who is on call",
		"Rename the #todo tag of the vault", "Compute 2 ^ 10 and 2 ^n", "Call main () twice", "Friday: ⛔ deploy",
		"Scan the 🆔 card", "Quote with ` instead of '", "Print 50%% here and 20%% there", "Escape `[[ -f x ]]` in bash",
		"Den Müll rausbringen 🗑", "Zähle grid[x][y] und x**2 + y**2", "Ship (carried by Bo) the mast",
	} {
		if got := tasks("- [ ] "+text+"\n", Options{Day: day}); got != "open "+text {
			t.Errorf("%q is %q", text, got)
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
