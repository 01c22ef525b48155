package services_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
)

// inProject remembers a text of a project.
func (l *lab) inProject(project, text string) string {
	l.t.Helper()
	return l.remember(text, func(_ *brain.Memory, d *brain.Details) { d.Project = project })
}

// wantRecalled expects what a query returns, in order.
func (l *lab) wantRecalled(q recall.Query, want ...string) []recall.Recalled {
	l.t.Helper()
	found := l.recollect(q)
	if diff := cmp.Diff(want, contents(found)); diff != "" {
		l.t.Errorf("recalled (-want +got):\n%s", diff)
	}
	return found
}

const (
	olderPort = "The staging port is 5432, and nothing but the staging port."
	newerPort = "The staging port is 5500."
)

func TestRecallPutsTheNewerClaimFirst(t *testing.T) {
	l := newLab(t)
	older := l.note(olderPort)
	early := l.now
	l.later(time.Hour)
	newer := l.note(newerPort)
	l.note("A staging port of another kind.")
	found := l.wantRecalled(recall.Query{Words: words.Parse("staging port")}, newerPort, olderPort, "A staging port of another kind.")
	if found[0].Memory.ContestedBy != "" || found[1].Memory.ContestedBy != newer || !cmp.Equal(found[0].Memory.DiffersFrom, []string{older}) {
		t.Errorf("recalled %+v", found)
	}

	// Only the older one has the words, so the newer one is added, within limit and budget.
	found = l.wantRecalled(recall.Query{Words: words.Parse("nothing 5432")}, newerPort, olderPort)
	if found[0].Why.InsteadOf != older || found[0].Score != found[1].Score || found[1].Why.InsteadOf != "" {
		t.Errorf("recalled %+v", found)
	}
	l.wantRecalled(recall.Query{Words: words.Parse("nothing 5432"), Limit: 1}, newerPort)
	l.wantRecalled(recall.Query{Words: words.Parse("nothing 5432"), Budget: 20}, newerPort)

	// It is not added if it might fail a filter, and not before it was there.
	if found = l.wantRecalled(recall.Query{Words: words.Parse("nothing 5432"), Until: early.Add(time.Minute)}, olderPort); found[0].Memory.ContestedBy != newer {
		t.Errorf("recalled %+v", found)
	}
	l.wantRecalled(recall.Query{Words: words.Parse("nothing 5432"), Types: []string{"note"}}, olderPort)
	if found = l.wantRecalled(recall.Query{Words: words.Parse("staging port"), AsOf: early.Add(time.Minute)}, olderPort); found[0].Memory.ContestedBy != "" {
		t.Errorf("as of then recalled %+v", found)
	}
}

func TestRecallFollowsSeveralClaims(t *testing.T) {
	l := newLab(t)
	l.note(olderPort)
	l.later(time.Hour)
	l.note(newerPort)
	l.later(time.Hour)
	l.note("The staging port is 5600.")
	l.wantRecalled(recall.Query{Words: words.Parse("nothing 5432")}, "The staging port is 5600.", olderPort)
	found := l.wantRecalled(recall.Query{Words: words.Parse("staging port")}, "The staging port is 5600.", newerPort, olderPort)
	if found[1].Memory.ContestedBy != found[0].Memory.ID || found[2].Memory.ContestedBy != found[0].Memory.ID {
		t.Errorf("recalled %+v", found)
	}
}

func TestRecallPrefersAProject(t *testing.T) {
	l := newLab(t)
	l.inProject("shop", "Deploys of the shop happen on Friday.")
	l.inProject("blog", "Deploys of the blog happen on Monday.")
	l.note("Deploys of anything happen at noon.")
	shop, blog := "Deploys of the shop happen on Friday.", "Deploys of the blog happen on Monday."
	for prefer, want := range map[string][]string{"shop": {shop, blog}, "blog": {blog, shop}} {
		q := recall.Query{Words: words.Parse("deploys happen Friday Monday"), Prefer: prefer}
		found := l.recollect(q)
		if got := contents(found)[:2]; !cmp.Equal(got, want) {
			t.Errorf("in %s recalled %q, want %q first", prefer, got, want)
		}
		for _, r := range found {
			other := r.Memory.Project != "" && string(r.Memory.Project) != prefer
			if other != (r.Why.OtherProject == 0.9) {
				t.Errorf("in %s: %+v", prefer, r)
			}
		}
	}
	l.wantRecalled(recall.Query{Words: words.Parse("deploys shop Friday"), Prefer: "blog", Limit: 1}, shop)
	one := "blog"
	found := l.wantRecalled(recall.Query{Words: words.Parse("deploys"), Prefer: "shop", Project: &one}, blog)
	if found[0].Why.OtherProject != 0 || found[0].Score != 1 {
		t.Errorf("recalled %+v", found)
	}
}
