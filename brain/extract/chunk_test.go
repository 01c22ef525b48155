package extract_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"pgregory.net/rapid"
)

func morning() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }

func turn(session string, minute int, text string) extract.Turn {
	return extract.Turn{
		Session: session, At: morning().Add(time.Duration(minute) * time.Minute), Speaker: extract.User, Text: text,
		Location: fmt.Sprint(session, " ", minute),
	}
}

func cut(turns []extract.Turn, tokens int) []extract.Chunk {
	var all []extract.Chunk
	c := extract.NewChunker(tokens, func(c extract.Chunk) error {
		all = append(all, c)
		return nil
	})
	for _, t := range turns {
		if err := c.Add(t); err != nil {
			panic(err) // emit has none
		}
	}
	if err := c.Flush(); err != nil {
		panic(err)
	}
	return all
}

func TestChunksEndAtSessionsPausesAndBudget(t *testing.T) {
	chunks := cut([]extract.Turn{
		turn("a", 0, "one"), turn("a", 5, "two"),
		turn("b", 6, "other session"),
		turn("a", 8, "still with one and two"),
		turn("a", 40, "after a pause"),
		turn("a", 41, strings.Repeat("long ", 40)), turn("a", 42, strings.Repeat("long ", 40)),
	}, 100)
	var got []string
	for _, c := range chunks {
		got = append(got, fmt.Sprintf("%s %s-%s %d", c.Session, c.From().Format("15:04"), c.Until().Format("15:04"), len(c.Turns)))
	}
	slices.Sort(got)
	want := []string{"a 09:00-09:05 2", "a 09:08-09:08 1", "a 09:40-09:41 2", "a 09:42-09:42 1", "b 09:06-09:06 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALongTurnIsSplitWhereAReaderWould(t *testing.T) {
	text := strings.Repeat("A sentence that stands here. ", 3) + "\n\n" + strings.Repeat("Second paragraph, which goes on. ", 3)
	chunks := cut([]extract.Turn{turn("a", 0, text)}, 34)
	if len(chunks) < 2 {
		t.Fatalf("%d chunks, want the turn split", len(chunks))
	}
	if first := chunks[0].Turns[0].Text; !strings.HasSuffix(first, "\n\n") {
		t.Errorf("the first piece ends with %q, want the end of the paragraph", first[len(first)-10:])
	}
}

func TestNothingIsLostInChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-zé]{1,9}[ .\n]{1,2}){0,60}`))
		var turns []extract.Turn
		minute := 0
		for range rapid.IntRange(0, 30).Draw(t, "turns") {
			minute += rapid.IntRange(-5, 50).Draw(t, "minutes")
			session := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "session")
			turns = append(turns, turn(session, minute, text.Draw(t, "text")))
		}
		limit := rapid.IntRange(16, 90).Draw(t, "tokens")
		before, after := map[string]string{}, map[string]string{}
		for _, one := range turns {
			before[one.Session] += one.Text
		}
		for _, c := range cut(turns, limit) {
			checkChunk(t, c, limit)
			for _, one := range c.Turns {
				after[one.Session] += one.Text
			}
		}
		for session, said := range before {
			if after[session] != said {
				t.Fatalf("session %s: said %q, in chunks %q", session, said, after[session])
			}
		}
	})
}

func checkChunk(t *rapid.T, c extract.Chunk, limit int) {
	size := 0
	for _, one := range c.Turns {
		size += len(one.Text)
	}
	if len(c.Turns) == 0 || size > limit*plaintext.BytesPerToken {
		t.Fatalf("a chunk of %d turns and %d bytes, budget %d tokens", len(c.Turns), size, limit)
	}
	for i, one := range c.Turns {
		if one.Session != c.Session || one.Text == "" {
			t.Fatalf("turn %+v in a chunk of session %q", one, c.Session)
		}
		if i > 0 && one.At.Sub(c.Turns[i-1].At).Abs() >= 30*time.Minute {
			t.Fatalf("a pause inside a chunk: %v, %v", c.Turns[i-1].At, one.At)
		}
	}
}

func TestSplitKeepsCharactersWhole(t *testing.T) {
	for _, c := range cut([]extract.Turn{turn("a", 0, strings.Repeat("記憶の寿命", 200))}, 20) {
		if !utf8.ValidString(c.Turns[0].Text) {
			t.Fatalf("%q is cut inside a character", c.Turns[0].Text)
		}
	}
}

func TestAnErrorOfTheConsumerEndsTheChunker(t *testing.T) {
	full := errors.New("disk full")
	c := extract.NewChunker(3000, func(extract.Chunk) error { return full })
	if err := c.Add(turn("a", 0, "one")); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(turn("a", 90, "two")); !errors.Is(err, full) {
		t.Errorf("Add answers %v, want the consumer's error", err)
	}
}

func TestFindQuotes(t *testing.T) {
	c := extract.Chunk{Session: "a", Turns: []extract.Turn{turn("a", 0, "x"), turn("a", 1, "one\ntwo\nthree")}}
	for quote, want := range map[string]bool{"two": true, "one\ntwo": true, "x\none": false, "one two": false} {
		if said, ok := c.Find(quote); ok != want || ok && said.Location != "a 1" {
			t.Errorf("Find(%q) = %+v, %v; want %v", quote, said, ok, want)
		}
	}
}

func TestTheTextOfAChunkIsWithinItsBudget(t *testing.T) {
	var turns []extract.Turn
	for n := range 40 {
		turns = append(turns, turn("a", n/10, "yes"))
		turns[n].Speaker = extract.Assistant
	}
	for _, c := range cut(turns, 64) {
		if n := plaintext.Tokens(c.Text()); n > 64 {
			t.Errorf("a chunk has %d tokens, want at most 64", n)
		}
	}
	if chunks := cut(turns, 0); len(chunks) == 0 {
		t.Error("without a budget, there are no chunks")
	}
}
