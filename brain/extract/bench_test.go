package extract_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/extract"
)

// talk is what most of a transcript is: explanations without items.
const talk = `The handler reads the request body into a buffer and passes it on to the validator, which returns a list of problems.
When the list is empty the record is written in one transaction, and the response carries the identifier of the new row.
There are two places where this can go wrong, and both of them are covered by the table test in the same package.
I've updated three files and added a test for the empty case. The page now loads without errors.

- The first column holds the name of the region, the second one the number of parcels that were delivered.
- Rows without a postcode are grouped under "unknown", which is why the totals differ slightly between the reports.
- The chart on the right uses the same numbers, but it leaves out the weekend.

Have a look at the diff below; the interesting part is the loop that merges neighbouring intervals. It sorts them by
their lower bound and keeps the largest upper bound seen so far, so it runs in linear time after sorting. A small heap
would do as well, and it would allow for streaming, at the price of a little more bookkeeping around the edges.
See https://example.org/intervals for a longer explanation with pictures, and ` + "`mergeIntervals`" + ` for the code.

` + "```go\nfor _, iv := range list {\n\tif iv.lo <= last.hi {\n\t\tlast.hi = max(last.hi, iv.hi)\n\t}\n}\n```" + `

The colours follow the palette of the brochure. Blue stands for the harbour, green for the parks, and grey for everything
that has not been surveyed. On small screens the legend moves below the map and the labels become shorter.
`

// conversation returns about size bytes of talk, half of its turns short ones of the user.
func conversation(b testing.TB, size int) []extract.Chunk {
	random := rand.New(rand.NewPCG(1, 2))
	lines := strings.SplitAfter(talk, "\n")
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var chunks []extract.Chunk
	chunker := extract.NewChunker(3000, func(c extract.Chunk) error {
		chunks = append(chunks, c)
		return nil
	})
	for n := 0; n < size; {
		turn := extract.Turn{Session: "s", At: at, Speaker: extract.Assistant, Text: talk}
		if random.IntN(10) < 5 {
			turn.Speaker, turn.Text = extract.User, lines[random.IntN(4)]+"Let's keep port 5433 for the harbour database, the old one expires in May. Can you check that?"
		}
		n += len(turn.Text)
		at = at.Add(time.Minute)
		if err := chunker.Add(turn); err != nil {
			b.Fatal(err)
		}
	}
	if err := chunker.Flush(); err != nil {
		b.Fatal(err)
	}
	return chunks
}

func BenchmarkExtract(b *testing.B) {
	chunks := conversation(b, 8<<20)
	size, items := 0, 0
	for _, c := range chunks {
		for _, t := range c.Turns {
			size += len(t.Text)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		var rules extract.Reader
		for _, c := range chunks {
			items += len(rules.Items(c.Turns))
		}
	}
	b.ReportMetric(float64(items)/float64(b.N)/float64(size>>20), "items/MB")
}
