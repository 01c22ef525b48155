package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/embedding/minilm"
)

// Source is where the authors of the sentence model publish it.
const Source = hub + "/sentence-transformers/all-MiniLM-L6-v2"

const (
	hub      = "https://huggingface.co"
	revision = "/sentence-transformers/all-MiniLM-L6-v2/resolve/c9745ed1d9f207416be6d2e6f8de32d1f16199bf/"

	downloads = "download-" // what the folders of downloads begin with

	weightsFile, vocabularyFile = "model.safetensors", "vocab.txt"
	// weightsSize is the size of the larger file in bytes, for the progress.
	weightsSize = 90_868_376
)

// InstallOptions are the options of [Install].
type InstallOptions struct {
	Path     string                // of the file that is written
	From     string                // a folder with the published files, or a converted file; "": download
	Hub      string                // "": huggingface.co
	Progress func(done, total int) // in kilobytes
	Idle     time.Duration         // how long a download waits for the next byte; 0: 30 s
}

// Install writes the file of the sentence model. A download or a file that is not what its
// authors published, or a damaged converted file, is [brain.ErrInvalid], and nothing is written; a
// hub that cannot be reached or stalls is [brain.ErrUnavailable]. What a killed process left of
// its download is removed.
func Install(ctx context.Context, o InstallOptions) error {
	folder := o.From
	switch info, err := os.Stat(o.From); {
	case o.From == "":
		left, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Path), downloads+"*")) // the pattern is valid
		for _, folder := range left {
			_ = os.RemoveAll(folder) // it only takes space
		}
		if folder, err = os.MkdirTemp(filepath.Dir(o.Path), downloads); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(folder) }()
		for _, file := range []string{vocabularyFile, weightsFile} {
			if err := download(ctx, o, file, filepath.Join(folder, file)); err != nil {
				return err
			}
		}
	case err != nil:
		return brain.Errorf(brain.ErrInvalid, "give a folder with model.safetensors and vocab.txt, or a converted file", "%s cannot be read: %v", o.From, err)
	case !info.IsDir():
		return copyModel(o.Path, o.From)
	}
	err := minilm.Convert(o.Path, filepath.Join(folder, weightsFile), filepath.Join(folder, vocabularyFile))
	if errors.Is(err, minilm.ErrSource) || errors.Is(err, os.ErrNotExist) {
		return brain.Errorf(brain.ErrInvalid, "try again, or take the files of that revision from another place and give their folder with --from", "the model cannot be installed: %v", err)
	}
	return err
}

// copyModel copies a converted file, if it is whole.
func copyModel(path, from string) error {
	m, err := minilm.Open(from)
	if err == nil {
		err = errors.Join(m.Verify(), m.Close())
	}
	if errors.Is(err, minilm.ErrFormat) {
		return brain.Errorf(brain.ErrInvalid, "give a folder with model.safetensors and vocab.txt, or a file that `brainbridge model install` has made", "%v", err)
	}
	if err != nil {
		return err
	}
	whole, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, whole, durable.Options{Mode: 0o644})
}

// download writes one of the published files to a path.
func download(ctx context.Context, o InstallOptions, file, path string) (err error) {
	address := strings.TrimSuffix(cmp.Or(o.Hub, hub), "/") + revision + file
	unreachable := func(why any) error {
		return brain.Errorf(brain.ErrUnavailable, "check the network, or give the files with --from FOLDER; recall works by words until then", "%s cannot be downloaded: %v", address, why)
	}
	idle := cmp.Or(o.Idle, 30*time.Second)
	ctx, cancel := context.WithCancelCause(ctx)
	stalled := time.AfterFunc(idle, func() { cancel(fmt.Errorf("the server sent nothing for %s", idle)) })
	defer stalled.Stop()
	defer cancel(nil)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return unreachable(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		var inner *url.Error // which repeats the address
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return unreachable(cmp.Or(context.Cause(ctx), err))
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return unreachable(answer.Status)
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	counted := &counter{of: answer.Body, tell: func(done int) {
		stalled.Reset(idle)
		if file == weightsFile {
			o.Progress(done/1000, weightsSize/1000)
		}
	}}
	if _, err := io.Copy(out, io.LimitReader(counted, 2*weightsSize)); err != nil {
		return unreachable(cmp.Or(context.Cause(ctx), err))
	}
	return nil
}

// counter tells how many bytes were read.
type counter struct {
	of   io.Reader
	done int
	tell func(done int)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.of.Read(p)
	c.done += n
	c.tell(c.done)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("after %d bytes: %w", c.done, err)
	}
	return n, err
}
