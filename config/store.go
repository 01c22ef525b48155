package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kinds of stores.
const (
	SQLite   = "sqlite"
	Neo4jURI = "neo4j"
)

// Store is a parsed store URI.
type Store struct {
	Kind string // SQLite or Neo4jURI
	Path string // file of a SQLite store, which may be relative or start with ~/
	URI  string // for the driver of a Neo4j store
}

// ParseStore reads sqlite:PATH, neo4j:// and bolt://, also with +s and +ssc. It refuses a
// user or a password, without repeating it in the error.
func ParseStore(uri string) (Store, error) {
	s, err := parseStore(uri)
	if err != nil {
		return Store{}, err.of("store")
	}
	return s, nil
}

func parseStore(uri string) (Store, *Error) {
	switch scheme, rest, ok := strings.Cut(uri, ":"); {
	case !ok:
		return Store{}, notAStore("%s is not a store URI", shown(uri))
	case scheme == "sqlite":
		return sqliteStore(rest)
	case slices.Contains([]string{"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"}, scheme):
		return neo4jStore(scheme, uri)
	default:
		return Store{}, notAStore("the scheme of the URI, %s, is not that of a store", shown(scheme))
	}
}

func notAStore(text string, args ...any) *Error {
	return fault(text, args...).hint("use sqlite:PATH, or neo4j://HOST:7687 (neo4j+s://, neo4j+ssc://, bolt://, bolt+s://, bolt+ssc://)")
}

func sqliteStore(path string) (Store, *Error) {
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		path = rest
		if !strings.HasPrefix(path, "/") {
			return Store{}, notAStore("sqlite:// must be followed by an absolute path")
		}
	}
	switch {
	case path == "" || strings.HasSuffix(path, "/"):
		return Store{}, notAStore("the URI names no file")
	case path == ":memory:":
		return Store{}, notAStore("a store in memory would lose everything at the end of each command")
	case strings.ContainsAny(path, "?\x00"): // meant as parameters, it would become part of the name
		return Store{}, notAStore("the path may not hold a question mark")
	}
	return Store{Kind: SQLite, Path: path}, nil
}

func neo4jStore(scheme, uri string) (Store, *Error) {
	u, err := url.Parse(uri)
	switch {
	case err != nil && !strings.Contains(uri, "@"):
		return Store{}, notAStore("the URI cannot be read: %v", errors.Unwrap(err)) // the text of err repeats the URI
	case err != nil || u.User != nil:
		return Store{}, secretInURI()
	case u.Hostname() == "":
		return Store{}, notAStore("the URI names no server")
	case u.Path != "" && u.Path != "/":
		return Store{}, notAStore("the URI names a path, %s", shown(u.Path)).hint("name the database with the key neo4j.database; the URI is %s://HOST:PORT", scheme)
	}
	return Store{Kind: Neo4jURI, URI: uri}, nil
}

func secretInURI() *Error {
	return fault("the URI has a user name or a password, which others could see").
		hint("leave it out; set neo4j.user, and the password by BRAINBRIDGE_NEO4J_PASSWORD or a file named by neo4j.password_file")
}

// maxSecret is the size of the largest file of a secret that is read, in bytes.
const maxSecret = 4096

// Password returns the password of the Neo4j server: BRAINBRIDGE_NEO4J_PASSWORD, the only
// line of neo4j.password_file, or "". It is no setting or argument, which others could see.
func Password(c Config, env func(string) string) (string, error) {
	if password := env("BRAINBRIDGE_NEO4J_PASSWORD"); password != "" {
		return password, nil
	}
	return ReadSecret("neo4j.password_file", c.Neo4j.PasswordFile)
}

// ReadSecret returns the only line of the file of a setting, "" without a file. An
// error is an *Error with the key of the setting.
func ReadSecret(key, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := readUpTo(file, maxSecret)
	if err != nil {
		e := fault("the file cannot be read: %v", err).hint("write the secret into it, readable only by you (chmod 600)").of(key)
		e.Err = err
		return "", e
	}
	secret := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if secret == "" || strings.ContainsAny(secret, "\r\n\x00") || len(data) > maxSecret {
		return "", fault("the file %s must hold the secret on its only line", file).of(key)
	}
	return secret, nil
}

// StoreBytes returns the size of an embedded store with its log; nil for a server.
func (l Loaded) StoreBytes() (*int64, error) {
	where, err := ParseStore(l.Config.Store)
	if err != nil || where.Kind != SQLite {
		return nil, err
	}
	var sum int64
	for _, file := range []string{where.Path, where.Path + "-wal"} {
		info, err := os.Stat(file)
		switch {
		case err == nil:
			sum += info.Size()
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("look how large the store is: %w", err)
		}
	}
	return &sum, nil
}

// DefaultFile reports whether the store is the default database file of the brain.
func (l Loaded) DefaultFile() bool { return l.Config.Store == SQLite+":"+l.Paths.Database }

// Brains returns the names of the brains that have a database file in the data folder.
func (l Loaded) Brains() []string {
	home, file := filepath.Dir(filepath.Dir(l.Paths.Database)), filepath.Base(l.Paths.Database)
	names, _ := fs.Glob(os.DirFS(home), "*/"+file) // they are only a hint
	for i, path := range names {
		names[i] = filepath.Dir(path)
	}
	return names
}
