package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) backupCommand() *cobra.Command {
	var identity string
	create := changing(command("create", "Back up the graph, the notes and the other files of the brain", nil))
	to := create.Flags().String("to", "", "write it to `DIR` instead of backup.dir")
	recipient := create.Flags().String("age", "", "encrypt it for this `RECIPIENT` of age")
	create.RunE = a.backupCreate(to, recipient)
	prune := rehearsed(a, (*app.UseCases).PruneBackups, pruneLines, a.showPruned)
	move := answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.MoveAnswer, error) {
		return u.Move(ctx, args[0], args[1])
	}, a.showMoved)
	plain := []*cobra.Command{
		command("list", "List backups, newest first", answersOf(a, (*app.UseCases).Backups, a.showBackups)),
		create,
		changing(command("move FROM TO", "Move the brain from one store to another; the settings follow", move)),
		changing(command("prune", "Remove old backups, as backup.keep says", prune)),
	}
	for _, c := range plain {
		run := c.RunE
		c.RunE = func(c *cobra.Command, args []string) error {
			if identity != "" {
				return usage("leave --identity out", "%s decrypts nothing", commandName(c))
			}
			return run(c, args)
		}
	}
	all := parent("backup", "Create, verify and restore backups", plain[0], append(plain[1:],
		command("verify PATH|newest", "Check every file of a backup against its manifest", a.backupVerify(&identity)),
		changing(command("restore PATH|newest", "Restore a backup; the current state is backed up first", a.backupRestore(&identity))))...)
	all.PersistentFlags().StringVar(&identity, "identity", "", "decrypt the backup with the identity of age in `FILE` (verify, restore)")
	return all
}

// backupCreate answers also when the backup lacks something of the graph, and then fails.
func (a *cli) backupCreate(to, recipient *string) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		u, err := a.use()
		if err != nil {
			return err
		}
		made, err := u.CreateBackup(c.Context(), *to, *recipient)
		if err != nil {
			return err
		}
		if err := a.answer(made, func() { a.showBackup(made) }); err != nil {
			return err
		}
		if lost := len(made.Unreadable()); lost > 0 {
			return brain.Errorf(errIncomplete, "an earlier backup may have it: `brainbridge backup list`",
				"the backup lacks %s that cannot be read; its manifest.json says which", counted(lost, "record"))
		}
		return nil
	}
}

// errIncomplete is the kind of the error about a backup that lacks something.
var errIncomplete = errors.New("incomplete")

func (a *cli) showBackup(made app.BackupAnswer) {
	if a.printQuiet(made.Backup.Path) {
		return
	}
	a.printf("%s %s, %s, %s%s\n", a.verbFor("backed up", "would back up"), countedMemories(made.Memories, made.Archived),
		counted(made.Files, "file"), humanize.IBytes(uint64(made.Bytes)), a.verbFor(": "+made.Backup.Path, ""))
	a.next("restore it with: brainbridge backup restore %s", filepath.Base(made.Backup.Path))
}

func (a *cli) showBackups(found app.BackupsAnswer) {
	t := table{head: []string{"BACKUP", "MADE", "MEMORIES", "FILES", "SIZE"}, right: "MEMORIES FILES SIZE"}
	for _, b := range found.Backups {
		memories := strconv.Itoa(b.Memories - b.Archived)
		if b.Archived > 0 {
			memories += fmt.Sprintf(" and %d archived", b.Archived)
		}
		if b.Encrypted {
			memories += " (encrypted)"
		}
		if lost := len(b.Unreadable()); lost > 0 {
			memories += " (lacks " + counted(lost, "record") + ")"
		}
		t.item(b.Path, filepath.Base(b.Path), at(b.Created), memories, strconv.Itoa(b.Files), humanize.IBytes(uint64(b.Bytes)))
	}
	if a.printList(t, "no backups yet; `brainbridge backup create` makes one") {
		a.next("in %s", filepath.Dir(found.Backups[0].Path))
	}
	if f := found.LastFailure; f != nil {
		a.say("the daemon could not make a backup at %s: %s", at(f.At), f.Problem)
	}
	switch t := found.LastTest; {
	case t == nil:
	case t.Problem == "":
		a.say("%s was restored for a test at %s: it is what was backed up", filepath.Base(t.Path), at(t.At))
	default:
		a.say("%s was restored for a test at %s, and failed: %s", filepath.Base(t.Path), at(t.At), t.Problem)
	}
}

func (a *cli) showMoved(done app.MoveAnswer) {
	if a.printQuiet(done.To) {
		return
	}
	compared := ""
	if done.Equal {
		compared = ": both stores have the same"
	}
	a.printf("%s %s and %s to %s%s\n", a.verbFor("moved", "would move"), counted(done.Memories, "memory"), counted(done.Relations, "relation"), done.To, compared)
	a.next("%s keeps what it has until you remove it: docs/backups.md says how", done.From)
}

func pruneLines(plan app.PruneAnswer) (question string, lines []string) {
	for _, path := range plan.Removed {
		lines = append(lines, "removes "+path)
	}
	if len(lines) > 0 {
		lines = append(lines, fmt.Sprintf("keeps %s, as backup.keep says", counted(len(plan.Kept), "backup")))
	}
	return "backup prune", lines
}

func (a *cli) showPruned(done app.PruneAnswer) {
	if a.quiet {
		for _, path := range done.Removed {
			a.printf("%s\n", path)
		}
		return
	}
	a.printf("%s %s, %s\n", a.verbFor("removed", "would remove"), counted(len(done.Removed), "backup"), fmt.Sprintf("kept %d", len(done.Kept)))
}

// decrypted calls do with a backup, and with the path of a plain copy of it if there is a
// file with an identity; otherwise both are the same.
func (a *cli) decrypted(c *cobra.Command, name, identity string, do func(path, plain string) error) error {
	if identity == "" {
		return do(name, name)
	}
	u, err := a.use()
	if err != nil {
		return err
	}
	d, err := u.DecryptBackup(c.Context(), name, identity)
	if err != nil {
		return err
	}
	defer d.Forget()
	return do(d.Path, d.Plain)
}

// backupRestore restores a backup, which it decrypts first if there is an identity.
func (a *cli) backupRestore(identity *string) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		return a.decrypted(c, args[0], *identity, func(path, plain string) error {
			restore := func(u *app.UseCases, ctx context.Context, from backups.Verified) (app.RestoreAnswer, error) {
				done, err := u.Restore(ctx, from)
				if plain != path {
					done.Restored = path
				}
				return done, err
			}
			a.typed = plain
			lines := func(from backups.Verified) (question string, lines []string) {
				if plain != path {
					from.Path = path
				}
				return a.restoreLines(from)
			}
			return confirmed(a, (*app.UseCases).Restorable, lines, restore, a.showRestored)(c, args)
		})
	}
}

// backupVerify answers also when the backup is damaged, and then fails.
func (a *cli) backupVerify(identity *string) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		return a.decrypted(c, args[0], *identity, func(path, plain string) error {
			u, err := a.use()
			if err != nil {
				return err
			}
			v, err := u.VerifyBackup(c.Context(), plain)
			if plain != path {
				v.Path = path
			}
			if err != nil {
				return err
			}
			return a.showVerified(v)
		})
	}
}

func (a *cli) showVerified(v backups.Verified) error {
	err := a.answer(v, func() {
		for _, p := range v.Problems {
			a.printf("%s\n", p)
		}
		if v.OK {
			a.printf("%s is intact\n", v.Path)
		}
		if v.OK && v.Encrypted() {
			a.say("it is encrypted: with --identity FILE, what is in it is compared too")
		}
		for _, l := range v.LeftOut {
			a.printf("%s is not in it: %s\n", l, l.Why)
		}
	})
	if err != nil || v.OK {
		return err
	}
	return usage(v.Hint(), "%s is damaged: %s", v.Path, counted(len(v.Problems), "problem"))
}

func (a *cli) restoreLines(from backups.Verified) (question string, lines []string) {
	l := a.core.Settings
	return "backup restore", []string{fmt.Sprintf("puts %s in the place of the brain %s in %s, its notes in %s and what is around them; the present state is saved in %s first",
		from.Path, l.Config.Brain, l.Config.Store, l.Paths.NotesDir, l.Paths.Backups)}
}

func (a *cli) showRestored(done app.RestoreAnswer) {
	switch {
	case done.Saved == "": // a dry run
	case a.printQuiet(done.Saved):
	default:
		a.printf("restored %s; the previous state is in %s\n", done.Restored, done.Saved)
	}
}
