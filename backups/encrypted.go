package backups

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// encryptedFile is the one file of an encrypted backup besides its manifest: a tar archive of the
// plain backup, encrypted with age. The manifest beside it has no names of files.
const encryptedFile = "backup.tar.age"

func (m manifest) encrypted() bool { _, found := m.Files[encryptedFile]; return found }

// ParseRecipient reads the recipient of an encrypted backup. Another text is [brain.ErrInvalid].
func ParseRecipient(text string) ([]age.Recipient, error) {
	all, err := age.ParseRecipients(strings.NewReader(text))
	if err != nil {
		return nil, brain.Errorf(brain.ErrInvalid, "`age-keygen` makes an identity and prints its recipient, which begins with age1", "%q is not a recipient of age", text)
	}
	return all, nil
}

// writeEncrypted makes a plain backup in the scratch folder, verifies it, and writes it encrypted.
func writeEncrypted(ctx context.Context, dir string, o Options) (Backup, error) {
	plain, err := os.MkdirTemp(o.Scratch, unfinished+"*")
	if err != nil {
		return Backup{}, err
	}
	defer func() { _ = os.RemoveAll(plain) }() // otherwise the next backup does it
	if _, err := writeBackup(ctx, plain, o); err != nil {
		return Backup{}, err
	}
	f := &writer{ctx: ctx, dir: dir, opts: o}
	if f.manifest, err = readManifest(plain); err != nil {
		return Backup{}, err
	}
	lost := f.manifest.backup(plain).Unreadable()
	f.manifest.Files, f.manifest.LeftOut = map[string]file{}, nil
	for _, l := range lost {
		f.manifest.LeftOut = append(f.manifest.LeftOut, LeftOut{Kind: l.Kind, Why: "the encrypted manifest says why"})
	}
	err = f.writeFile(encryptedFile, 0o600, f.manifest.Created, func(w io.Writer) error {
		sealed, err := age.Encrypt(w, o.Recipients...)
		if err != nil {
			return err
		}
		archive := tar.NewWriter(sealed)
		return errors.Join(archive.AddFS(os.DirFS(plain)), archive.Close(), sealed.Close())
	})
	if err != nil {
		return Backup{}, err
	}
	return f.manifest.backup(dir), f.finish()
}

// Decrypt decrypts a backup into an empty folder, where it is a plain one. An identity file
// that cannot be used or does not fit, and a damaged backup, are [brain.ErrInvalid].
func Decrypt(from, identityFile, dir string) error {
	m, err := readManifest(from)
	if err != nil {
		return err
	}
	if !m.encrypted() {
		return brain.Errorf(brain.ErrInvalid, "leave --identity out", "%s is not encrypted", from)
	}
	identities, err := readIdentities(identityFile)
	if err != nil {
		return err
	}
	f, err := openFile(filepath.Join(from, encryptedFile), m.Files[encryptedFile], unmetered)
	if err != nil {
		return invalid(from, encryptedFile+": "+err.Error())
	}
	defer func() { _ = f.Close() }() // only read
	plain, err := age.Decrypt(f, identities...)
	if wrong := new(age.NoIdentityMatchError); errors.As(err, &wrong) {
		return brain.Errorf(brain.ErrInvalid, "name the file with the identity of the recipient that it was made for",
			"%s was not encrypted for the identity in %s", from, identityFile)
	}
	if err == nil {
		err = extract(plain, dir)
	}
	if err == nil {
		err = f.check()
	}
	var disk *os.PathError
	if err != nil && !errors.As(err, &disk) {
		err = invalid(from, encryptedFile+": "+err.Error())
	}
	return err
}

func readIdentities(file string) ([]age.Identity, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, brain.Errorf(brain.ErrInvalid, "check the path", "the identity cannot be read: %v", err)
	}
	defer func() { _ = f.Close() }() // only read
	all, err := age.ParseIdentities(f)
	if err != nil { // which may quote the file
		return nil, brain.Errorf(brain.ErrInvalid, "name a file that `age-keygen -o FILE` made", "%s does not hold an identity of age", file)
	}
	return all, nil
}

// extract writes the files of an archive into a folder.
func extract(r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // every file was closed
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeDir {
			continue
		}
		if h.Typeflag != tar.TypeReg {
			return fmt.Errorf("%q is not a file", h.Name)
		}
		if err := root.MkdirAll(path.Dir(h.Name), durable.PrivateDir); err != nil {
			return err
		}
		out, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, durable.PrivateFile)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, archive)
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
}
