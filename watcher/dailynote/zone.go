package dailynote

import (
	"strconv"
	"strings"
	"time"
)

// maxZones bounds the zone names that one file may look up; each costs disk.
const maxZones = 64

// instant is the UTC time of a wall clock in a zone. A clock time that occurs
// twice is the first of the two; one that is skipped is read with the offset
// before the change, as if the clock had gone on. In both cases the zone in
// the header, if there is one, says it exactly.
func instant(day time.Time, c clock, loc *time.Location) time.Time {
	wall := time.Date(day.Year(), day.Month(), day.Day(), c.hour, c.minute, max(c.second, 0), 0, time.UTC)
	before := wall.Add(-offsetAt(wall.Add(-24*time.Hour), loc))
	after := wall.Add(-offsetAt(wall.Add(24*time.Hour), loc))
	for _, t := range []time.Time{before, after} {
		if t.Add(offsetAt(t, loc)).Equal(wall) {
			return t
		}
	}
	return before
}

func offsetAt(t time.Time, loc *time.Location) time.Duration {
	_, seconds := t.In(loc).Zone()
	return time.Duration(seconds) * time.Second
}

// zone resolves the zone written in a header: an offset, a name of the IANA
// list, or an abbreviation. nil means that it is not known.
func (p *parser) zone(name string, day time.Time) *time.Location {
	if loc := offsetZone(name); loc != nil {
		return loc
	}
	if loc := abbreviation(name, day, p.opts.Location); loc != nil {
		return loc
	}
	if loc, known := p.zones[name]; known {
		return loc
	}
	if len(p.zones) >= maxZones || !isZoneName(name) {
		return nil
	}
	if p.zones == nil {
		p.zones = map[string]*time.Location{}
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		loc = nil
	}
	p.zones[name] = loc
	return loc
}

// zoneName names a zone for people. The machine's own has no name but those
// that its clocks had on that day.
func zoneName(loc *time.Location, day time.Time) string {
	if loc != time.Local {
		return loc.String()
	}
	noon := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, loc)
	return "this machine's zone, " + noon.Format("-07:00")
}

// isZoneName leaves out what would name the machine's own zone.
func isZoneName(s string) bool {
	return s != "" && len(s) <= 64 && s != "Local" && !strings.ContainsAny(s, " \t\\:")
}

// offsetZone reads Z, +02, +0200 and +02:00, after UTC or GMT if they like.
func offsetZone(s string) *time.Location {
	upper := strings.ToUpper(s)
	if upper == "Z" {
		return time.UTC
	}
	if rest, ok := strings.CutPrefix(upper, "UTC"); ok && rest != "" {
		upper = rest
	} else if rest, ok := strings.CutPrefix(upper, "GMT"); ok && rest != "" {
		upper = rest
	}
	if len(upper) < 2 || upper[0] != '+' && upper[0] != '-' {
		return nil
	}
	hours, minutes, ok := cutOffset(upper[1:])
	if !ok || hours > 14 || minutes > 59 {
		return nil
	}
	seconds := (hours*60 + minutes) * 60
	if upper[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone(s, seconds)
}

func cutOffset(s string) (hours, minutes int, ok bool) {
	head, tail, colon := strings.Cut(s, ":")
	if !colon && len(s) == 4 {
		head, tail = s[:2], s[2:]
	}
	ok = clockPart(head, 1, 99, &hours)
	if colon || tail != "" {
		ok = ok && clockPart(tail, 2, 99, &minutes)
	}
	return hours, minutes, ok
}

// abbreviation reads names such as CEST: as the zone of the day uses them if
// it does, else as RFC 2822 section 4.3 has them, or European usage.
func abbreviation(name string, day time.Time, loc *time.Location) *time.Location {
	name = strings.ToUpper(name)
	for _, month := range []time.Month{time.January, time.July} {
		short, seconds := time.Date(day.Year(), month, 1, 12, 0, 0, 0, loc).Zone()
		if short == name {
			return time.FixedZone(name, seconds)
		}
	}
	hours, known := abbreviatedHours(name)
	if !known {
		return nil
	}
	return time.FixedZone(name+" "+strconv.Itoa(hours), hours*3600)
}

func abbreviatedHours(name string) (hours int, known bool) {
	switch name {
	case "UTC", "UT", "GMT", "WET":
		return 0, true
	case "CET", "WEST", "BST":
		return 1, true
	case "CEST", "EET":
		return 2, true
	case "EEST", "MSK":
		return 3, true
	case "EDT":
		return -4, true
	case "EST", "CDT":
		return -5, true
	case "CST", "MDT":
		return -6, true
	case "MST", "PDT":
		return -7, true
	case "PST":
		return -8, true
	}
	return 0, false
}
