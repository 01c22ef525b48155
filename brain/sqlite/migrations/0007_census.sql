-- How many memories of a part (brain * 2 + is_test) are of a tier and a type;
-- of those, how many have a created, and the sum of their seconds. So nothing
-- need be counted when somebody asks.
CREATE TABLE census (
    part        INTEGER NOT NULL,
    tier        TEXT    NOT NULL,
    memory_type TEXT    NOT NULL,
    memories    INTEGER NOT NULL,
    dated       INTEGER NOT NULL,
    born        INTEGER NOT NULL,
    PRIMARY KEY (part, tier, memory_type)
) WITHOUT ROWID;
INSERT INTO census
    SELECT brain * 2 + is_test, tier, memory_type, count(*), count(created), ifnull(sum(created / 1000), 0)
    FROM memory GROUP BY 1, 2, 3;
ALTER TABLE part DROP COLUMN dated;
ALTER TABLE part DROP COLUMN born;

-- With IN, SQLite builds a table of the five tiers for each row that it looks
-- at to keep these two; with OR it compares.
DROP INDEX memory_name;
DROP INDEX memory_judged;
CREATE INDEX memory_name ON memory (brain, name_key, entity DESC, created DESC, id)
    WHERE (tier = 'working' OR tier = 'shortTerm' OR tier = 'longTerm' OR tier = 'core' OR tier = 'expired');
CREATE INDEX memory_judged ON memory (brain, helpful_count, not_helpful_count, tier, is_test)
    WHERE is_test = 0 AND helpful_count + not_helpful_count > 0
        AND (tier = 'working' OR tier = 'shortTerm' OR tier = 'longTerm' OR tier = 'core' OR tier = 'expired');

-- Of what is long in its tier, lists by project and type have an index. In the
-- tiers of hours and days, which every promotion writes, lists by type have a
-- smaller one, which leaves out what is due and will be elsewhere soon. Other
-- lists are read in the order of strength, whose indexes know both.
DROP INDEX memory_project_type;
DROP INDEX memory_strength;
DROP INDEX memory_due_strength;
CREATE INDEX memory_project_type ON memory
    (brain, is_test, tier, project, memory_type, promote_due IS NULL, ifnull(expires_at, 9223372036854775807) DESC, id)
    WHERE (tier = 'longTerm' OR tier = 'core' OR tier = 'expired');
CREATE INDEX memory_young_type ON memory
    (brain, is_test, tier, memory_type, ifnull(expires_at, 9223372036854775807) DESC, id, project)
    WHERE promote_due IS NULL AND (tier = 'working' OR tier = 'shortTerm');
CREATE INDEX memory_strength ON memory
    (brain, is_test, tier, ifnull(expires_at, 9223372036854775807) DESC, id, project, memory_type)
    WHERE promote_due IS NULL;
CREATE INDEX memory_due_strength ON memory
    (brain, is_test, tier, ifnull(expires_at, 9223372036854775807) DESC, id, project, memory_type)
    WHERE promote_due IS NOT NULL;
