package backups

// meter tells how far a step of some work has come.
type meter struct {
	tell  func(step string, done, total int)
	step  string
	total int // 0 is not known
	done  *int
}

// step begins a step of which so much is to be done, 0 where nobody knows.
func (o Options) step(name string, total int) meter {
	return meter{tell: o.Progress, step: name, total: total, done: new(int)}
}

// add counts n more as done.
func (m meter) add(n int) {
	if m.tell == nil {
		return
	}
	*m.done += n
	m.tell(m.step, *m.done, m.total)
}
