package dailynote

import (
	"strings"
	"time"
)

// zone resolves an offset, an abbreviation or an IANA name, nil if it is not known.
func (p *parser) zone(name string, day time.Time) *time.Location {
	if loc := offsetZone(name); loc != nil {
		return loc
	}
	if loc := abbreviation(name, day, p.opts.Location); loc != nil {
		return loc
	}
	if _, known := p.zones[name]; !known && name != "Local" { // which is the machine's zone
		p.zones[name], _ = time.LoadLocation(name) // nil for one that is not known
	}
	return p.zones[name]
}

// offsetZone reads Z, +2, +02, +0200 and +02:00, also behind UTC or GMT, else nil.
func offsetZone(s string) *time.Location {
	offset := strings.ToUpper(s)
	for _, prefix := range []string{"UTC", "GMT"} {
		if rest, ok := strings.CutPrefix(offset, prefix); ok && rest != "" {
			offset = rest
		}
	}
	if len(offset) > 1 && (len(offset) == 2 || offset[2] == ':') {
		offset = offset[:1] + "0" + offset[1:]
	}
	for _, layout := range []string{"Z07:00", "Z0700", "Z07"} {
		if t, err := time.Parse(layout, offset); err == nil {
			_, seconds := t.Zone()
			return time.FixedZone(s, seconds)
		}
	}
	return nil
}

// abbreviation resolves names such as CEST: as the zone of the day uses them if
// it does, else as RFC 2822 section 4.3 lists them, else as in European usage.
func abbreviation(name string, day time.Time, loc *time.Location) *time.Location {
	name = strings.ToUpper(name)
	for _, month := range []time.Month{time.January, time.July} {
		short, seconds := time.Date(day.Year(), month, 1, 12, 0, 0, 0, loc).Zone()
		if short == name {
			return time.FixedZone(name, seconds)
		}
	}
	if h, known := zoneHours()[name]; known {
		return time.FixedZone(name, h*3600)
	}
	if place, known := zonePlaces()[name]; known {
		loc, _ := time.LoadLocation(place)
		return loc
	}
	return nil
}

func zoneHours() map[string]int {
	return map[string]int{
		"UTC": 0, "UT": 0, "GMT": 0, "WET": 0, "CET": 1, "WEST": 1, "BST": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3,
		"EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8,
		"JST": 9, "KST": 9, "AEST": 10, "AEDT": 11,
	}
}

// zonePlaces has names that stand for standard time and daylight-saving time.
func zonePlaces() map[string]string {
	return map[string]string{
		"ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver", "PT": "America/Los_Angeles",
	}
}

// isZone reports whether a word behind a time without brackets names a zone.
func isZone(name string) bool {
	if strings.Contains(name, "/") {
		_, err := time.LoadLocation(name)
		return err == nil
	}
	if offsetZone(name) != nil {
		return true
	}
	_, fixed := zoneHours()[name]
	_, place := zonePlaces()[name]
	return fixed || place
}
