package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// Set writes one setting into the config file. Only the line of the key
// changes or is added; comments, order and all other bytes stay, also keys that
// do not exist and wrong values of other keys, which Load still refuses. A value
// that is not valid is an *Error, and the file stays as it is. The file is
// replaced at once, never half; it and its folder are created where they are
// missing. Several at once, in any processes, wait for each other: meanwhile
// there is a lock beside the file, named .config.toml.lock if that is
// config.toml.
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
	target, err := durable.Target(file)
	if err != nil {
		return fmt.Errorf("find %s: %w", file, err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return fmt.Errorf("make the folder of %s: %w", file, err)
	}
	unlock, err := lock(target, patience)
	if err != nil {
		return err
	}
	defer unlock()
	doc, err := readDocument(file, false)
	if err != nil {
		return err
	}
	edited, err := doc.with(name, literal)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(target, edited, durable.Options{KeepMode: true}); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// literal is the value as TOML.
func (k key) literal(value string) (string, *Error) {
	parsed, err := k.parse(value)
	if err != nil {
		return "", err
	}
	switch v := parsed.(type) {
	case Size:
		if strings.Trim(value, "0123456789") == "" {
			return strings.TrimLeft(value[:len(value)-1], "0") + value[len(value)-1:], nil
		}
	case int:
		return strconv.Itoa(v), nil
	case float64:
		return showAmount(v), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []string:
		return showList(v), nil
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
	was, _, err := d.without(name)
	if err != nil {
		return nil, err
	}
	is, found, err := after.without(name)
	if err != nil {
		return nil, d.byHand(name, err)
	}
	if !found || !reflect.DeepEqual(was, is) {
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

// without returns everything the document holds but one key, and whether it
// holds that. A table with nothing else in it is left out too.
func (d *document) without(name string) (rest map[string]any, found bool, err error) {
	rest = map[string]any{}
	if err := toml.Unmarshal(d.data, &rest); err != nil {
		return nil, false, d.broken(err)
	}
	section, short, nested := strings.Cut(name, ".")
	if !nested {
		_, found = rest[name]
		delete(rest, name)
		return rest, found, nil
	}
	if table, ok := rest[section].(map[string]any); ok {
		_, found = table[short]
		delete(table, short)
		if len(table) == 0 {
			delete(rest, section)
		}
	}
	return rest, found, nil
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
		case e.end == 0 || !strings.HasPrefix(e.key, section+"."):
		case e.inline:
			return splice(d.data, e.end, e.end, ", "+short+" = "+literal)
		case e.table < 0:
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
		if e.table < 0 && e.end > 0 {
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
