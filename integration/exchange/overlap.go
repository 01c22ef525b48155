package exchange

import "slices"

// onlySure is the one of two readings that has a sure run, all of it, or
// nothing where both have or neither.
func onlySure(one, other []run) ([]run, bool) {
	inOne, inOther := len(sureOf(one)) > 0, len(sureOf(other)) > 0
	switch {
	case inOne && !inOther:
		return one, true
	case inOther && !inOne:
		return other, true
	}
	return nil, false
}

func sureOf(runs []run) []run {
	var kept []run
	for _, r := range runs {
		if r.sure {
			kept = append(kept, r)
		}
	}
	return kept
}

// apart are the runs that overlap none of the others.
func apart(runs, others []run) []run {
	var kept []run
	for _, r := range runs {
		if !slices.ContainsFunc(others, func(o run) bool { return o.from < r.to && r.from < o.to }) {
			kept = append(kept, r)
		}
	}
	return kept
}

func inOrder(one, other []run) []run {
	all := slices.Concat(one, other)
	slices.SortFunc(all, func(a, b run) int { return a.from - b.from })
	return all
}
