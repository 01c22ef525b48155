-- What a survey adds up over all live and expired memories of a part, so that
-- it need not read them: how many have a created, and the sum of their seconds.
-- A promotion changes neither.
ALTER TABLE part ADD COLUMN dated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE part ADD COLUMN born INTEGER NOT NULL DEFAULT 0;
UPDATE part SET (dated, born) = (SELECT count(m.created), ifnull(sum(m.created / 1000), 0) FROM memory m
    WHERE m.doc >= part.part << 40 AND m.doc < (part.part + 1) << 40
    AND m.tier IN ('working', 'shortTerm', 'longTerm', 'core', 'expired'));
-- The last two columns of each index let it be counted without its rows. The
-- first has those that can stay unused for long; what is in working and
-- shortTerm is there for hours and days only, and written more often.
CREATE INDEX memory_idle ON memory (brain, ifnull(last_used, created), expires_at, tier, is_test)
    WHERE is_test = 0 AND tier IN ('longTerm', 'core');
CREATE INDEX memory_judged ON memory (brain, helpful_count, not_helpful_count, tier, is_test)
    WHERE is_test = 0 AND helpful_count + not_helpful_count > 0
        AND tier IN ('working', 'shortTerm', 'longTerm', 'core', 'expired');
