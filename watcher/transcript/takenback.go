package transcript

import (
	"slices"

	"github.com/tidwall/gjson"
	"github.com/zeebo/xxh3"
)

// asked remembers a prompt or an answer of the person, which may be taken back later.
func (r *reader) asked(m Message) {
	m.key, m.Text = m.Key(), ""
	r.prompts = append(r.prompts, m)
}

// takeBack passes on that the prompts from the nth on were taken back.
func (r *reader) takeBack(n int) {
	r.flush()
	for _, m := range r.prompts[n:] {
		m.TakenBack, m.Line, m.End = true, r.result.Lines, r.line.end
		if r.err == nil && !r.program {
			r.err = r.each(m)
		}
	}
	r.prompts = r.prompts[:n]
}

// rollBack takes back the last turns. The person may have answered a form in a turn.
func (r *reader) rollBack(turns int64) {
	n := len(r.prompts)
	for n > 0 && turns > 0 {
		if n--; r.prompts[n].Kind == Said {
			turns--
		}
	}
	r.takeBack(n)
}

// rewindTo takes back what was said from a message on. A message that the tail of a file lacks is
// before all that it has.
func (r *reader) rewindTo(id string) {
	n, known := r.promptsBefore[id]
	if !known && !r.tail {
		r.problem("no message has the id %.100q that this line rewinds to; nothing is taken back", id)
		return
	}
	r.takeBack(n)
}

// record is a line of Claude Code in the tree of its session.
type record struct {
	parent   uint64
	children int
	read     bool // and not only named by a child
}

// rewound takes back the prompts on a branch that the person left with a new prompt: they follow
// a record that the new prompt follows too, and are not before it. Tool calls at the same time
// branch as well, but have no prompt on a branch.
func (r *reader) rewound(uuid string, parent gjson.Result) {
	said := func(m Message) bool { return m.Kind == Said }
	last := lastIndex(r.prompts, said)
	if last < 0 || uuid == "" {
		return
	}
	prompt, latest := xxh3.HashString(uuid), xxh3.HashString(r.prompts[last].ID)
	before, branches := map[uint64]bool{}, false
	for id := r.tree[prompt].parent; id != 0 && !before[id]; id = r.tree[id].parent {
		before[id], branches = true, branches || r.tree[id].children > 1
		if id == latest {
			return // no branch was left
		}
	}
	fromStart := isNull(parent) && parent.Exists()
	if !branches && !fromStart {
		return
	}
	first := 1 + lastIndex(r.prompts, func(m Message) bool { return said(m) && before[xxh3.HashString(m.ID)] })
	left := first + slices.IndexFunc(r.prompts[first:], said)
	root := xxh3.HashString(r.prompts[left].ID)
	fromStart = fromStart && r.tree[root].parent == 0 && r.tree[root].children > 0
	for id, steps := root, 0; !fromStart && !before[id]; steps++ {
		if id = r.tree[id].parent; id == 0 || id == prompt || steps > len(r.tree) {
			return // it follows the new prompt, which was written late, or has another beginning
		}
	}
	r.takeBack(left)
}

// grow adds a record to the tree. After a compaction the tree goes on at the logical parent.
func (r *reader) grow(line object) {
	uuid, parent := line.str("uuid"), line.str("parentUuid")
	if parent == "" {
		parent = line.str("logicalParentUuid")
	}
	id := xxh3.HashString(uuid)
	rec := r.tree[id]
	if uuid == "" || rec.read {
		return
	}
	if r.tree == nil {
		r.tree = map[uint64]record{}
	}
	rec.read = true
	if parent != "" {
		rec.parent = xxh3.HashString(parent)
		above := r.tree[rec.parent] // is empty if it is before the tail of a file
		above.children++
		r.tree[rec.parent] = above
	}
	r.tree[id] = rec
}

func lastIndex(all []Message, holds func(Message) bool) int {
	for i := len(all) - 1; i >= 0; i-- {
		if holds(all[i]) {
			return i
		}
	}
	return -1
}
