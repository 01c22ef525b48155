package ingest

import (
	"cmp"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Note is one file of a notes directory, as its parser read it.
type Note struct {
	File string // relative to the directory, with slashes
	Gone bool   // the file no longer exists
	// Page is set for files of sections only. Their sections are counted; those of a
	// daily note, the text around its outcomes, are not.
	Page bool
	// Transcript is set for transcripts. Only searches that include transcripts find them.
	Transcript bool
	At         time.Time // the beginning of the day that the note is about; zero if it has no date
	StateOnly  bool      // store State and leave the rest of the file as it is
	Outcomes   []NoteOutcome
	Sections   []NoteSection
	State      NoteState
}

// NoteOutcome is an outcome of a daily note, or a bullet.
type NoteOutcome struct {
	brain.Source           // as the note gives it; the ID field is "" if there is none
	Bullet       bool      // a list item, or a checkbox if Kind is Reminder
	Ticked       bool      // a reminder that is done; if it was never open, it is not a reminder
	At           time.Time // the note's instant
	Undated      bool      // nobody knows when it was written; At is then the time of its file
	FormerKey    string    // its key in the file that this one was before it moved; "" for none
	Content      string    // of the memory

	secrets int // taken out of it
}

// NoteSection is text of a note that is not an outcome.
type NoteSection struct {
	brain.Section // as the note gives it; the key is unique within the file

	secrets int // taken out of it
}

// NoteState is the stored state of a file; an unchanged file is skipped.
type NoteState struct {
	Size     int64           `json:"size"`
	Modified time.Time       `json:"modified"`
	Inode    uint64          `json:"inode,omitempty"`
	Racy     bool            `json:"racy,omitempty"`  // it may have changed unnoticed: read it again
	Hash     string          `json:"hash"`            // of its bytes
	Rules    string          `json:"rules,omitempty"` // by which it was read; if they change, it is read again
	Outcomes int             `json:"outcomes"`        // and bullets
	Sections int             `json:"sections,omitempty"`
	Problems []brain.Problem `json:"problems,omitempty"`
}

// project returns the project of an outcome that had another one before. What was captured
// keeps it if the note names none: earlier versions did not write it there.
func (o NoteOutcome) project(before string) string {
	if o.ID != "" {
		return cmp.Or(o.Project, before)
	}
	return o.Project
}

// Memory returns the memory of an outcome without id and lifecycle.
func (o NoteOutcome) Memory() brain.Memory {
	m := brain.Memory{
		Name: o.Title, Content: o.Content, MemoryType: o.Type, Tags: o.Tags, Position: o.Line, Importance: o.Importance,
		Project: o.Project,
	}
	switch first, _, _ := strings.Cut(o.Content, "\n"); {
	case o.Kind == brain.Reminder:
		m.Name, m.MemoryType = "", "reminder"
	case o.Bullet && o.Title == first:
		m.Name = ""
	case o.Bullet: // without its label
		m.Name = brain.NameOf(o.Title)
	}
	m.SetUndated(o.Undated)
	m.Complete()
	return m
}
