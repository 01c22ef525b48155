package ingest

// index returns values by their keys. Of values with the same key the last one counts.
func index[V any](values []V, key func(V) string) map[string]V {
	byKey := make(map[string]V, len(values))
	for _, v := range values {
		byKey[key(v)] = v
	}
	return byKey
}

// group returns the values with each key.
func group[V any](values []V, key func(V) string) map[string][]V {
	byKey := map[string][]V{}
	for _, v := range values {
		byKey[key(v)] = append(byKey[key(v)], v)
	}
	return byKey
}

// set returns the strings in any of the lists.
func set(lists ...[]string) map[string]bool {
	all := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			all[s] = true
		}
	}
	return all
}
