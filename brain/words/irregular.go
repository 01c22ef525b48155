package words

import (
	"strings"
	"sync"
)

// irregularForms has the verbs whose past forms Porter2 does not stem, each followed by
// these forms. Forms that are common words of their own, such as "left" and "saw", are
// not among them.
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

// irregularVerbs has the stems of irregular forms, and the first and last letters of
// these: five of six other words are told apart by them.
type irregularVerbs struct {
	stems map[string]string
	ends  [256][256]bool
}

var irregular = sync.OnceValue(func() *irregularVerbs {
	v := irregularVerbs{stems: map[string]string{}}
	for verb := range strings.SplitSeq(irregularForms, ";") {
		forms := strings.Fields(verb)
		for _, form := range forms[1:] {
			v.stems[form] = stem(forms[0])
			v.ends[form[0]][form[len(form)-1]] = true
		}
	}
	return &v
})

// stemOf returns the stem of a folded word; of an irregular form, such as "bought", that
// of its verb.
func stemOf(w string) string {
	if verb, ok := irregular().stem(w); ok {
		return verb
	}
	return stem(w)
}

// stem returns the stem of the verb of an irregular form.
func (v *irregularVerbs) stem(w string) (verb string, ok bool) {
	if w == "" || !v.ends[w[0]][w[len(w)-1]] {
		return "", false
	}
	verb, ok = v.stems[w]
	return verb, ok
}
