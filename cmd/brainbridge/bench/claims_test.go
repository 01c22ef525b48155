package bench

import (
	"fmt"
	"testing"

	"github.com/brainbridge/brainbridge/brain/similar"
)

// Of the made-up project each replacement conflicts with what it replaces, however the
// two are worded, and statements about two topics of a component never conflict.
func TestReplacementsConflict(t *testing.T) {
	for _, topic := range topics() {
		for _, first := range topic.first {
			for _, later := range topic.later {
				for i, value := range topic.values {
					next := topic.values[(i+1)%len(topic.values)]
					for _, component := range components() {
						a, b := said(first, component, value), said(later, component, next)
						if !conflict(a, b) {
							t.Errorf("%s: no conflict of %q and %q", topic.name, a, b)
						}
					}
				}
			}
		}
	}
}

func TestTopicsDoNotConflict(t *testing.T) {
	for i, x := range topics() {
		for _, y := range topics()[:i] {
			for _, component := range components()[:3] {
				for _, p := range append(x.first, x.later...) {
					for _, q := range append(y.first, y.later...) {
						for _, v := range x.values {
							for _, w := range y.values[:2] {
								a, b := said(p, component, v), said(q, component, w)
								if conflict(a, b) {
									t.Errorf("%s and %s: conflict of %q and %q", x.name, y.name, a, b)
								}
							}
						}
					}
				}
			}
		}
	}
}

func said(phrase, component, value string) string {
	return capital(fmt.Sprintf(phrase, component, value))
}

func conflict(a, b string) bool {
	return similar.ClaimOf("", a).Conflicts(similar.ClaimOf("", b))
}
