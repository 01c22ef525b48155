package brain

import "slices"

// Union returns a followed by the strings of b that are not in it.
func Union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// Unique returns the distinct values of a list in the order in which they first occur.
// It is not nil.
func Unique[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	out := make([]T, 0, len(list))
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// Map applies of to each element of a list. The result is not nil.
func Map[T, U any](list []T, of func(T) U) []U {
	out := make([]U, len(list))
	for i := range list {
		out[i] = of(list[i])
	}
	return out
}

// IDs returns the ids of memories, in their order.
func IDs(ms []Memory) []string { return Map(ms, func(m Memory) string { return m.ID }) }

// ByID returns memories by their ids.
func ByID(ms []Memory) map[string]Memory {
	all := make(map[string]Memory, len(ms))
	for i := range ms {
		all[ms[i].ID] = ms[i]
	}
	return all
}
