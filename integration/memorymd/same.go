package memorymd

import "github.com/brainbridge/brainbridge/brain/similar"

// sameText returns a function that reports whether two lines of MEMORY.md say the
// same. It prepares each line once, and does not compare lines of very different
// lengths.
func sameText() func(x, y string) bool {
	prepared := map[string]similar.Text{}
	prepare := func(s string) similar.Text {
		t, ok := prepared[s]
		if !ok {
			t = similar.Prepare(s)
			prepared[s] = t
		}
		return t
	}
	return func(x, y string) bool {
		const ratio = 2
		if len(x) > ratio*len(y) || len(y) > ratio*len(x) {
			return false
		}
		a, b := prepare(x), prepare(y)
		if !a.Alike(b, similar.Defaults().SameWords) { // quickly tells most lines apart
			return false
		}
		verdict, _ := similar.Duplicate(a, b)
		return verdict == similar.Merge
	}
}
