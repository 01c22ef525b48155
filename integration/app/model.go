package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding/minilm"
	"github.com/brainbridge/brainbridge/integration/model"
)

const (
	// modelFile is the file of the sentence model in the folders where it is looked for.
	modelFile       = minilm.Name + ".model"
	modelDimensions = 384
	// noModel is the setting of embedding.model that turns recall by meaning off.
	noModel = "none"
)

// modelPaths are the files of the sentence model, the first that can be opened is used.
func (a *App) modelPaths() (paths []string) {
	if named := a.Env("BRAINBRIDGE_MODEL"); named != "" {
		paths = append(paths, named)
	}
	paths = append(paths, filepath.Join(a.Settings.Paths.Models, modelFile))
	if program, err := os.Executable(); err == nil {
		paths = append(paths, filepath.Join(filepath.Dir(program), modelFile))
	}
	return paths
}

// sentenceModel returns the model in the process and its file, nil if none is installed, and
// why the first file that is there cannot be used. It stays open until its file is removed.
func (a *App) sentenceModel() (m *minilm.Model, path string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.model != nil {
		if _, err := os.Stat(a.modelPath); err == nil {
			return a.model, a.modelPath, nil
		}
		_ = a.model.Close() // it was only read
		a.model = nil
	}
	for _, path := range a.modelPaths() {
		opened, openErr := minilm.Open(path)
		switch {
		case openErr == nil:
			a.model, a.modelPath = opened, path
			return opened, path, err
		case err == nil && !errors.Is(openErr, fs.ErrNotExist):
			err = openErr
		}
	}
	return nil, "", err
}

// RecallsByMeaning reports whether texts get vectors, or the person has switched that off.
func (a *App) RecallsByMeaning() bool {
	e, err := a.Embedder(true)
	return err != nil || e != nil || a.Settings.Config.Embedding.Model == noModel
}

// ModelAnswer describes the sentence model and what it has done.
type ModelAnswer struct {
	Installed  bool         `json:"installed"`
	Damaged    bool         `json:"damaged,omitempty"` // its weights are not what they were when it was made
	Name       string       `json:"name"`
	Path       brain.OrNull `json:"path"`
	Bytes      int64        `json:"bytes"`
	Dimensions int          `json:"dimensions"`
	Source     string       `json:"source"` // where its weights are published
	Texts      int          `json:"texts"`  // that can have a vector
	Embedded   int          `json:"embedded"`

	From   string `json:"-"` // what a dry run would install, "" for a download
	Uses   string `json:"-"` // what makes vectors instead of it, "" for nothing
	Stored string `json:"-"` // the model whose vectors the brain has, if it is another one
}

// Model describes the sentence model.
func (u *UseCases) Model(ctx context.Context) (ModelAnswer, error) {
	a := ModelAnswer{Name: minilm.Name, Dimensions: modelDimensions, Source: model.Source}
	m, path, err := u.app.sentenceModel()
	if m != nil {
		a.Damaged = m.Verify() != nil
	}
	if err != nil {
		u.caller.Notices.Warn(fmt.Errorf("%w; `brainbridge model install` makes it anew", err))
	}
	if m != nil {
		a.Installed, a.Path = true, brain.OrNull(path)
		if info, err := os.Stat(path); err == nil {
			a.Bytes = info.Size()
		}
	}
	switch e := u.app.Settings.Config.Embedding; {
	case e.BaseURL != "":
		a.Uses = e.Model + " at " + e.BaseURL
	case e.Model == noModel:
		a.Uses = noModel
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return a, err
	}
	counts, err := u.vectorCounts(ctx, b)
	if counts != nil {
		a.Texts, a.Embedded, a.Stored = counts.With+counts.Without, counts.With, counts.Stored
	}
	return a, err
}

// InstallModel puts the sentence model into the folder of models. from is a folder with
// model.safetensors and vocab.txt, or a converted file; "" downloads the two, about 91 MB, unless
// an intact model is installed.
func (u *UseCases) InstallModel(ctx context.Context, from string) (ModelAnswer, error) {
	path := filepath.Join(u.app.Settings.Paths.Models, modelFile)
	if u.caller.DryRun {
		return ModelAnswer{Name: minilm.Name, Path: brain.OrNull(path), Dimensions: modelDimensions, Source: model.Source, From: from}, nil
	}
	if m, _, _ := u.app.sentenceModel(); from == "" && m != nil && m.Verify() == nil {
		u.caller.Notices.Info("the model is installed already")
		return u.Model(ctx)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return ModelAnswer{}, err
	}
	err := model.Install(ctx, model.InstallOptions{
		Path: path, From: from, Hub: u.app.Env("HF_ENDPOINT"), Progress: func(done, all int) { u.caller.Notices.Progress("download the model, kB", done, all) },
	})
	if err != nil {
		return ModelAnswer{}, err
	}
	u.app.closeModel()
	return u.Model(ctx)
}

// closeModel closes the model in the process; the next use opens the file that is there then.
func (a *App) closeModel() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.model != nil {
		_ = a.model.Close() // it was only read
		a.model = nil
	}
}

// RemoveModel removes the sentence model from the folder of models. The vectors stay.
func (u *UseCases) RemoveModel(ctx context.Context) (ModelAnswer, error) {
	path := filepath.Join(u.app.Settings.Paths.Models, modelFile)
	if _, err := os.Stat(path); err != nil {
		return ModelAnswer{}, brain.Errorf(brain.ErrNotFound, "`brainbridge model status` says which file is used", "there is no %s", path)
	}
	if !u.caller.DryRun {
		if err := os.Remove(path); err != nil {
			return ModelAnswer{}, err
		}
	}
	return u.Model(ctx)
}
