-- Sections of transcripts are searched apart: talk is far more than notes, and
-- must neither rank them nor cost their searches anything. Their docs are in the
-- part 2^22 + brain, their words in a table of their own.
ALTER TABLE section ADD COLUMN transcript INTEGER NOT NULL DEFAULT 0;
CREATE VIRTUAL TABLE talk_fts USING fts5(name, content, tags, content='', contentless_delete=1, tokenize='ascii');
