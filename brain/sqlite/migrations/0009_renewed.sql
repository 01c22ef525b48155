-- What lives for hours and days is not stale while its life began, or was
-- renewed, a short time ago. So of those tiers only that can be stale which lives
-- for over 30 days by itself: next to nothing, and nothing that was just taken in.
DROP INDEX memory_idle_early;
CREATE INDEX memory_idle_early ON memory (brain, ifnull(last_used, created), expires_at, tier, is_test)
    WHERE is_test = 0 AND (tier = 'working' OR tier = 'shortTerm')
        AND (expires_at IS NULL OR ifnull(base_at, last_decay) IS NULL OR expires_at - ifnull(base_at, last_decay) > 2592000000);
