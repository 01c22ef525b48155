package dailynote

import (
	"cmp"
	"strings"
	"time"
)

// zone resolves an offset, an abbreviation or an IANA name, nil if it is not known. An
// abbreviation is that of the notes' own zone, if it has it.
func (p *parser) zone(name string, day time.Time) *time.Location {
	for _, month := range []time.Month{time.January, time.July} {
		short, seconds := time.Date(day.Year(), month, 1, 12, 0, 0, 0, p.opts.Location).Zone()
		if strings.EqualFold(short, name) {
			return time.FixedZone(name, seconds)
		}
	}
	return zoneOf(name)
}

// zoneOf resolves Z, +2, +02, +0200 and +02:00, also behind UTC or GMT, an abbreviation and an
// IANA name, else nil.
func zoneOf(name string) *time.Location {
	offset := strings.ToUpper(name)
	for _, prefix := range []string{"UTC", "GMT"} {
		if rest, ok := strings.CutPrefix(offset, prefix); ok && rest != "" {
			offset = rest
		}
	}
	offset = cmp.Or(zoneNames()[offset], offset)
	if len(offset) > 1 && (len(offset) == 2 || offset[2] == ':') {
		offset = offset[:1] + "0" + offset[1:]
	}
	for _, layout := range []string{"Z07:00", "Z0700", "Z07"} {
		if t, err := time.Parse(layout, offset); err == nil {
			_, seconds := t.Zone()
			return time.FixedZone(name, seconds)
		}
	}
	if name = cmp.Or(zoneNames()[name], name); !strings.Contains(name, "/") {
		return nil // a word
	}
	loc, _ := time.LoadLocation(name)
	return loc
}

// zoneNames has what abbreviations stand for: an offset, or a place whose clocks change.
func zoneNames() map[string]string {
	return map[string]string{
		"UTC": "Z", "UT": "Z", "GMT": "Z", "WET": "Z", "CET": "+01", "WEST": "+01", "BST": "+01", "CEST": "+02", "EET": "+02", "EEST": "+03", "MSK": "+03",
		"EDT": "-04", "EST": "-05", "CDT": "-05", "CST": "-06", "MDT": "-06", "MST": "-07", "PDT": "-07", "PST": "-08",
		"JST": "+09", "KST": "+09", "AEST": "+10", "AEDT": "+11",
		"ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver", "PT": "America/Los_Angeles",
	}
}
