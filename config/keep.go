package config

import (
	"strconv"
	"strings"
)

// Keep says how many backups are kept: the newest ones, and the newest of each of the last
// days and weeks that have one.
type Keep struct{ Newest, Daily, Weekly int }

// Kept returns backup.keep, which is valid once the settings are loaded.
func (b Backup) Kept() Keep {
	k, _ := parseKeep(b.Keep)
	return k
}

// parseKeep reads a text such as "newest 3, daily 7, weekly 4".
func parseKeep(text string) (k Keep, err *Error) {
	fields := map[string]*int{"newest": &k.Newest, "daily": &k.Daily, "weekly": &k.Weekly}
	for part := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(part), " ")
		n, wrong := strconv.Atoi(strings.TrimSpace(number))
		field := fields[name]
		if field == nil || wrong != nil || n < 0 {
			return k, keepFault(text)
		}
		*field = n
		delete(fields, name) // each stands there once
	}
	if k.Newest < 1 {
		return k, keepFault(text)
	}
	return k, nil
}

func keepFault(text string) *Error {
	return fault("%s does not say which backups are kept", shown(text)).
		hint("newest 3, daily 7, weekly 4; the newest one at least")
}

func checkKeep(text string) *Error {
	_, err := parseKeep(text)
	return err
}

// BackupsOff turns the backups of the daemon off.
const BackupsOff = "off"

// Scheduled reports whether the daemon makes backups.
func (b Backup) Scheduled() bool { return b.Schedule != "" && b.Schedule != BackupsOff }

func checkBackupSchedule(expr string) *Error {
	if !(Backup{Schedule: expr}).Scheduled() {
		return nil
	}
	err := checkCron(expr)
	if err != nil {
		err.Hint += `; "off" makes none`
	}
	return err
}
