package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
)

// Set writes one setting into the config file. Only the line of the key
// changes or is added; comments, order and all other bytes stay. A value that
// is not valid is an *Error, and the file stays as it is. The file is replaced
// at once, never half; it and its folder are created where they are missing.
func Set(file, name, value string) error {
	k, ok := findKey(name)
	if !ok {
		return unknown(name)
	}
	literal, fault := k.literal(value)
	if fault != nil {
		fault.Key = name
		return fault
	}
	if err := validate(file, name, literal); err != nil {
		return err
	}
	doc, err := readDocument(file, false)
	if err != nil {
		return err
	}
	edited, err := doc.with(name, literal)
	if err != nil {
		return err
	}
	return replace(file, edited)
}

// literal is the value as TOML.
func (k key) literal(value string) (string, *Error) {
	parsed, err := k.parse(value)
	if err != nil {
		return "", err
	}
	switch parsed.(type) {
	case bool:
		return value, nil
	case Size:
		if strings.Trim(value, "0123456789") == "" {
			return strings.TrimLeft(value[:len(value)-1], "0") + value[len(value)-1:], nil
		}
	}
	return quoted(strings.TrimSpace(value)), nil
}

// quoted is s as a basic string. JSON's escapes are among TOML's, and control
// characters do not get here.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// with returns the text with one key set, after checking that nothing else
// changed.
func (d *document) with(name, literal string) ([]byte, error) {
	edited := d.edit(name, literal)
	after, err := parseDocument(d.file, edited)
	if err != nil {
		return nil, d.byHand(name, err)
	}
	if !sameBut(name, d, after) {
		return nil, d.byHand(name, errors.New("the edit would change another key"))
	}
	return edited, nil
}

func (d *document) byHand(name string, err error) *Error {
	return &Error{
		Key: name, Where: d.file, Err: err,
		Text: "the file is written in a way that cannot be edited safely",
		Hint: "edit it by hand",
	}
}

// validate checks the one setting by itself, so that a fault elsewhere in the
// file does not keep it from being mended.
func validate(file, name, literal string) error {
	doc, err := parseDocument(file, []byte(name+" = "+literal+"\n"))
	if err != nil {
		return err
	}
	_, err = load(Input{Env: func(string) string { return "" }}, places{working: "/"}, doc)
	var e *Error
	if errors.As(err, &e) {
		e.Where = "" // the value is not in the file
	}
	return err
}

func sameBut(name string, before, after *document) bool {
	was, err := before.values()
	if err != nil {
		return false
	}
	is, err := after.values()
	if err != nil {
		return false
	}
	for _, k := range keys() {
		if k.name != name && !reflect.DeepEqual(was.Get(k.name), is.Get(k.name)) {
			return false
		}
	}
	return true
}

// edit replaces the value of the key, or adds the key where it belongs.
func (d *document) edit(name, literal string) []byte {
	if i := slices.IndexFunc(d.entries, func(e entry) bool { return e.key == name }); i >= 0 {
		e := d.entries[i]
		return splice(d.data, e.start, e.end, literal)
	}
	section, short, nested := strings.Cut(name, ".")
	if !nested {
		return d.addTop(name + " = " + literal)
	}
	if i := slices.IndexFunc(d.tables, func(t table) bool { return t.name == section }); i >= 0 {
		at := d.tables[i].end
		for _, e := range d.entries {
			if e.table == i {
				at = max(at, e.end)
			}
		}
		return d.addLine(at, short+" = "+literal)
	}
	for _, e := range slices.Backward(d.entries) {
		switch {
		case !strings.HasPrefix(e.key, section+"."):
		case e.inline:
			return splice(d.data, e.end, e.end, ", "+short+" = "+literal)
		default:
			return d.addLine(e.end, name+" = "+literal)
		}
	}
	return d.addTable(section, short+" = "+literal)
}

// addTop adds a line above the first table: below the last key there, else
// just above the table and the comment that belongs to it.
func (d *document) addTop(line string) []byte {
	if len(d.tables) == 0 {
		return splice(d.data, len(d.data), len(d.data), d.gap()+line+d.newline())
	}
	for _, e := range slices.Backward(d.entries) {
		if e.table < 0 {
			return d.addLine(e.end, line)
		}
	}
	at := d.lineStart(d.tables[0].start)
	for at > 0 {
		above := d.lineStart(at - 1)
		if !bytes.HasPrefix(bytes.TrimSpace(d.data[above:at]), []byte("#")) {
			break
		}
		at = above
	}
	return splice(d.data, at, at, line+d.newline()+d.newline())
}

func (d *document) addTable(section, line string) []byte {
	nl, empty := d.newline(), ""
	if len(d.data) > 0 {
		empty = nl
	}
	end := len(d.data)
	return splice(d.data, end, end, d.gap()+empty+"["+section+"]"+nl+line+nl)
}

// addLine adds a line below that of offset.
func (d *document) addLine(offset int, line string) []byte {
	end := bytes.IndexByte(d.data[offset:], '\n')
	if end < 0 {
		return splice(d.data, len(d.data), len(d.data), d.newline()+line+d.newline())
	}
	at := offset + end + 1
	return splice(d.data, at, at, line+d.newline())
}

// gap ends a last line that has no end.
func (d *document) gap() string {
	if len(d.data) > 0 && d.data[len(d.data)-1] != '\n' {
		return d.newline()
	}
	return ""
}

func (d *document) newline() string {
	if bytes.Contains(d.data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (d *document) lineStart(offset int) int {
	return bytes.LastIndexByte(d.data[:offset], '\n') + 1
}

func splice(data []byte, start, end int, text string) []byte {
	return slices.Concat(data[:start], []byte(text), data[end:])
}

// replace writes the file by way of a new one in the same folder. A link to
// the real file, as dotfile managers lay it, stays.
func replace(file string, data []byte) error {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s: %w", file, err)
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of %s: %w", file, err)
	}
	if err := renameio.WriteFile(file, data, 0o600, renameio.WithTempDir(dir)); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return syncDir(dir)
}

// syncDir makes the rename last through a loss of power.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	defer func() { _ = f.Close() }() // nothing is written through it
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return nil
}
