package words

import (
	"slices"
	"strings"
)

// Stop reports whether word, as typed or as a term, is a stop or question word,
// which says nothing about the topic of a text. Negations (not, no, never, without,
// cannot and the like) are never stop words.
func Stop(word string) bool {
	return stopWord(strings.ToLower(word))
}

// ContentTerms returns the terms of a text without stop words, in order. Their number is
// the length of the text in ranking.
func ContentTerms(text string) []string {
	return slices.DeleteFunc(Terms(text), stopWord)
}

// Content returns the distinct terms of [ContentTerms]: the first most of them, or all if
// most is 0.
func Content(text string, most int) []string {
	var all []string
	seen := map[string]bool{}
	for _, t := range ContentTerms(text) {
		if most > 0 && len(all) == most {
			break
		}
		if !seen[t] {
			seen[t] = true
			all = append(all, t)
		}
	}
	return all
}

func stopWord(w string) bool {
	if len(w) > len("themselves") {
		return false
	}
	switch w {
	case "a", "an", "the", "this", "that", "these", "those",
		"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves",
		"you", "your", "yours", "yourself", "yourselves",
		"he", "him", "his", "himself", "she", "her", "hers", "herself",
		"it", "its", "itself", "they", "them", "their", "theirs", "themselves",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "doing", "done", "have", "has", "had", "having",
		"will", "would", "shall", "should", "can", "could", "might", "must",
		"of", "in", "on", "at", "to", "from", "for", "with", "by", "about", "into", "as",
		"and", "or", "but", "if", "then", "than", "so", "because", "while",
		"there", "here", "just", "too", "very", "also", "some", "any", "such", "please",
		"what", "which", "who", "whom", "whose", "when", "where", "why", "how":
		return true
	}
	return false
}

// commonest are the most frequent stop words of English texts, most frequent first.
const commonest = "the of and to a in is that it for on be with as was this by are i at you or from an we have but they " +
	"will he has if can do so there which their would about been when who some them could then our"

// commonness returns a number that is higher for more common words, 0 for most.
func commonness(word string) int {
	all := strings.Fields(commonest)
	if at := slices.Index(all, word); at >= 0 {
		return len(all) - at
	}
	return 0
}

// germanStopWord reports whether a folded word is a German stop or question word. Only
// queries leave these out. Words that mean something in English, such as "war" and "will",
// are not among them.
func germanStopWord(w string) bool {
	switch w {
	case "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines",
		"und", "oder", "aber", "ist", "sind", "wird", "werden", "wurde", "hat", "haben", "fur", "fuer", "mit", "von", "vom",
		"zu", "zum", "zur", "im", "auf", "aus", "bei", "beim", "als", "auch", "sich", "wir", "ich", "sie", "er", "es", "mein", "meine",
		"unser", "unsere", "wie", "wer", "wo", "wann", "warum", "wieso", "woher", "wohin", "womit", "welche", "welcher", "welches",
		"kann", "konnen", "koennen", "soll", "muss", "dass", "wenn", "nach", "unter", "durch", "statt":
		return true
	}
	return false
}
