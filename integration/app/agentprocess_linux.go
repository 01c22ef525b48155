package app

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// processOf reads /proc/ID/stat, see proc_pid_stat(5): id, (name), numbered fields.
func processOf(id int) (process, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return process{}, false
	}
	const parent, start = 4 - 3, 22 - 3 // the field after the name is number 3
	text := string(data)
	from, to := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if from < 0 || to < from {
		return process{}, false
	}
	fields := strings.Fields(text[to+1:])
	if len(fields) <= start {
		return process{}, false
	}
	above, err := strconv.Atoi(fields[parent])
	return process{above, text[from+1 : to], fields[start]}, err == nil
}
