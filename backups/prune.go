package backups

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// Retention says which backups of a brain [Prune] keeps: the newest ones, and the newest of
// each of the last days and weeks that have one.
type Retention struct{ Newest, Daily, Weekly int }

// replacedAge is how long the state that a restore replaced is kept.
const replacedAge = 30 * 24 * time.Hour

// outdated returns those of the backups of a brain, newest first, that are not kept. The newest
// plain one that lacks nothing is always kept. Days and weeks are those of the zone of now.
func (r Retention) outdated(all []Backup, now time.Time) (outdated []Backup) {
	whole := slices.IndexFunc(all, func(b Backup) bool { return !b.replaced() && b.Intact() })
	n, days, weeks := 0, map[string]bool{}, map[string]bool{}
	for i, b := range all {
		kept := now.Sub(b.Created) <= replacedAge
		if !b.replaced() {
			at := b.Created.In(now.Location())
			year, week := at.ISOWeek()
			daily := first(days, at.Format(time.DateOnly), r.Daily)
			weekly := first(weeks, fmt.Sprint(year, week), r.Weekly)
			kept = daily || weekly || n < r.Newest || i == whole
			n++
		}
		if !kept {
			outdated = append(outdated, b)
		}
	}
	return outdated
}

// first adds a key to a set and reports whether it was new and is one of the first limit.
func first(set map[string]bool, key string, limit int) bool {
	if set[key] || len(set) >= limit {
		return false
	}
	set[key] = true
	return true
}

// replaced reports whether a restore made it.
func (b Backup) replaced() bool { return strings.HasPrefix(filepath.Base(b.Path), replacedPrefix) }

// Intact reports whether everything that the store had is in it and can be restored without
// an identity.
func (b Backup) Intact() bool { return !b.Encrypted && len(b.Unreadable()) == 0 }

// Pruned says which backups of a brain were removed, and which were kept.
type Pruned struct{ Removed, Kept []Backup }

// Prune removes the backups of a brain in a folder that are not kept, and leaves those with a
// damaged manifest alone. A dry run removes nothing.
func Prune(ctx context.Context, dir, brainName string, r Retention, now time.Time, dry bool) (p Pruned, err error) {
	prune := func() error {
		all, err := List(dir, nil)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(b Backup) bool { return b.Brain != brainName })
		p.Removed = r.outdated(all, now)
		for _, b := range all {
			if !slices.ContainsFunc(p.Removed, func(o Backup) bool { return o.Path == b.Path }) {
				p.Kept = append(p.Kept, b)
			} else if !dry {
				if err := remove(b.Path); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if dry {
		return p, prune()
	}
	return p, folderLock(dir).Do(ctx, prune)
}

func folderLock(dir string) durable.Lock {
	return durable.Lock{
		Path: filepath.Join(dir, ".lock"), Wait: time.Hour,
		Busy: brain.Busy("another process is making a backup in %s", dir),
	}
}

// remove removes a backup. If the process dies meanwhile, the rest counts as unfinished.
func remove(path string) error {
	aside := filepath.Join(filepath.Dir(path), unfinished+filepath.Base(path))
	if err := os.Rename(path, aside); err != nil {
		return fmt.Errorf("remove the backup %s: %w", path, err)
	}
	return os.RemoveAll(aside)
}
