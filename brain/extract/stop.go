package extract

import (
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// common reports whether a word says nothing of what a talk is about: stop
// words, and what people and assistants say whatever the topic.
func common(word string) bool {
	return words.Stop(word) || chatter()[word]
}

// chatter is chatWords as a set, made when first asked for.
var chatter = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(chatWords) {
		set[word] = true
	}
	return set
})

// chatWords are words that are frequent in any chat, whatever its topic.
const chatWords = ` able about above actually added adding after again ago agree ahead all alone along already alright also although always
 another anyone anything apologize apologies around ask asked asking away back bad basically because been before behind below best better
 between big bit both bring call called came cant case cases certain change changed changes check checked checking clear clearly come comes
 coming complete completely correct correctly cool could course create created currently dear definitely didnt different directly doesnt
 done dont down each easier easily easy either else end enough especially even ever every everyone everything exactly example except
 expected explain fact fair far feel few find fine first fix fixed follow following found full fully further gave general get gets getting
 give given gives giving glad goes going gone gonna good got gotten great guess half hand happen happened happens happy hard haven
 having hello help helps hence here hey hold hope however idea ill important instead isnt issue issues its ive job keep keeps kept kind
 knew know known knows large last later latest least leave left less let lets like likely line lines list little long longer look looked looking
 looks lot lots made main mainly make makes making many matter maybe mean means mention might mind missing moment more most mostly move much
 name need needed needs never new next nice none normal nothing notice now number often okay old once one ones only open option options
 order other others otherwise out over own part parts people perfect perhaps place plan please point possible pretty previous probably problem
 problems proceed provide put question questions quick quickly quite rather read reading ready real really reason regarding remember remove
 removed replace result results review right run running runs said same say saying says second see seem seems seen send sense sent set sets several
 share shall she short show showed showing shown shows side simple simply since single small something somehow sometimes somewhere soon
 sorry sort sounds specific start started starting starts state stay step steps still stop stuff such sure take taken takes taking talk
 tell test tested testing tests than thank thanks that thats their them then there therefore thing things think thinking third thought three
 through throughout time times today together told tomorrow tonight took total tried tries trouble true try trying turn turned turns two
 type under understand until update updated updates upon use used useful user uses using usual usually value various version very via wait
 want wanted wants wasnt way ways week well went were weren whatever when where whether which while whole will wise wish within without
 won wonder wont word words work worked working works worth would wouldnt write writing written wrong year years yes yesterday yet
 youre yours don doesn didn couldn shouldn wouldn wasn aren assistant message output input file files code function error errors user command line lines monday tuesday wednesday
 thursday friday saturday sunday january february march april june july august september october november december morning
 afternoon evening night day days hour hours minute minutes month months weeks four five six seven eight nine ten hundred
 decided decide chose choose prefer lesson learned todo remind need `
