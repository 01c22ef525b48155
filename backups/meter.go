package backups

// meter counts what a step has done. As a writer it counts bytes.
type meter func(n int)

// step returns the meter of a step; a total of 0 is not known.
func (o Options) step(name string, total int) meter {
	done := 0
	return func(n int) {
		if done += n; o.Progress != nil {
			o.Progress(name, done, total)
		}
	}
}

func (m meter) Write(p []byte) (int, error) {
	m(len(p))
	return len(p), nil
}

// unmetered is a step whose progress nobody sees.
func unmetered(int) {}
