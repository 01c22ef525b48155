package backups

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"

	"github.com/brainbridge/brainbridge/brain"
)

// An encrypted backup holds the same as a plain one, and a change to any of its bytes is noticed.
func TestAnEncryptedBackup(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	p.write("memory/2026-03-01.md", "a note\n")
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key.txt")
	if err := os.WriteFile(key, []byte(identity.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := p.options()
	o.Recipients, o.Scratch, o.Dir = []age.Recipient{identity.Recipient()}, o.Dir, filepath.Join(p.home, "usb")
	made, err := Create(t.Context(), o)
	if err != nil || !made.Encrypted || made.Memories != 1 {
		t.Fatalf("made %+v, %v", made, err)
	}
	if left, err := os.ReadDir(o.Scratch); err != nil || len(left) != 1 {
		t.Errorf("%v is left in the scratch folder, %v; want the lock", left, err)
	}
	if left, err := os.ReadDir(made.Path); err != nil || len(left) != 3 {
		t.Errorf("the backup has %v, %v; want the archive and the manifest", left, err)
	}
	wantPrivate(t, made.Path)
	before := p.lines()
	plain := t.TempDir()
	if err := Decrypt(made.Path, key, plain); err != nil {
		t.Fatal(err)
	}
	p.remember("a second text")
	p.restore(plain)
	p.wantLines("restored", before)

	path := filepath.Join(made.Path, encryptedFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += len(whole)/20 + 1 {
		damaged := append([]byte{}, whole...)
		damaged[at] ^= 4
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if v, err := Verify(t.Context(), made.Path, Options{}); err != nil || v.OK {
			t.Errorf("with a damaged byte %d: %+v, %v", at, v, err)
		}
		if err := Decrypt(made.Path, key, t.TempDir()); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("with a damaged byte %d: %v, want ErrInvalid", at, err)
		}
	}
}
