package backups

// meter reports the progress of a step.
type meter struct {
	tell  func(step string, done, total int)
	step  string
	total int
	done  *int
}

// step returns the meter of a step; a total of 0 is not known.
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
