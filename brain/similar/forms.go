package similar

// base returns the base form of an irregular one, which a stemmer leaves apart:
// kept is keep. Number and person of to be, to have and to do are forms of one
// word, their tenses are not. Forms that are mostly another word (left, saw,
// felt) are left alone.
func base(term string) string {
	if form := verbForm(term); form != "" {
		return form
	}
	switch term {
	case "are", "am":
		return "is"
	case "were":
		return "was"
	case "have":
		return "has"
	case "do":
		return "does"
	case "an":
		return "a"
	case "themselves":
		return "itself"
	case "men":
		return "man"
	case "women":
		return "woman"
	case "children":
		return "child"
	case "indic", "indices":
		return "index"
	}
	return term
}

func verbForm(term string) string {
	switch term {
	case "kept":
		return "keep"
	case "chose", "chosen":
		return "choos"
	case "found":
		return "find"
	case "paid":
		return "pay"
	case "wrote", "written":
		return "write"
	case "sent":
		return "send"
	case "built":
		return "build"
	case "ran":
		return "run"
	case "went", "gone":
		return "go"
	case "made":
		return "make"
	case "took", "taken":
		return "take"
	case "got", "gotten":
		return "get"
	case "held":
		return "hold"
	case "began", "begun":
		return "begin"
	case "broke", "broken":
		return "break"
	case "gave", "given":
		return "give"
	case "knew", "known":
		return "know"
	case "grew", "grown":
		return "grow"
	case "thought":
		return "think"
	case "brought":
		return "bring"
	case "bought":
		return "buy"
	case "sold":
		return "sell"
	case "told":
		return "tell"
	case "said":
		return "say"
	case "lost":
		return "lose"
	case "met":
		return "meet"
	case "rang", "rung":
		return "ring"
	case "spoke", "spoken":
		return "speak"
	case "froze", "frozen":
		return "freez"
	case "fell", "fallen":
		return "fall"
	case "shown":
		return "show"
	case "forbade", "forbidden":
		return "forbid"
	case "slept":
		return "sleep"
	case "spent":
		return "spend"
	case "understood":
		return "understand"
	case "won":
		return "win"
	case "hidden", "hid":
		return "hide"
	}
	return ""
}
