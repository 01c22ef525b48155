package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/viper"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// maxFile is the largest config file that is read, in bytes.
const maxFile = 1 << 20

// document is a config file.
type document struct {
	file  string
	toml  *TOML
	lines map[string]int // of the keys
	stray *Error         // the first key that does not exist; nil if there is none
}

// readDocument reads the file. A missing one is empty.
func readDocument(file string) (*document, error) {
	data, err := readUpTo(file, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return parseDocument(file, nil)
	case err != nil:
		return nil, unreadable(file, err)
	case len(data) > maxFile:
		return nil, &Error{Where: file, Text: "the file is over 1 MiB", Hint: "is it the right file?"}
	}
	return parseDocument(file, data)
}

// readUpTo reads a file, at most one byte more than a limit.
func readUpTo(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, limit+1))
}

func unreadable(file string, err error) *Error {
	return &Error{Where: file, Text: fmt.Sprintf("the config file cannot be read: %v", durable.Cause(err)), Err: err}
}

// parseDocument reads all keys. Unknown keys are not an error here, so that others can be
// set; Load returns an error for them.
func parseDocument(file string, data []byte) (*document, error) {
	d := &document{file: file, lines: map[string]int{}}
	var err error
	if d.toml, err = ParseTOML(data); err != nil {
		return nil, d.broken(err)
	}
	for _, part := range d.toml.parts {
		name, place := keyName(part.path), d.place(part.start)
		wrong := checkBrainTable(part.path)
		_, known := findKey(&Config{}, name)
		line, twice := d.lines[name]
		switch {
		case part.array && isTable(name):
			return nil, fault("is written as a list of tables, [[%s]]", name).hint("write [%s]", name).of(name).at(place)
		case wrong == nil && (part.header && !isTable(name) || !part.header && !known):
			wrong = unknown(name)
		case !part.header && twice && name != projectsTable:
			return nil, fault("is set twice, first on line %d", line).hint("keep one of them").of(name).at(place)
		}
		if wrong != nil && d.stray == nil {
			d.stray = wrong.at(place)
		}
		if !part.header {
			d.lines[name] = lineOf(data, part.start)
		}
	}
	return d, nil
}

// unknown returns the error for a key that does not exist.
func unknown(name string) *Error {
	err := fault("unknown key").of(name)
	switch {
	case name == "lifecycle" || strings.HasPrefix(name, "lifecycle."):
		err.Text = "the numbers of the lifecycle are in the store, not in the file, because all machines on one brain share them"
		return err.hint("remove it from the file; set it with: brainbridge config set %s VALUE", name)
	case gone()[name] != "":
		err.Text = "is no longer a setting"
		return err.hint("remove the key; %s", gone()[name])
	case name == "archive" || name == "attention":
		err.Text = "is no longer a table of settings"
		return err.hint("remove it; %s", gone()[map[string]string{"archive": "archive.dir", "attention": "attention.related"}[name]])
	case isTable(name):
		err.Text = "is a table of keys, not a value"
		return err.hint("write [%s] on a line of its own and the keys below it", name)
	}
	return err.hint("brainbridge config show lists all keys")
}

// gone returns the settings of earlier versions, with what holds instead.
func gone() map[string]string {
	const money = "a limit in money needs prices, which change: llm.daily_tokens limits a day"
	return map[string]string{
		"notes.patterns":           "begin what is to be kept with a label, such as Decision:, Lesson: or Fact:",
		"transcripts.chunk_tokens": "a chunk has 4,000 tokens",
		"transcripts.side_chains":  "what subagents said is left out",
		"llm.daily_cost":           money,
		"llm.price_prompt":         money,
		"llm.price_completion":     money,
		"consolidate.every":        "the daemon settles every 10 minutes",
		"archive.dir":              "the archive is the folder archive beside brain.db; move the files there",
		"attention.related":        "related topics are those of docs/attention.md",
		"log.file":                 "the daemon logs to daemon.log in the state folder, which `brainbridge init --dry-run --json` names",
	}
}

// keyName returns the name of a key, with dots in its parts escaped, which no key has.
func keyName(path []string) string {
	if len(path) > 2 && strings.Join(path[:2], ".") == projectsTable {
		path = path[:2]
	}
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = strings.ReplaceAll(part, ".", `\.`)
	}
	return strings.Join(parts, ".")
}

// place names the line of an offset.
func (d *document) place(offset int) string {
	return fmt.Sprintf("%s:%d", d.file, lineOf(d.toml.data, offset))
}

// broken returns the error for a file that is not TOML.
func (d *document) broken(err error) *Error {
	e := &Error{Where: d.file, Text: "not valid TOML: " + err.Error(), Err: err}
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		e.Text = "not valid TOML: " + syntax.Text
		if syntax.Line > 0 {
			e.Where = fmt.Sprintf("%s:%d", d.file, syntax.Line)
		}
	}
	return e
}

// values decodes the document. The names of brains keep their case, which viper would lower.
func (d *document) values() (*viper.Viper, map[string]brainSettings, error) {
	all := map[string]any{}
	if err := d.toml.Decode(&all); err != nil {
		return nil, nil, d.broken(err)
	}
	brains, wrong := d.readBrains(all[brainsTable])
	if wrong != nil {
		return nil, nil, wrong
	}
	delete(all, brainsTable)
	v := viper.New()
	if err := v.MergeConfigMap(all); err != nil {
		return nil, nil, fmt.Errorf("read the settings: %w", err)
	}
	return v, brains, nil
}

// Set writes one setting to the config file, which it creates if necessary. It changes only
// the line of the key: unknown keys and invalid values elsewhere stay. An invalid value is an
// *Error and changes nothing. A lock on the folder serializes concurrent changes.
func Set(file, name, value string) error { return setAll(file, [][2]string{{name, value}}) }

// setAll is Set for several settings, each a key and its value, in one write.
func setAll(file string, settings [][2]string) error {
	target, err := durable.Target(file)
	if err != nil {
		return fmt.Errorf("find %s: %w", file, err)
	}
	if err := durable.MakeDir(filepath.Dir(target), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of %s: %w", file, err)
	}
	busy := &Error{Where: file, Text: "another program is changing the file", Hint: "try again", Err: durable.ErrBusy}
	release, err := durable.Lock{Path: filepath.Dir(target), Wait: 10 * time.Second, Busy: busy}.Acquire(context.Background())
	if err != nil {
		return err
	}
	defer release()
	doc, err := withSettings(file, settings)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(target, doc.toml.Bytes(), durable.Options{KeepMode: true}); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// TrySet is Set without writing. err is the error of Set, loadErr that of a later Load.
func TrySet(in Input, file, name, value string) (loadErr, err error) {
	edited, err := withSettings(file, [][2]string{{name, value}})
	if err != nil {
		return nil, err
	}
	doc, loadErr := parseDocument(file, edited.toml.Bytes())
	if loadErr == nil {
		_, loadErr = load(in, doc)
	}
	return loadErr, nil
}

// tomlLiteral validates the value of a key alone, and returns it as TOML.
func tomlLiteral(name, value string) (string, error) {
	c := Default()
	k, ok := findKey(&c, name)
	if !ok {
		return "", unknown(name)
	}
	if err := checkBrainTable(keyPath(name)); err != nil {
		return "", err
	}
	parsed, valueErr := k.parse(value)
	if valueErr == nil {
		reflect.ValueOf(k.field).Elem().Set(reflect.ValueOf(parsed))
		valueErr = k.check()
	}
	if valueErr != nil {
		return "", valueErr.of(name)
	}
	return literal(value, parsed), nil
}

// withSettings returns the document of the file with settings changed.
func withSettings(file string, settings [][2]string) (*document, error) {
	literals := make([]string, len(settings))
	for i, s := range settings {
		var err error
		if literals[i], err = tomlLiteral(s[0], s[1]); err != nil {
			return nil, err
		}
	}
	doc, err := readDocument(file)
	if err != nil {
		return nil, err
	}
	for i, s := range settings {
		err := doc.toml.Set(literals[i], keyPath(s[0])...)
		if errors.Is(err, ErrUnsafe) {
			e := fault("%v", ErrUnsafe).hint("edit it by hand").of(s[0]).at(file)
			e.Err = err
			return nil, e
		}
		if err != nil {
			return nil, doc.broken(err)
		}
	}
	return doc, nil
}
