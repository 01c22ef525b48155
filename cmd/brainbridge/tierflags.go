package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/tiers"
)

// parseEnergy reads an energy that a memory may have.
func parseEnergy(text string) (float64, error) {
	e, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err == nil {
		err = tiers.CheckEnergy(e)
	}
	if err != nil || math.IsNaN(e) {
		return 0, usage("give a number from 0, such as 1.5, to "+mostEnergy(), "%q is not an energy", text)
	}
	return e, nil
}

// mostEnergy is the limit of an energy as people write it.
func mostEnergy() string { return strconv.FormatFloat(tiers.MaxEnergy, 'g', -1, 64) }

// parseTier reads the name of a tier, in any case, with or without a dash.
func parseTier(text string) (tiers.Tier, error) {
	plain := strings.ReplaceAll(strings.ReplaceAll(text, "-", ""), "_", "")
	for _, t := range tiers.All() {
		if strings.EqualFold(plain, string(t)) {
			return t, nil
		}
	}
	return "", usage("tiers are "+strings.Join(tierNames(), ", "), "there is no tier %q", text)
}

func tierNames() (names []string) {
	for _, t := range tiers.All() {
		names = append(names, string(t))
	}
	return names
}

// currentTiers are those of live and expired memories.
func currentTiers() []tiers.Tier {
	return slices.DeleteFunc(tiers.All(), func(t tiers.Tier) bool { return !t.Live() && t != tiers.Expired })
}

func parseTiers(names []string) ([]tiers.Tier, error) {
	var all []tiers.Tier
	for _, name := range names {
		t, err := parseTier(name)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}
