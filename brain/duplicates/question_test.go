package duplicates_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/duplicates"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// Lines of one template are alike, and nothing for a person to decide: neither
// those that count something, nor those that say the same of many things. A pair
// among them that has more in common than the template is asked about.
func TestTemplatesDoNotFloodTheQueue(t *testing.T) {
	s := testlab.OpenStore(t)
	word := func(i int) string { return fmt.Sprintf("%c%cr%cn", "bdfgk"[i%5], "aeiou"[i/5%5], "aeiou"[i/25%5]) }
	line := func(i int) []string {
		return []string{
			fmt.Sprintf("Deployed build %d to staging", 1234+i),
			fmt.Sprintf("The nightly backup of 2026-01-%02d took %d minutes", i%28+1, 10+i),
			fmt.Sprintf("We set the %s to %s for the billing importer, because it could not cope with what it had before.", word(i), word(i+60)),
		}
	}
	for i := range 60 {
		for _, text := range line(i) {
			put(t, s, text)
		}
	}
	if rep := deduped(t, s, duplicates.Options{}); rep.Flagged+rep.Waiting > 0 {
		t.Errorf("flagged %d, %d wait: %v", rep.Flagged, rep.Waiting, reviews(t, s))
	}
	for _, text := range line(60) {
		put(t, s, text)
	}
	put(t, s, strings.Replace(line(7)[2], "because it", "because otherwise it", 1))
	rep := deduped(t, s, duplicates.Options{})
	if items := reviews(t, s); rep.Flagged != 1 || !strings.Contains(items[0].Reason, "much the same") {
		t.Errorf("flagged %d: %v", rep.Flagged, items)
	}
}

// Two things of which the same is said may be one under two names; of three and
// more nobody is asked.
func TestWhatIsSaidOfSeveralThingsIsNoQuestion(t *testing.T) {
	s := testlab.OpenStore(t)
	for i, thing := range []string{"heron", "otter", "lynx", "marten"} {
		put(t, s, fmt.Sprintf("The %s service keeps the sessions of its users in memory on the big machine downstairs", thing))
		rep := deduped(t, s, duplicates.Options{})
		if want := map[int]int{1: 1}[i]; rep.Flagged != want {
			t.Errorf("with the %s flagged %d, want %d: %v", thing, rep.Flagged, want, reviews(t, s))
		}
	}
}

// A few texts that have the same in common are one question, many are none.
func TestAFamilyIsOneQuestion(t *testing.T) {
	names := []string{"Alice", "Bruno", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hanna", "Ivan"}
	for n, want := range map[int]int{2: 1, 3: 1, 5: 1, 6: 1, 7: 0, 9: 0} {
		s := testlab.OpenStore(t)
		for i := range n {
			put(t, s, "On Tuesdays "+names[i]+" looks after the release train and its passengers", created(testlab.Start().Add(time.Duration(i)*time.Second)))
		}
		rep := deduped(t, s, duplicates.Options{})
		items := reviews(t, s)
		if rep.Flagged+rep.Waiting != want || want == 1 && testlab.Memory(t, s, items[0].Memories[0]).Created != testlab.Start().Add(time.Duration(n-1)*time.Second) {
			t.Errorf("of %d, flagged %d: %v", n, rep.Flagged, items)
		}
	}
}

// What is claimed of one subject is a conflict however unlike the texts are; of
// many claims the two newest are asked about.
func TestClaimsOfOneSubjectAreConflicts(t *testing.T) {
	for _, later := range []bool{false, true} {
		s := testlab.OpenStore(t)
		put(t, s, "Deploy port is 8080", created(testlab.Start()))
		if later {
			deduped(t, s, duplicates.Options{})
		}
		two := put(t, s, "The deploy port is now 9090", created(testlab.Start().Add(time.Second)))
		put(t, s, "The deploy port of staging is 7070")
		rep := deduped(t, s, duplicates.Options{})
		items := reviews(t, s)
		if rep.Flagged != 1 || len(items) != 1 || items[0].Kind != brain.ReviewConflict || items[0].Memories[0] != two {
			t.Fatalf("later %v: flagged %d: %v", later, rep.Flagged, items)
		}
		three := put(t, s, "deploy port: 9191", created(testlab.Start().Add(2*time.Second)))
		deduped(t, s, duplicates.Options{})
		items = slices.DeleteFunc(reviews(t, s), func(item brain.ReviewItem) bool { return !slices.Contains(item.Memories, three) })
		if len(items) != 1 || !slices.Equal(items[0].Memories, []string{three, two}) {
			t.Errorf("later %v: of three claims: %v", later, items)
		}
	}
}

// Of three claims of one subject that came together the two newest are asked
// about; once they are decided what was kept is asked about with the third.
func TestWhatWasKeptIsAskedAboutWithTheNext(t *testing.T) {
	for _, keep := range []string{brain.DecidedNewer, brain.DecidedOlder} {
		s := testlab.OpenStore(t)
		one := put(t, s, "Deploy port is 8080", created(testlab.Start()))
		two := put(t, s, "The deploy port is now 9090", created(testlab.Start().Add(time.Second)))
		three := put(t, s, "deploy port: 9191", created(testlab.Start().Add(2*time.Second)))
		deduped(t, s, duplicates.Options{})
		items := reviews(t, s)
		if len(items) != 1 || !slices.Equal(items[0].Memories, []string{three, two}) {
			t.Fatalf("of three claims: %v", items)
		}
		if _, err := testlab.At(s, testlab.Start().Add(time.Minute)).Review.Accept(t.Context(), items[0].ID, keep); err != nil {
			t.Fatal(err)
		}
		kept := newest(t, s, two)
		deduped(t, s, duplicates.Options{})
		if items := reviews(t, s); len(items) != 1 || !slices.Equal(items[0].Memories, []string{kept, one}) {
			t.Errorf("%s was kept: %v", keep, items)
		}
		if rep := deduped(t, s, duplicates.Options{}); rep.Analysed != 0 {
			t.Errorf("%s was kept: %d are looked at again", keep, rep.Analysed)
		}
	}
}

// A run asks a person twenty things at most, the newest of those as alike, and says
// how many more there are; they come as the others are decided.
func TestAPersonIsAskedALittleAtATime(t *testing.T) {
	s := testlab.OpenStore(t)
	for i := range 50 {
		room := fmt.Sprintf("%cl%cn room has a big red lamp", 'a'+i%25, "eo"[i/25])
		put(t, s, "The "+room, created(testlab.Start().Add(-time.Hour)))
		put(t, s, "Our "+room, created(testlab.Start().Add(time.Duration(i-100)*time.Second)))
	}
	planned := deduped(t, s, duplicates.Options{}, dry)
	rep := deduped(t, s, duplicates.Options{})
	if planned.Flagged != 20 || rep.Flagged != 20 || rep.Waiting != 30 || planned.Waiting != 30 || rep.Remaining != 0 {
		t.Fatalf("planned %+v, done %+v", planned.Figures, rep.Figures)
	}
	newest := func() (first, last string) {
		items := reviews(t, s)
		return testlab.Memory(t, s, items[0].Memories[0]).Content, testlab.Memory(t, s, items[len(items)-1].Memories[0]).Content
	}
	if first, last := newest(); first != "Our ylon room has a big red lamp" || last == first {
		t.Errorf("asked first %q, last %q", first, last)
	}
	if rep := deduped(t, s, duplicates.Options{}); rep.Flagged != 0 || rep.Waiting != 30 {
		t.Errorf("asked on before anything was decided: %+v", rep.Figures)
	}
	if rep := deduped(t, s, duplicates.Options{}, func(r *consolidate.Request) { r.Type = "none" }); rep.Waiting != 0 {
		t.Errorf("%d wait of a type that has none", rep.Waiting)
	}
	for _, item := range reviews(t, s)[:7] {
		if _, err := testlab.At(s, testlab.Start()).Review.Reject(t.Context(), item.ID); err != nil {
			t.Fatal(err)
		}
	}
	put(t, s, "The last room has a big red lamp", created(testlab.Start()))
	put(t, s, "Our last room has a big red lamp", created(testlab.Start()))
	if rep := deduped(t, s, duplicates.Options{}); rep.Flagged != 7 || rep.Waiting != 24 {
		t.Errorf("after seven decisions: %+v", rep.Figures)
	}
	if rep := deduped(t, s, duplicates.Options{Alike: similar.Defaults().Alike}); rep.Flagged != 0 || rep.Waiting != 24 {
		t.Errorf("a run of all: %+v", rep.Figures)
	}
}
