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

// lockWait is how long to wait for another change of the file, which takes
// milliseconds.
const lockWait = 10 * time.Second

// Set writes one setting to the config file, which is created with its folder if
// it is missing. Only the line of the key changes; all other bytes stay, even
// unknown keys and wrong values, which Load still refuses. A value that is not
// valid is an *Error, and the file stays as it is. Changes by several processes
// wait for each other by a lock on the folder.
func Set(file, name, value string) error {
	literal, err := literalOf(name, value)
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
	text, err := edited(file, name, literal)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(target, text, durable.Options{KeepMode: true}); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// TrySet returns the error that Set would return, and writes nothing. left is the
// error that Load would return then.
func TrySet(in Input, file, name, value string) (left, err error) {
	literal, err := literalOf(name, value)
	if err != nil {
		return nil, err
	}
	text, err := edited(file, name, literal)
	if err != nil {
		return nil, err
	}
	doc, left := parseDocument(file, text)
	if left == nil {
		_, left = load(in, doc)
	}
	return left, nil
}

// literalOf checks the value of a key by itself, so that it can be set while others in
// the file are wrong, and returns it as TOML.
func literalOf(name, value string) (string, error) {
	c := Default()
	k, ok := findKey(&c, name)
	if !ok {
		return "", unknown(name)
	}
	parsed, wrong := k.parse(value)
	if wrong == nil {
		reflect.ValueOf(k.field).Elem().Set(reflect.ValueOf(parsed))
		wrong = k.check()
	}
	if wrong != nil {
		return "", wrong.of(name)
	}
	return literal(value, parsed), nil
}

// edited returns the text of the file with a key set.
func edited(file, name, literal string) ([]byte, error) {
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
