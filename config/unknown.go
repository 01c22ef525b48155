package config

import "strings"

// unknown returns the error for a key that does not exist.
func unknown(name string) *Error {
	err := fault("unknown key").of(name)
	switch similar := similarKeys(name); {
	case name == "lifecycle" || strings.HasPrefix(name, "lifecycle."):
		err.Text = "the numbers of the lifecycle are in the store, not in the file, because all machines on one brain share them"
		return err.hint("remove it from the file; set it with: brainbridge config set %s VALUE", name)
	case isTable(name):
		err.Text = "is a table of keys, not a value"
		return err.hint("write [%s] on a line of its own and the keys below it", name)
	case len(similar) > 0:
		return err.hint("did you mean %s?", strings.Join(similar, ", "))
	}
	return err.hint("brainbridge config show lists all keys")
}

// similarKeys returns the keys with the last part of a name, or all of its table.
func similarKeys(name string) []string {
	name = strings.ToLower(name)
	last := name[strings.LastIndexByte(name, '.')+1:]
	table, _, dotted := strings.Cut(name, ".")
	var same, beside []string
	for _, k := range keys(&Config{}) {
		switch {
		case strings.HasSuffix("."+k.name, "."+last):
			same = append(same, k.name)
		case dotted && strings.HasPrefix(k.name, table+"."):
			beside = append(beside, k.name)
		}
	}
	if len(same) > 0 {
		return same
	}
	return beside
}
