package config

import (
	"path/filepath"
	"slices"
)

// Variables returns the part of an environment that another process needs to use the same
// brain: the named variables, and the settings that come from variables; never a password.
func (l Loaded) Variables(env func(string) string, names ...string) (map[string]string, error) {
	all := map[string]string{}
	for _, name := range names {
		value := env(name)
		if value == "" {
			continue
		}
		if name == "BRAINBRIDGE_HOME" {
			var err error
			if value, err = filepath.Abs(value); err != nil {
				return nil, err
			}
		}
		all[name] = value
	}
	for _, s := range l.Settings() {
		if s.Origin == FromEnvironment {
			all[variable(s.Key)] = s.Value
		}
	}
	return all, nil
}

// Flags returns the global flags, each one word, with which another process uses the same
// brain in any folder, for the settings from these origins.
func (l Loaded) Flags(from ...Origin) []string {
	var all []string
	for _, f := range [][2]string{{"brain", l.Config.Brain}, {"config", l.Paths.ConfigFile}, {"store", l.Config.Store}} {
		if slices.Contains(from, l.Origin[f[0]]) {
			all = append(all, "--"+f[0]+"="+f[1])
		}
	}
	return all
}
