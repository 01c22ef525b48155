package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Group is a field that memories are counted by.
type Group string

// The groups.
const (
	ByType    Group = "type"
	ByProject Group = "project"
	ByTag     Group = "tag"
)

// GroupCount counts the live and expired memories of a type, project or tag.
type GroupCount struct {
	Name     string `json:"name"`
	Memories int    `json:"memories"`
}

// Groups returns the types, projects or tags of current memories, the most frequent first.
func (s *Service) Groups(ctx context.Context, by Group) ([]GroupCount, error) {
	counts := map[string]int{}
	_, _, err := s.base.EachCurrent(ctx, func(page []brain.Memory) error {
		for _, m := range page {
			names := m.Tags
			switch by {
			case ByType:
				names = []string{m.MemoryType}
			case ByProject:
				names = []string{m.Project}
			}
			for _, name := range names {
				counts[name]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	delete(counts, "")
	groups := []GroupCount{}
	for name, n := range counts {
		groups = append(groups, GroupCount{name, n})
	}
	slices.SortFunc(groups, func(x, y GroupCount) int {
		return cmp.Or(cmp.Compare(y.Memories, x.Memories), cmp.Compare(x.Name, y.Name))
	})
	return groups, nil
}

// Suggest returns hints for a search without results: types, tags or a project that no
// memory has, with similar names that exist. Errors give no hints.
func (s *Service) Suggest(ctx context.Context, types, tags []string, project *string) (hints []string) {
	add := func(by Group, names ...string) {
		for _, name := range names {
			if hint := s.suggest(ctx, by, name); hint != "" {
				hints = append(hints, hint)
			}
		}
	}
	add(ByType, types...)
	add(ByTag, tags...)
	if project != nil {
		add(ByProject, *project)
	}
	return hints
}

// suggest returns a hint for one name of a search, "" if it exists or there is none to show.
func (s *Service) suggest(ctx context.Context, by Group, asked string) string {
	const shown = 8
	if asked == "" || asked == brain.SectionType {
		return ""
	}
	found, err := s.Groups(ctx, by)
	if err != nil || len(found) == 0 {
		return ""
	}
	names := brain.Map(found, func(g GroupCount) string { return g.Name })
	meant := []string{asked}
	if by == ByType {
		meant = dailynote.TypesLike(asked)
	}
	if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(meant, n) }) {
		return ""
	}
	hint := "no memory has the " + string(by) + " " + asked
	if near := plaintext.Nearest(asked, names); len(near) > 0 {
		return hint + "; did you mean " + near[0] + "?"
	}
	return hint + "; there are: " + strings.Join(names[:min(len(names), shown)], ", ")
}
