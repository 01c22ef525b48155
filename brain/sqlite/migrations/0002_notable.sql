-- What was important and has faded, by the energy that it once had. Live
-- memories are not in it, so that a touch of one does not write it. The last
-- three columns let it be counted without its rows.
CREATE INDEX memory_notable ON memory (brain, peak_energy DESC, created DESC, id, importance, tier, is_test)
    WHERE tier = 'expired' AND is_test = 0 AND importance IN ('critical', 'important');
