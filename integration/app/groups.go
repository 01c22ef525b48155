package app

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// GroupsAnswer lists types, projects or tags, those with most memories first.
type GroupsAnswer struct {
	Groups []GroupCount `json:"groups"`
}

// GroupCount counts the live and expired memories of a type, project or tag.
type GroupCount struct {
	Name     string `json:"name"`
	Memories int    `json:"memories"`
}

// Groups returns the types, projects or tags of live and expired memories.
func (u *UseCases) Groups(ctx context.Context, by brain.Group) (GroupsAnswer, error) {
	counts, err := lifecycle.Read(ctx, u.services(ctx).Base, func(r brain.Reader) (map[string]int, error) { return r.CountBy(by) })
	a := GroupsAnswer{[]GroupCount{}}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		a.Groups = append(a.Groups, GroupCount{name, counts[name]})
	}
	slices.SortStableFunc(a.Groups, func(x, y GroupCount) int { return cmp.Compare(y.Memories, x.Memories) })
	return a, err
}

// Kinds returns the kinds of memory that have names in several languages.
func Kinds() []string { return dailynote.Kinds() }

// suggestType hints at the type that is perhaps meant by one that no other memory has.
func (u *UseCases) suggestType(ctx context.Context, a *CaptureAnswer, typ string) {
	if typ == "" || dailynote.KindOf(typ) != "" || a.Spooled || a.EchoOf != "" {
		return
	}
	found, err := u.Groups(ctx, brain.ByType)
	names := dailynote.Kinds()
	for _, g := range found.Groups {
		if g.Name != typ {
			names = append(names, g.Name)
		} else if g.Memories > 1 {
			return
		}
	}
	if near := plaintext.Nearest(typ, names); err == nil && len(near) > 0 {
		a.Hint = "no other memory has the type " + typ + "; did you mean " + near[0] + "?"
		u.caller.Notices.Info(a.Hint)
	}
}

// suggest tells a caller who found nothing that no memory has one of these types, tags
// or this project, and which is meant perhaps. It returns the hints as lines.
func (u *UseCases) suggest(ctx context.Context, types, tags []string, project *string) string {
	if project == nil {
		project = new(string)
	}
	var hints []string
	for i, by := range []brain.Group{brain.ByType, brain.ByTag, brain.ByProject} {
		for _, name := range [][]string{types, tags, {*project}}[i] {
			if hint := u.suggestOne(ctx, by, name); hint != "" {
				u.caller.Notices.Info(hint)
				hints = append(hints, hint)
			}
		}
	}
	return strings.Join(hints, "\n")
}

func (u *UseCases) suggestOne(ctx context.Context, by brain.Group, asked string) string {
	const shown = 8
	if asked == "" {
		return ""
	}
	found, err := u.Groups(ctx, by)
	if err != nil {
		return "" // it is only a hint
	}
	var names []string
	for _, g := range found.Groups {
		names = append(names, g.Name)
	}
	meant := []string{asked}
	if by == brain.ByType {
		meant = dailynote.TypesLike(asked)
	}
	if asked == brain.SectionType || len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(meant, n) }) {
		return ""
	}
	hint := "no memory has the " + string(by) + " " + asked
	if near := plaintext.Nearest(asked, names); len(near) > 0 {
		return hint + "; did you mean " + near[0] + "?"
	}
	return hint + "; there are: " + strings.Join(names[:min(len(names), shown)], ", ")
}

// typesLike returns the types of the memories that somebody who asks for some means.
func typesLike(asked []string) (all []string) {
	for _, typ := range asked {
		if typ != "" {
			all = append(all, dailynote.TypesLike(typ)...)
		}
	}
	return all
}
