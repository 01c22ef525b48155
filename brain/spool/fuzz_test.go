package spool

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// FuzzSpool drains a file of any bytes: it never fails, every line is stored
// or set aside, and what was set aside holds the bytes of its line.
func FuzzSpool(f *testing.F) {
	good, err := plaintext.JSON(line{Brain: "default", Store: "s", At: noon, Capture: capture("a")}, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(append(bytes.Clone(good), good[:len(good)/2]...))
	f.Add(append(bytes.TrimSpace(bytes.Clone(good)), good...))
	f.Add([]byte("{}\n\xff\n\n\x00\r\n[1]\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s := New(t.TempDir(), "default", "s")
		if err := os.WriteFile(s.captures(), content, 0o600); err != nil {
			t.Fatal(err)
		}
		lines := split(content)
		d, err := s.Drain(t.Context(), func(_ context.Context, c brain.Capture) error {
			if c.Memory == nil && c.Source == nil {
				t.Error("a capture of nothing was handed over")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if d.Stored+d.Rejected+d.Left != len(lines) {
			t.Errorf("%d lines became %+v", len(lines), d)
		}
		compareRejected(t, s, lines)
	})
}

// compareRejected holds: the side file has the unreadable lines, in order.
func compareRejected(t *testing.T, s *Spool, lines [][]byte) {
	t.Helper()
	aside := rejections(t, s)
	for _, raw := range lines {
		if _, err := parse(raw); err == nil {
			continue
		}
		if len(aside) == 0 {
			t.Fatalf("%q is nowhere", raw)
		}
		r := aside[0]
		aside = aside[1:]
		if r.Line == nil && r.Text+string(r.Bytes) != string(raw) {
			t.Errorf("%q became %+v", raw, r)
		}
	}
	if len(aside) > 0 {
		t.Errorf("%d lines too many were set aside", len(aside))
	}
}

// FuzzParse reads one line of any bytes: what is accepted can be stored, and
// is the same when it is written and read again.
func FuzzParse(f *testing.F) {
	good, err := plaintext.JSON(line{Brain: "default", Store: "s", At: noon, Capture: capture("a")}, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"brain":"b","store":"s","capture":{"source":{"id":"x","due":"2026-03-01T12:00:00+01:00"},"energy":1e3}}`))
	f.Add([]byte(`{"brain":"b","store":"s","capture":{"memory":{"id":"x","extra":{"a":[1, 2]}},"relate":[{}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := parse(raw)
		if err != nil {
			return
		}
		if err := check(l.Capture); err != nil {
			t.Errorf("%q was accepted: %v", raw, err)
		}
		first, err := plaintext.JSON(l, "")
		if err != nil {
			t.Fatalf("%q cannot be written: %v", raw, err)
		}
		again, err := parse(first)
		if err != nil {
			t.Fatalf("%q became %q: %v", raw, first, err)
		}
		if second, err := plaintext.JSON(again, ""); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%q became %q, then %q, %v", raw, first, second, err)
		}
	})
}
