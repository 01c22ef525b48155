-- What may be forgotten once it was idle for long, longest first. What was
-- captured only now is not in it, nor what is promoted.
CREATE INDEX memory_forgettable ON memory
    (brain, tier, ifnull(last_used, ifnull(created, -9223372036854775807)), id)
    WHERE is_test = 0 AND (tier = 'expired' OR entity = 1)
        AND importance <> 'critical' AND severity <> 'critical' AND retention NOT IN ('core', 'permanent');
-- What lives for hours and days and was idle for over 30 days when it was last
-- written, or will live for over 30 days more: nothing else of these tiers can
-- be live and have been idle for 60 days. What was captured only now is not in it.
CREATE INDEX memory_idle_early ON memory (brain, ifnull(last_used, created), expires_at, tier, is_test)
    WHERE is_test = 0 AND tier IN ('working', 'shortTerm')
        AND (last_decay IS NULL OR expires_at IS NULL OR expires_at - last_decay > 2592000000
            OR last_decay - ifnull(last_used, created) > 2592000000);
