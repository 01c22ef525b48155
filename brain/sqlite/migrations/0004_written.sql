-- A mark in the order of texts (MemoryReader.Written) names the brain that it
-- was read from by this, so that one of another file is known for what it is.
ALTER TABLE brain ADD COLUMN token TEXT NOT NULL DEFAULT '';
UPDATE brain SET token = lower(hex(randomblob(8)));
