package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
)

// figure is one measured figure: two percentiles or one value.
type figure struct {
	Name     string   `json:"name"`
	Memories int      `json:"memories"`
	P50      *float64 `json:"p50,omitempty"`
	P95      *float64 `json:"p95,omitempty"`
	Value    *float64 `json:"value,omitempty"`
	Unit     string   `json:"unit"` // ms, MB of a million bytes, MB/s, %, lines or tokens
}

// figures are the report of speed and morning.
type figures struct {
	Store   string   `json:"store"`
	Figures []figure `json:"figures"`
}

func (r *figures) print(w io.Writer) {
	fmt.Fprintf(w, "figure\tmemories\tp50\tp95\n")
	for _, f := range r.Figures {
		p50 := f.P50
		if f.Value != nil {
			p50 = f.Value
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", f.Name, f.Memories, number(p50, f.Unit), number(f.P95, f.Unit))
	}
	fmt.Fprintf(w, "\nstore: %s\n", r.Store)
}

// number formats a value with about three digits; nil is "".
func number(v *float64, unit string) string {
	if v == nil {
		return ""
	}
	digits := max(0, 2-len(strconv.Itoa(int(*v)))+1)
	return strconv.FormatFloat(*v, 'f', digits, 64) + " " + unit
}

// spread adds a figure of two percentiles.
func (r *figures) spread(name string, memories int, took []time.Duration) {
	slices.Sort(took)
	p50, p95 := millis(percentile(took, 50)), millis(percentile(took, 95))
	r.Figures = append(r.Figures, figure{Name: name, Memories: memories, P50: &p50, P95: &p95, Unit: "ms"})
}

// single adds a figure that is one value.
func (r *figures) single(name string, memories int, value float64, unit string) {
	r.Figures = append(r.Figures, figure{Name: name, Memories: memories, Value: &value, Unit: unit})
}

// percentile returns the nearest-rank percentile of sorted measurements.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

func median(took []time.Duration) float64 {
	return millis(percentile(slices.Sorted(slices.Values(took)), 50))
}

// millis returns a duration in milliseconds, truncated to microseconds.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func megabytes(bytes int) float64 { return float64(bytes/10_000) / 100 }

func percent(part, of int) float64 { return 100 * float64(part) / float64(max(1, of)) }

// repeat calls fn the given number of times, after some that only warm the caches, and returns
// what it measured.
func repeat(warmups, times int, fn func(i int) (time.Duration, error)) ([]time.Duration, error) {
	var took []time.Duration
	for i := range warmups + times {
		d, err := fn(i)
		if err != nil {
			return nil, err
		}
		if i >= warmups {
			took = append(took, d)
		}
	}
	return took, nil
}

// since calls fn and returns how long it took.
func since(fn func() error) (time.Duration, error) {
	start := time.Now()
	err := fn()
	return time.Since(start), err
}
