-- The texts, their words and their vectors, and their numbers. The migration from format 22
-- makes these tables, too.

-- A text that is searched: that of a section, or of all memories of a promotion chain.
CREATE TABLE doc (
    doc   INTEGER PRIMARY KEY AUTOINCREMENT, -- of its row in words or talk_words, too
    brain INTEGER NOT NULL,
    talk  INTEGER NOT NULL, -- 1: a section of a transcript
    past  INTEGER NOT NULL, -- 1: no memory of it is current
    size  INTEGER NOT NULL, -- number of its terms that are no stop words
    model INTEGER NOT NULL DEFAULT 0 -- of its vector, 0 without one
);
CREATE INDEX doc_model ON doc (brain, model, doc) WHERE past = 0 AND talk = 0;
CREATE INDEX memory_doc ON memory (brain, doc);
CREATE INDEX section_doc ON section (doc);

-- The words of all texts, made in Go. Before each word stand the number of the brain, p for
-- a text that is past, and a middle dot: 1·stage, 1p·stage. So a word is found in one
-- brain and one state only, with its frequency there. Words have no ASCII but a-z and 0-9,
-- so this tokenizer splits at the spaces between them and nowhere else. Transcripts have a
-- table of their own: they are far larger than notes and must not affect their ranking.
CREATE VIRTUAL TABLE words USING fts5(name, content, rest, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE talk_words USING fts5(name, content, rest, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE words_count USING fts5vocab(words, row);
CREATE VIRTUAL TABLE talk_words_count USING fts5vocab(talk_words, row);

-- How many memories a brain has in each tier, and how many current texts in words (notes) and
-- in talk_words (talk), with the sum of their sizes. No trigger keeps this: FTS5 writes what
-- it holds at every statement that has one.
CREATE TABLE tally (
    brain  INTEGER NOT NULL,
    what   TEXT    NOT NULL, -- a tier, notes or talk
    number INTEGER NOT NULL,
    size   INTEGER NOT NULL,
    PRIMARY KEY (brain, what)
) WITHOUT ROWID;

CREATE TABLE vector (
    doc   INTEGER PRIMARY KEY,
    brain INTEGER NOT NULL,
    value BLOB    NOT NULL -- float32, little endian, of unit length
);
CREATE INDEX vector_brain ON vector (brain);
-- The embedding model whose vectors a brain has. Another one replaces it.
CREATE TABLE model (
    no         INTEGER PRIMARY KEY AUTOINCREMENT,
    brain      INTEGER NOT NULL UNIQUE,
    name       TEXT    NOT NULL,
    dimensions INTEGER NOT NULL,
    vectors    INTEGER NOT NULL, -- number of vectors that were stored
    coded      INTEGER NOT NULL, -- number of vectors when the codes were made, 0 without codes
    mean       BLOB,             -- of the vectors then
    sample     BLOB              -- some of the vectors then
);
-- One bit of each dimension of the vectors of 256 docs, one after the other.
CREATE TABLE code (
    brain INTEGER NOT NULL,
    block INTEGER NOT NULL, -- doc >> 8
    bits  BLOB    NOT NULL, -- zero where there is no vector
    PRIMARY KEY (brain, block)
);
