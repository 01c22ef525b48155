-- The schema of a brain file. Rows of one brain carry its number. Times are
-- Unix milliseconds, NULL for none. Lists are JSON arrays, NULL for none. A checksum is
-- the CRC-32C of the other values of a row, but for those that follow from them.
CREATE TABLE brain (
    no    INTEGER PRIMARY KEY,
    name  TEXT NOT NULL UNIQUE,
    -- Part of every mark of MemoryLister.Written, so that a mark from another
    -- file is recognized.
    token TEXT NOT NULL,
    -- Number of write transactions of the brain.
    commits INTEGER NOT NULL DEFAULT 0
);

-- The formats that the file has had since it was made or first migrated: the program
-- that wrote each, and when.
CREATE TABLE migration (
    version INTEGER PRIMARY KEY,
    program TEXT    NOT NULL,
    at      INTEGER NOT NULL
);

CREATE TABLE memory (
    seq            INTEGER PRIMARY KEY,
    brain          INTEGER NOT NULL,
    doc            INTEGER NOT NULL, -- its row of doc
    id             TEXT    NOT NULL,
    -- what PutLives writes
    tier           TEXT    NOT NULL,
    expired_from   TEXT    NOT NULL,
    energy         REAL    NOT NULL,
    peak_energy    REAL    NOT NULL,
    last_decay     INTEGER,
    base           REAL    NOT NULL,
    base_at        INTEGER,
    expires_at     INTEGER,
    promote_due    INTEGER,
    valid_from     INTEGER,
    valid_to       INTEGER,
    session_count  INTEGER NOT NULL,
    entity         INTEGER NOT NULL,
    access_count   INTEGER NOT NULL,
    recall_count   INTEGER NOT NULL,
    use_count      INTEGER NOT NULL,
    helpful_count  INTEGER NOT NULL,
    not_helpful_count INTEGER NOT NULL,
    confirmations  INTEGER NOT NULL,
    last_accessed  INTEGER,
    last_used      INTEGER,
    entity_key     TEXT,
    version        INTEGER NOT NULL,
    source_node_id TEXT    NOT NULL,
    "group"        TEXT    NOT NULL,
    position       INTEGER NOT NULL,
    -- what only PutMemories writes
    memory_type    TEXT    NOT NULL,
    project        TEXT    NOT NULL,
    agent          TEXT    NOT NULL,
    session_id     TEXT    NOT NULL,
    content_hash   TEXT    NOT NULL,
    created        INTEGER,
    promoted_from  TEXT    NOT NULL,
    retention      TEXT    NOT NULL,
    importance     TEXT    NOT NULL,
    severity       TEXT    NOT NULL,
    origin         TEXT    NOT NULL,
    applies_to     TEXT,
    relevance_score REAL,
    merged_from    TEXT,
    consolidated_at INTEGER,
    tags           TEXT,
    observations   TEXT,
    extra          TEXT,
    name_key       TEXT    NOT NULL,
    name           TEXT    NOT NULL,
    content        TEXT    NOT NULL,
    -- Memory.Freshness, NULL for none
    fresh_group    TEXT    NOT NULL,
    fresh          INTEGER,
    text_key       TEXT    NOT NULL DEFAULT '', -- Memory.TextKey
    checksum       INTEGER NOT NULL DEFAULT 0
);
-- The conditions of some indexes compare tiers with OR: with IN, SQLite builds a
-- table of the tiers for each row that it writes to the index.
CREATE UNIQUE INDEX memory_id ON memory (brain, id);
CREATE UNIQUE INDEX memory_entity ON memory (brain, entity_key) WHERE entity_key IS NOT NULL;
-- The records of a group in their order, for the neighbours of a hit.
CREATE INDEX memory_group ON memory (brain, "group", position, id)
    WHERE "group" <> '' AND (tier = 'working' OR tier = 'shortTerm' OR tier = 'longTerm' OR tier = 'core' OR tier = 'expired');
-- Live and expired memories in the order in which they are pushed. A touch does not
-- write it, only a use does.
CREATE INDEX memory_fresh ON memory (brain, fresh_group, fresh DESC, id, project) WHERE fresh IS NOT NULL;
CREATE INDEX memory_name ON memory (brain, name_key, entity DESC, created DESC, id)
    WHERE (tier = 'working' OR tier = 'shortTerm' OR tier = 'longTerm' OR tier = 'core' OR tier = 'expired');
CREATE INDEX memory_text ON memory (brain, text_key)
    WHERE text_key <> '' AND (tier = 'working' OR tier = 'shortTerm' OR tier = 'longTerm' OR tier = 'core' OR tier = 'expired');
-- The order of strength: expires_at, none first, latest first. Memories due for promotion form
-- a list of their own. Lists by project and type filter the order, whose indexes have both.
CREATE INDEX memory_strength ON memory
    (brain, tier, ifnull(expires_at, 9223372036854775807) DESC, id, project, memory_type)
    WHERE promote_due IS NULL;
CREATE INDEX memory_due_strength ON memory
    (brain, tier, ifnull(expires_at, 9223372036854775807) DESC, id, project, memory_type)
    WHERE promote_due IS NOT NULL;

CREATE TABLE source (
    seq         INTEGER PRIMARY KEY,
    brain       INTEGER NOT NULL,
    id          TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    created     INTEGER,
    project     TEXT    NOT NULL,
    tags        TEXT,
    "trigger"   TEXT    NOT NULL,
    insight     TEXT    NOT NULL,
    concept     TEXT    NOT NULL,
    learned     TEXT    NOT NULL,
    text        TEXT    NOT NULL,
    due         INTEGER,
    done        INTEGER,
    type        TEXT    NOT NULL,
    description TEXT    NOT NULL,
    date        TEXT    NOT NULL,
    time        TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    importance  TEXT    NOT NULL,
    body        TEXT    NOT NULL,
    file        TEXT    NOT NULL,
    line        INTEGER NOT NULL,
    body_hash   TEXT    NOT NULL,
    title_key   TEXT    NOT NULL,
    key         TEXT,
    dir         TEXT    NOT NULL,
    removed     INTEGER,
    checksum    INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX source_id ON source (brain, id);
CREATE UNIQUE INDEX source_key ON source (brain, key) WHERE key IS NOT NULL;
CREATE INDEX source_file ON source (brain, dir, file, line, id) WHERE file <> '';
CREATE INDEX source_title ON source (brain, title_key, date DESC, time DESC, id) WHERE title_key <> '';
CREATE INDEX source_created ON source (brain, created DESC, id);
CREATE INDEX source_kind ON source (brain, kind, created DESC, id);
CREATE INDEX source_open ON source (brain, created DESC, id)
    WHERE kind = 'Reminder' AND done IS NULL;

CREATE TABLE section (
    seq        INTEGER PRIMARY KEY,
    brain      INTEGER NOT NULL,
    doc        INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    key        TEXT,
    dir        TEXT    NOT NULL,
    file       TEXT    NOT NULL,
    heading    TEXT    NOT NULL,
    line       INTEGER NOT NULL,
    "group"    TEXT    NOT NULL,
    position   INTEGER NOT NULL,
    hash       TEXT    NOT NULL,
    modified   INTEGER,
    transcript INTEGER NOT NULL,
    project    TEXT    NOT NULL,
    text       TEXT    NOT NULL,
    checksum   INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX section_id ON section (brain, id);
CREATE UNIQUE INDEX section_key ON section (brain, key) WHERE key IS NOT NULL;
CREATE INDEX section_group ON section (brain, "group", position, id) WHERE "group" <> '';
CREATE INDEX section_file ON section (brain, dir, file, line, id);

CREATE TABLE relation (
    brain   INTEGER NOT NULL,
    from_id TEXT    NOT NULL,
    type    TEXT    NOT NULL,
    to_id   TEXT    NOT NULL,
    made    INTEGER NOT NULL, -- microseconds, 0 for none
    checksum INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (brain, from_id, type, to_id)
) WITHOUT ROWID;
CREATE INDEX relation_to ON relation (brain, to_id, type, from_id, made, checksum);

CREATE TABLE record (
    seq   INTEGER PRIMARY KEY,
    brain INTEGER NOT NULL,
    kind  TEXT    NOT NULL,
    id    TEXT    NOT NULL,
    owner TEXT    NOT NULL,
    key   TEXT    NOT NULL,
    at    INTEGER,
    body  TEXT,
    checksum INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX record_id ON record (brain, kind, id);
CREATE INDEX record_owner ON record (brain, kind, owner, at, id) WHERE owner <> '';
CREATE INDEX record_key ON record (brain, kind, key, at, id) WHERE key <> '';
CREATE INDEX record_at ON record (brain, kind, at, id) WHERE kind <> 'Action';
