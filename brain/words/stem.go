package words

import (
	"cmp"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/zeebo/xxh3"
)

// termOf returns the term of a folded word that is not a stop word: its stem, or that of the
// verb for an irregular form, such as "bought".
func termOf(w string) string {
	w = withoutDigraphs(w)
	return stem(cmp.Or(irregular()[w], w))
}

// withoutDigraphs returns a folded word with ae, oe and ue as a, o and u, so that umlauts
// are found in both spellings: "größe" is folded to "grosse" before, "groesse" here. As in
// other search engines, a digraph after a vowel or q does not count (neue, Quelle), nor
// does one at the end of a word, where English has it (value, issues, queued).
func withoutDigraphs(w string) string {
	for i := 1; i+1 < len(w); i++ {
		if w[i] == 'e' && digraph(w, i-1) {
			return withoutDigraphs(w[:i] + w[i+1:])
		}
	}
	return w
}

// digraph reports whether the letters at i and i+1, such as ae, stand for an umlaut.
func digraph(w string, i int) bool {
	if w[i] != 'a' && w[i] != 'o' && w[i] != 'u' {
		return false
	}
	if i > 0 && strings.IndexByte("aeiouq", w[i-1]) >= 0 {
		return false
	}
	rest := w[i+2:]
	return rest != "" && rest != "s" && rest != "d"
}

// longestStemmed is the longest word that is stemmed, in letters.
const longestStemmed = 32

// stemSlots is the number of stems that are cached, a power of two. A collection of
// notes has some ten thousand words.
const stemSlots = 1 << 14

type stemmed struct{ word, stem string }

// stems caches stems by a hash of the word; a word in a taken slot replaces the one before. The
// Porter2 library takes half a microsecond a word, the cache some ten nanoseconds.
var stems [stemSlots]atomic.Pointer[stemmed]

// stem returns the Porter2 stem of a folded word, itself if it has other letters than a to z.
func stem(w string) string {
	if len(w) < 3 || len(w) > longestStemmed || !letters(w) {
		return w
	}
	at := &stems[xxh3.HashString(w)%stemSlots]
	if known := at.Load(); known != nil && known.word == w {
		return known.stem
	}
	w = strings.Clone(w) // a part of a text would keep all of the text in memory
	known := &stemmed{word: w, stem: porter2(w)}
	at.Store(known)
	return known.stem
}

func porter2(w string) string {
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}

func letters(w string) bool {
	for i := range len(w) {
		if !letter(w[i]) {
			return false
		}
	}
	return true
}

// irregularForms has the verbs whose past forms Porter2 does not stem, each followed by these,
// unless they are common words of their own, such as "left" and "saw".
const irregularForms = `arise arose arisen; awake awoke awoken; become became; begin began begun; bend bent;
bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt;
buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn;
dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought;
find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden;
hold held; keep kept; kneel knelt; know knew known; lead led; lean leant; leap leapt; learn learnt; lend lent; lose lost;
make made; mean meant; meet met; mistake mistook mistaken; overcome overcame; pay paid; prove proven; ride rode ridden;
ring rang rung; run ran; say said; see seen; seek sought; sell sold; send sent; shake shook shaken; shine shone; shoot shot;
show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; smell smelt;
speak spoke spoken; spell spelt; spend spent; spill spilt; spin spun; spoil spoilt; stand stood; steal stole stolen;
stick stuck; sting stung; strike struck; strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum;
swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
understand understood; undertake undertook undertaken; wake woke woken; wear wore worn; weave wove woven; weep wept; win won;
withdraw withdrew withdrawn; withstand withstood; wring wrung; write wrote written`

// irregular has the verbs of irregular forms.
var irregular = sync.OnceValue(func() map[string]string {
	verbs := map[string]string{}
	for verb := range strings.SplitSeq(irregularForms, ";") {
		forms := strings.Fields(verb)
		for _, form := range forms[1:] {
			verbs[form] = forms[0]
		}
	}
	return verbs
})
