package ingest

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// CleanNote returns a note with its secrets redacted, as it is ingested. Identities and
// hashes are still those of the file, so that an unchanged file is recognised.
func (s *Service) CleanNote(n Note) Note {
	n.Outcomes, n.Sections = slices.Clone(n.Outcomes), slices.Clone(n.Sections)
	for i := range n.Outcomes {
		clean, o := s.base.Redaction(), &n.Outcomes[i]
		o.Body = clean.Text(o.Body)
		inBody := clean.Found // the other fields repeat the same text
		clean.Texts(&o.Content, &o.Title, &o.Type, &o.Text, &o.Project)
		o.Tags = brain.CleanTags(clean.List(o.Tags))
		o.secrets = cmp.Or(inBody, clean.Found)
	}
	for i := range n.Sections {
		clean, section := s.base.Redaction(), &n.Sections[i]
		clean.Texts(&section.Text, &section.Heading, &section.Project)
		section.secrets = clean.Found
	}
	return n
}

// cleanImport returns a batch without secrets and with complete memories.
func (s *Service) cleanImport(batch ImportBatch) ImportBatch {
	clean := s.base.Redaction()
	batch.Items = slices.Clone(batch.Items)
	for i := range batch.Items {
		item := &batch.Items[i]
		if item.Section != nil {
			section := *item.Section
			clean.Texts(&section.Text, &section.Heading, &section.Project)
			item.Section = &section
		}
		clean.Memory(&item.Memory)
		item.Memory.Complete()
		item.Text = cmp.Or(clean.Text(item.Text), item.Memory.Content)
		if item.Source != nil {
			source := *item.Source
			clean.Source(&source)
			item.Source = &source
		}
		item.Relations, item.Names = clean.Relations(item.Relations), slices.Clone(item.Names)
		for n := range item.Names {
			clean.Texts(&item.Names[n].Type, &item.Names[n].Name)
		}
	}
	batch.Relations = clean.Relations(batch.Relations)
	batch.Redacted += clean.Found
	s.base.ReportRedacted(clean.Found)
	return batch
}
