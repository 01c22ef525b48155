package transcripts

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// run is one request at work.
type run struct {
	*Door
	req    Request
	today  string
	states map[string]*fileState // by path, of files that are gone too
	paths  []string              // of files that are there, in order
	here   map[string]bool       // the same as a set
	touch  map[string]bool       // paths that were read in this run
	days   map[string][]input    // what each day is made of
	lost   map[string][]string   // files that said something else of a day before
	report Report
	// early gathers the one day that was asked for while the files are looked
	// at, so that they are read once; nil where they are known already.
	early *collector
	told  Progress
}

// input is what one file has of a day.
type input struct {
	path string
	fileDay
}

// errFatal marks errors that are not of a transcript: they end the run.
type errFatal struct{ error }

// Unwrap gives the error itself.
func (e errFatal) Unwrap() error { return e.error }

// look brings what is known of the files up to date.
func (r *run) look(ctx context.Context) (err error) {
	if r.states, err = r.fileStates(ctx); err != nil {
		return err
	}
	r.paths, r.report.Problems = r.find()
	r.report.Files = len(r.paths)
	changed := r.changed()
	if err := r.gatherEarly(); err != nil {
		return err
	}
	var pending []string
	for _, path := range changed {
		if err := r.lookAt(ctx, path); err != nil {
			return err
		}
		if r.touch[path] {
			pending = append(pending, path)
		}
		if len(pending) == stateBatch {
			if err := r.putFiles(ctx, r.states, pending); err != nil {
				return err
			}
			pending = nil
		}
	}
	if err := r.putFiles(ctx, r.states, pending); err != nil {
		return err
	}
	r.sortDays()
	return nil
}

// changed are the files whose hints say that they may have changed.
func (r *run) changed() []string {
	var changed []string
	view := r.view()
	for _, path := range r.paths {
		r.here[path] = true
		info, err := os.Stat(path)
		if err != nil {
			r.unreadable(path, err)
			continue
		}
		s := r.states[path]
		if s == nil {
			s = &fileState{View: view}
			r.states[path] = s
		}
		change, err := transcript.Check(hintsOnly{info}, s.Position)
		if err == nil && change == transcript.Unchanged && s.View == view {
			continue
		}
		changed = append(changed, path)
		r.told.Of++
		r.told.Size += info.Size()
	}
	return changed
}

// hintsOnly is a file of which nothing but the hints can be had. Where these
// do not settle it, Check fails, and the file is looked at properly.
type hintsOnly struct{ info fs.FileInfo }

func (h hintsOnly) Stat() (fs.FileInfo, error)   { return h.info, nil }
func (hintsOnly) Read([]byte) (int, error)       { return 0, errors.ErrUnsupported }
func (hintsOnly) Seek(int64, int) (int64, error) { return 0, errors.ErrUnsupported }

func (r *run) unreadable(path string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return // it went meanwhile
	}
	r.report.Problems = append(r.report.Problems, Problem{File: path, Message: "cannot be read: " + reason(err)})
}

// gatherEarly decides whether a day can be gathered while the files are looked
// at: nothing of it may be known, for that would have to be read besides, and
// in the order of the files.
func (r *run) gatherEarly() (err error) {
	if r.req.Day == "" {
		return nil
	}
	for _, s := range r.states {
		if _, known := s.Days[r.req.Day]; known {
			return nil
		}
	}
	r.early, err = newCollector(r.o.Temp)
	return err
}

// lookAt reads what is new of a file. What is known of one that cannot be read
// stays.
func (r *run) lookAt(ctx context.Context, path string) error {
	s := r.states[path]
	file := &lazyFile{path: path}
	defer file.close()
	from, next := s.Position, newTally(s)
	if s.View != r.view() {
		from = transcript.Position{}
	}
	change, err := transcript.Check(file, from)
	rewritten := change == transcript.Rewritten
	if err == nil && rewritten && s.View != r.view() { // read anew, but is it another text?
		var really transcript.Change
		really, err = transcript.Check(file, s.Position)
		rewritten = really == transcript.Rewritten
	}
	if change == transcript.Rewritten {
		next = newTally(&fileState{})
	}
	var pos transcript.Position
	var res transcript.Result
	if err == nil {
		pos, res, change, err = transcript.Follow(metered{file, r.meter}, from, r.reading(path), func(m transcript.Message) error {
			day := next.day(m, r)
			if r.early != nil && day == r.req.Day {
				return r.early.add(m, path)
			}
			return ctx.Err()
		})
	}
	r.told.Files++
	r.tell()
	var fatal errFatal
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &fatal):
		return fatal
	case err != nil:
		r.unreadable(path, err)
	case change != transcript.Unchanged:
		r.report.Read++
		r.report.Bytes += res.Bytes
		r.touch[path] = true
		if rewritten {
			s.lose(next)
		}
		r.remember(path, pos, res, change, next)
	}
	return nil
}

// reading are the options that every transcript is read with.
func (r *run) reading(path string) transcript.Options {
	return transcript.Options{File: path, SideChains: r.o.SideChains, Now: r.brain.Base.Now()}
}

// remember keeps what was found in a file.
func (r *run) remember(path string, pos transcript.Position, res transcript.Result, change transcript.Change, next *tally) {
	s := r.states[path]
	if change == transcript.Grown {
		s.point()
	} else {
		s.Points, s.Problems, s.More, s.Unknown = nil, nil, 0, nil
	}
	s.View, s.Position, s.Days, s.Unfinished = r.view(), pos, next.days(), res.Unfinished
	s.Problems = append(s.Problems, res.Problems...)
	s.More += res.More
	for name, u := range res.Unknown {
		if s.Unknown == nil {
			s.Unknown = map[string]transcript.Unknown{}
		}
		transcript.AddUnknown(s.Unknown, name, u)
	}
	if over := len(s.Problems) - maxShown; over > 0 {
		s.Problems, s.More = s.Problems[:maxShown], s.More+over
	}
}

// lose notes the days that a rewritten file speaks of otherwise than before.
func (s *fileState) lose(next *tally) {
	now := next.days()
	for _, day := range slices.Sorted(maps.Keys(s.Days)) {
		if now[day].Digest != s.Days[day].Digest && !slices.Contains(s.Lost, day) {
			s.Lost = append(s.Lost, day)
		}
	}
}

// point keeps the place where a read ended as one to read on from.
func (s *fileState) point() {
	at := s.Position.State
	last := int64(0)
	if n := len(s.Points); n > 0 {
		last = s.Points[n-1].Offset
	}
	if at.Offset-last < pointEvery {
		return
	}
	s.Points = append(s.Points, at)
	if len(s.Points) > maxPoints {
		s.Points = s.Points[1:]
	}
}

// from is the last place at or before an offset that a file can be read from.
func (s *fileState) from(offset int64) transcript.State {
	at := transcript.State{}
	for _, p := range s.Points {
		if p.Offset <= offset {
			at = p
		}
	}
	return at
}

// tally counts the messages of a file by day.
type tally struct {
	counts map[string]*dayTally
	last   *dayTally // of the message before
	from   int64     // bounds of that day, in milliseconds since 1970
	until  int64
	name   string
}

type dayTally struct {
	fileDay
	digest uint64
}

func newTally(s *fileState) *tally {
	t := &tally{counts: map[string]*dayTally{}}
	for day, f := range s.Days {
		sum, err := strconv.ParseUint(f.Digest, 16, 64)
		if err != nil {
			sum = xxh3.HashString(f.Digest) // whatever it is, it stays what it was
		}
		t.counts[day] = &dayTally{f, sum}
	}
	return t
}

// day counts a message and returns its day. Messages mostly come day by day,
// so that the bounds of the one before tell.
func (t *tally) day(m transcript.Message, r *run) string {
	at := m.At.UnixMilli()
	if t.last == nil || at < t.from || at >= t.until {
		t.turn(transcript.Day(m.At, r.o.Location), r)
	}
	d := t.last
	if d.Count == 0 || m.Offset < d.First {
		d.First = m.Offset
	}
	d.Last = max(d.Last, m.End)
	d.Count++
	var sum [32]byte
	key := m.Key().Bytes()
	copy(sum[:16], key[:])
	put64(sum[16:], xxh3.HashString(m.Text))
	put64(sum[24:], d.digest)
	d.digest = xxh3.Hash(sum[:])
	return t.name
}

// turn makes a day the one that is counted.
func (t *tally) turn(day string, r *run) {
	t.name = day
	from, until, err := transcript.Bounds(day, r.o.Location)
	if err == nil {
		t.from, t.until = from.UnixMilli(), until.UnixMilli()
	} else {
		t.from, t.until = 0, 0
	}
	if t.counts[day] == nil {
		t.counts[day] = &dayTally{}
	}
	t.last = t.counts[day]
}

func put64(b []byte, v uint64) {
	for i := range 8 {
		b[i] = byte(v >> (8 * i))
	}
}

func (t *tally) days() map[string]fileDay {
	days := map[string]fileDay{}
	for day, d := range t.counts {
		d.Digest = strconv.FormatUint(d.digest, 16)
		days[day] = d.fileDay
	}
	return days
}

// sortDays lists what each day is made of, by path.
func (r *run) sortDays() {
	for _, path := range slices.Sorted(maps.Keys(r.states)) {
		for day, f := range r.states[path].Days {
			r.days[day] = append(r.days[day], input{path, f})
		}
		for _, day := range r.states[path].Lost {
			r.lost[day] = append(r.lost[day], path)
		}
	}
}

// digest is what a day is made of, in short.
func digest(inputs []input) string {
	parts := []string{"transcripts of a day"}
	for _, in := range inputs {
		parts = append(parts, in.path, in.Digest, strconv.Itoa(in.Count))
	}
	return brain.Hash(parts...)
}

// meter counts bytes for the progress.
func (r *run) meter(n int) {
	before := r.told.Bytes
	r.told.Bytes = min(r.told.Bytes+int64(n), r.told.Size)
	if before>>20 != r.told.Bytes>>20 {
		r.tell()
	}
}

func (r *run) tell() {
	if r.req.Progress != nil {
		r.req.Progress(r.told)
	}
}
