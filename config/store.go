package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Kinds of stores.
const (
	KindSQLite = "sqlite"
	KindNeo4j  = "neo4j"
)

// Store is a parsed store URI.
type Store struct {
	Kind string // KindSQLite or KindNeo4j
	Path string // file of a SQLite store, which may be relative or start with ~/
	URI  string // for the driver of a Neo4j store
}

// ParseStore reads sqlite:PATH, neo4j:// and bolt://, also with +s and +ssc. It refuses a
// URI with a user name or a password, and does not repeat them in the error.
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
		return Store{}, notAStore("%s is not the scheme of a store URI", shown(scheme))
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
	case strings.ContainsAny(path, "?\x00"): // parameters would become part of the file name
		return Store{}, notAStore("the path must not contain a question mark")
	}
	return Store{Kind: KindSQLite, Path: path}, nil
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
	return Store{Kind: KindNeo4j, URI: uri}, nil
}

func secretInURI() *Error {
	return fault("the URI has a user name or a password, which others could see").
		hint("leave it out; set neo4j.user, and the password by BRAINBRIDGE_NEO4J_PASSWORD or a file named by neo4j.password_file")
}

// maxSecret is the maximum size of a file with a secret, in bytes.
const maxSecret = 4096

// Password returns the password of the Neo4j server: BRAINBRIDGE_NEO4J_PASSWORD, the only
// line of neo4j.password_file, or "". Others could see a setting or an argument.
func Password(c Config, env func(string) string) (string, error) {
	if password := env("BRAINBRIDGE_NEO4J_PASSWORD"); password != "" {
		return password, nil
	}
	return ReadSecret("neo4j.password_file", c.Neo4j.PasswordFile)
}

// ReadSecret returns the only line of the file that a setting names, "" if it names none.
// An error is an *Error with the key of the setting.
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
		return "", fault("the file %s must contain the secret on its only line", file).of(key)
	}
	return secret, nil
}

// StoreBytes returns the size of a SQLite store with its write-ahead log; nil for Neo4j.
func (l Loaded) StoreBytes() (*int64, error) {
	store, err := ParseStore(l.Config.Store)
	if err != nil || store.Kind != KindSQLite {
		return nil, err
	}
	var sum int64
	for _, file := range []string{store.Path, store.Path + "-wal"} {
		info, err := os.Stat(file)
		switch {
		case err == nil:
			sum += info.Size()
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("get the size of the store: %w", err)
		}
	}
	return &sum, nil
}

// UsesDefaultFile reports whether the store is the default database file of the brain.
func (l Loaded) UsesDefaultFile() bool { return l.Config.Store == KindSQLite+":"+l.Paths.Database }
