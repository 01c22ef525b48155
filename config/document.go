package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/spf13/viper"
)

// maxFile is more than any config file needs; what is larger is another file.
const maxFile = 1 << 20

// document is a config file with the places of its keys, for errors that name
// a line and for edits that leave the rest as it is.
type document struct {
	file    string
	data    []byte
	entries []entry
	tables  []table
	stray   *Error // of the first key that does not exist; nil if there is none
}

type entry struct {
	key        string
	line       int
	table      int  // index of its [table], -1 above the first one
	inline     bool // in braces
	start, end int  // of the value; both 0 for a list or braces that are no table
}

type table struct {
	name       string
	start, end int // from "[" to behind the name
}

// readDocument reads the file; one that is not there is empty unless it must be.
func readDocument(file string, must bool) (*document, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) && !must {
		return &document{file: file}, nil
	}
	if err != nil {
		return nil, unreadable(file, err)
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, unreadable(file, err)
	}
	if len(data) > maxFile {
		return nil, &Error{Where: file, Text: "the file is over 1 MiB", Hint: "is it the right file?"}
	}
	return parseDocument(file, data)
}

func unreadable(file string, err error) *Error {
	var pathErr *fs.PathError
	text := err
	if errors.As(err, &pathErr) {
		text = pathErr.Err
	}
	return &Error{Where: file, Text: fmt.Sprintf("the config file cannot be read: %v", text), Err: err}
}

// parseDocument finds all keys. Those that do not exist do not stop it, so that
// the others can be mended; Load refuses them.
func parseDocument(file string, data []byte) (*document, error) {
	d := &document{file: file, data: data}
	var p unstable.Parser
	p.Reset(data)
	prefix := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			name, start, end := d.name(e)
			if err := d.checkTable(name, start, e.Kind); err != nil {
				return nil, err
			}
			open := bytes.LastIndexByte(data[:start], '[')
			d.tables = append(d.tables, table{name: name, start: open, end: end})
			prefix = name + "."
		case unstable.KeyValue:
			if err := d.add(&p, e, prefix, false); err != nil {
				return nil, err
			}
		}
	}
	if err := p.Error(); err != nil {
		return nil, d.broken(err)
	}
	return d, nil
}

// name returns the dotted key of an expression, and where it is.
func (d *document) name(e *unstable.Node) (name string, start, end int) {
	var parts []string
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if len(parts) == 0 {
			start = int(n.Raw.Offset)
		}
		end = int(n.Raw.Offset + n.Raw.Length)
		parts = append(parts, strings.ReplaceAll(string(n.Data), ".", `\.`))
	}
	return strings.Join(parts, "."), start, end
}

func (d *document) checkTable(name string, at int, kind unstable.Kind) error {
	known := isTable(name)
	if kind != unstable.ArrayTable {
		if !known {
			d.isStray(unknown(name), at)
		}
		return nil
	}
	err := fault("is written as a list of tables, [[%s]]", name).hint("write [%s]", name)
	err.Key = name
	if !known {
		d.isStray(err, at)
		return nil
	}
	err.Where = d.at(at)
	return err
}

func (d *document) isStray(err *Error, at int) {
	if d.stray == nil {
		err.Where = d.at(at)
		d.stray = err
	}
}

// add takes in one key, or those of a table in braces.
func (d *document) add(p *unstable.Parser, e *unstable.Node, prefix string, inline bool) error {
	name, start, _ := d.name(e)
	name = prefix + name
	value := e.Value()
	if value.Kind == unstable.InlineTable && isTable(name) {
		for it := value.Children(); it.Next(); {
			if err := d.add(p, it.Node(), name+".", true); err != nil {
				return err
			}
		}
		return nil
	}
	if _, ok := findKey(name); !ok {
		d.isStray(unknown(name), start)
	} else if err := d.checkOnce(name); err != nil {
		err.Where = d.at(start)
		return err
	}
	raw := value.Raw
	if raw.Length == 0 && len(value.Data) > 0 {
		raw = p.Range(value.Data)
	}
	d.entries = append(d.entries, entry{
		key: name, line: d.line(start), table: len(d.tables) - 1, inline: inline,
		start: int(raw.Offset), end: int(raw.Offset + raw.Length),
	})
	return nil
}

func (d *document) checkOnce(name string) *Error {
	for _, e := range d.entries {
		if e.key == name {
			err := fault("is set twice, first on line %d", e.line).hint("keep one of them")
			err.Key = name
			return err
		}
	}
	return nil
}

func (d *document) line(offset int) int { return 1 + bytes.Count(d.data[:offset], []byte("\n")) }

func (d *document) at(offset int) string { return fmt.Sprintf("%s:%d", d.file, d.line(offset)) }

// broken is the error for what is not TOML.
func (d *document) broken(err error) *Error {
	e := &Error{Where: d.file, Text: "not valid TOML: " + err.Error(), Err: err}
	var parse *unstable.ParserError
	var decode *toml.DecodeError
	switch {
	case errors.As(err, &decode):
		row, _ := decode.Position()
		e.Where = fmt.Sprintf("%s:%d", d.file, row)
		e.Text = "not valid TOML: " + strings.TrimPrefix(decode.Error(), "toml: ")
	case errors.As(err, &parse):
		if rest := len(parse.Highlight); rest > 0 {
			e.Where = d.at(offsetOf(d.data, parse.Highlight))
		}
	}
	return e
}

// offsetOf is where part, a slice of whole, begins in it.
func offsetOf(whole, part []byte) int {
	return min(max(0, cap(whole)-cap(part)), len(whole))
}

// values decodes the document.
func (d *document) values() (*viper.Viper, error) {
	v := viper.New()
	if len(d.data) == 0 {
		return v, nil
	}
	v.SetConfigType("toml")
	if err := v.ReadConfig(bytes.NewReader(d.data)); err != nil {
		return nil, d.broken(err)
	}
	return v, nil
}

// whereIs names the place of a key.
func (d *document) whereIs(key string) string {
	for _, e := range d.entries {
		if e.key == key {
			return fmt.Sprintf("%s:%d", d.file, e.line)
		}
	}
	return d.file
}
