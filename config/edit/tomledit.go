package edit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// ErrUnsafe says that a key cannot be edited without a change to others.
var ErrUnsafe = errors.New("the file is written in a way that cannot be edited safely")

// Set sets the key at a path to a literal. A new key goes below the last one of its table;
// a new table to the end of the file. On an error, which is [ErrUnsafe], nothing is
// changed.
func (t *TOML) Set(literal string, path ...string) error {
	edited := t.set(literal, path)
	after, err := ParseTOML(edited)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsafe, err)
	}
	was, _, err := t.without(path)
	if err != nil {
		return err
	}
	is, found, err := after.without(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsafe, err)
	}
	if !found || !reflect.DeepEqual(was, is) {
		return fmt.Errorf("%w: another key than %s would change", ErrUnsafe, strings.Join(path, "."))
	}
	*t = *after
	return nil
}

// without returns the content of the file without one key, and whether the key exists.
// Tables that become empty are left out.
func (t *TOML) without(path []string) (rest map[string]any, found bool, err error) {
	rest = map[string]any{}
	if err := t.Decode(&rest); err != nil {
		return nil, false, err
	}
	return rest, deleteKey(rest, path), nil
}

// deleteKey deletes a key, and tables that become empty. It reports whether the key existed.
func deleteKey(table map[string]any, path []string) (found bool) {
	key := path[0]
	if len(path) == 1 {
		_, found = table[key]
		delete(table, key)
		return found
	}
	if inner, ok := table[key].(map[string]any); ok {
		if found = deleteKey(inner, path[1:]); len(inner) == 0 {
			delete(table, key)
		}
	}
	return found
}

// set replaces the value of the key, or adds the key where it belongs.
func (t *TOML) set(literal string, path []string) []byte {
	if i := slices.IndexFunc(t.Keys, func(k Key) bool { return slices.Equal(k.Path, path) }); i >= 0 {
		return splice(t.data, t.Keys[i].Value, literal)
	}
	above, line := path[:len(path)-1], dotted(path[len(path)-1:])+" = "+literal
	if len(above) == 0 {
		switch end := t.tableEnd(-1); {
		case end > 0:
			return t.insert(afterLine(t.data, end), line)
		case len(t.Tables) > 0:
			return t.insert(0, line+lineEnd(t.data))
		}
		return t.insert(len(t.data), line)
	}
	if i := slices.IndexFunc(t.Tables, func(table Table) bool { return slices.Equal(table.Path, above) }); i >= 0 {
		return t.insert(afterLine(t.data, t.tableEnd(i)), line)
	}
	for _, k := range slices.Backward(t.Keys) { // written with dots
		var table []string
		if k.Table >= 0 {
			table = t.Tables[k.Table].Path
		}
		if len(k.Path) > len(above) && below(k.Path, above) && below(above, table) {
			return t.insert(afterLine(t.data, k.Value.End), dotted(path[len(table):])+" = "+literal)
		}
	}
	return t.addTable(above, line)
}

// below reports whether a path begins with another.
func below(path, top []string) bool {
	return len(path) >= len(top) && slices.Equal(path[:len(top)], top)
}

// dotted writes a path as a key.
func dotted(path []string) string {
	parts := slices.Clone(path)
	for i, part := range parts {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = plaintext.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}

// tableEnd returns the offset of the end of a table's last value, or of its header. Table -1
// is above the first one.
func (t *TOML) tableEnd(table int) (end int) {
	if table >= 0 {
		end = t.Tables[table].End
	}
	for _, k := range t.Keys {
		if k.Table == table {
			end = max(end, k.Value.End)
		}
	}
	return end
}

// addTable adds a table with one line at the end of the file.
func (t *TOML) addTable(path []string, line string) []byte {
	end, gap := lineEnd(t.data), ""
	if len(t.data) > 0 {
		gap = end
	}
	return t.insert(len(t.data), gap+"["+dotted(path)+"]"+end+line)
}

// insert inserts a line at the start of a line, or at the end of the file.
func (t *TOML) insert(at int, line string) []byte {
	end := lineEnd(t.data)
	if at > 0 && t.data[at-1] != '\n' { // the last line has no end
		line = end + line
	}
	return splice(t.data, Span{at, at}, line+end)
}

// Remove removes the lines of the key or table at a path and everything below it, with the
// blank line before a table. A key inside braces cannot be removed; that is [ErrUnsafe].
func (t *TOML) Remove(path ...string) error {
	var lines []Span
	for i, table := range t.Tables {
		if below(table.Path, path) {
			s := Span{lineStart(t.data, table.Start), afterLine(t.data, t.tableEnd(i))}
			lines = append(lines, Span{t.withBlankLine(s.Start), s.End})
		}
	}
	for _, k := range t.Keys {
		inTable := k.Table >= 0 && below(t.Tables[k.Table].Path, path)
		if below(k.Path, path) && !inTable {
			lines = append(lines, Span{lineStart(t.data, k.Start), afterLine(t.data, k.Value.End)})
		}
	}
	slices.SortFunc(lines, func(a, b Span) int { return b.Start - a.Start })
	edited := t.data
	for _, s := range lines { // from the end of the file
		edited = splice(edited, s, "")
	}
	after, err := ParseTOML(edited)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsafe, err)
	}
	if _, found, err := after.without(path); err != nil || found {
		return fmt.Errorf("%w: %s is written in braces", ErrUnsafe, strings.Join(path, "."))
	}
	*t = *after
	return nil
}

// withBlankLine returns the offset of the blank line before an offset, or the offset itself.
func (t *TOML) withBlankLine(offset int) int {
	if offset == 0 {
		return offset
	}
	above := lineStart(t.data, offset-1)
	if len(bytes.TrimRight(t.data[above:offset], "\r\n")) == 0 {
		return above
	}
	return offset
}
