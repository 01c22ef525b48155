package config

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config/edit"
)

// lockWait is the time to wait for another process that changes the file. A change takes
// milliseconds.
const lockWait = 10 * time.Second

// Set writes one setting to the config file and creates the file and its folder if
// necessary. It changes only the line of the key: unknown keys and invalid values
// elsewhere stay. An invalid value is an *Error and changes nothing. A lock on the
// folder serializes concurrent changes.
func Set(file, name, value string) error {
	literal, err := tomlLiteral(name, value)
	if err != nil {
		return err
	}
	target, err := durable.Target(file)
	if err != nil {
		return fmt.Errorf("find %s: %w", file, err)
	}
	if err := durable.MakeDir(filepath.Dir(target), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of %s: %w", file, err)
	}
	busy := &Error{Where: file, Text: "another program is changing the file", Hint: "try again", Err: durable.ErrBusy}
	release, err := durable.Lock{Path: filepath.Dir(target), Wait: lockWait, Busy: busy}.Acquire(context.Background())
	if err != nil {
		return err
	}
	defer release()
	text, err := withSetting(file, name, literal)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(target, text, durable.Options{KeepMode: true}); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// TrySet does what Set does without writing. err is the error of Set, loadErr that of a
// later Load.
func TrySet(in Input, file, name, value string) (loadErr, err error) {
	literal, err := tomlLiteral(name, value)
	if err != nil {
		return nil, err
	}
	text, err := withSetting(file, name, literal)
	if err != nil {
		return nil, err
	}
	doc, loadErr := parseDocument(file, text)
	if loadErr == nil {
		_, loadErr = load(in, doc)
	}
	return loadErr, nil
}

// tomlLiteral validates the value of a key alone, so that it can be set even if others in
// the file are invalid, and returns it as TOML.
func tomlLiteral(name, value string) (string, error) {
	c := Default()
	k, ok := findKey(&c, name)
	if !ok {
		return "", unknown(name)
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

// withSetting returns the text of the file with a key set.
func withSetting(file, name, literal string) ([]byte, error) {
	doc, err := readDocument(file)
	if err != nil {
		return nil, err
	}
	err = doc.toml.Set(literal, strings.Split(name, ".")...)
	if errors.Is(err, edit.ErrUnsafe) {
		e := fault("%v", edit.ErrUnsafe).hint("edit it by hand").of(name).at(file)
		e.Err = err
		return nil, e
	}
	if err != nil {
		return nil, doc.broken(err)
	}
	return doc.toml.Bytes(), nil
}
