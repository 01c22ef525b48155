package bench

// progress counts the progress of a part of a measurement.
type progress struct {
	show        func(part string, done, total int) // nil: nobody looks
	part        string
	done, total int
}

// start begins a part of the work with a known total.
func (p *progress) start(part string, total int) {
	p.part = part
	p.set(0, total)
}

// add counts n more as done.
func (p *progress) add(n int) { p.set(p.done+n, p.total) }

// set sets how many are done.
func (p *progress) set(done, total int) {
	p.done, p.total = done, total
	if p.show != nil {
		p.show(p.part, done, total)
	}
}
