package config

import "strings"

// maxSecret is the size of the largest file of a secret that is read, in bytes.
const maxSecret = 4096

// Password returns the password of the Neo4j server: BRAINBRIDGE_NEO4J_PASSWORD,
// else the only line of the file neo4j.password_file, else "". It is neither a
// setting nor an argument, where others could see it. A file that cannot be used
// is an *Error.
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
