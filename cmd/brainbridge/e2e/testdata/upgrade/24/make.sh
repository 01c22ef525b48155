# make.sh OUT makes the fixtures with the program at $B (commit f00c24f7); it needs sqlite3 and zstd.
set -eu
OUT=$1; B=${B:?the program}
rm -rf /tmp/fixture/home $OUT; mkdir -p /tmp/fixture/home $OUT
export BRAINBRIDGE_HOME=/tmp/fixture/home HOME=/tmp/fixture
cd /tmp/fixture
at() { export BRAINBRIDGE_NOW=$1; }
b() { $B "$@" </dev/null >> $OUT/log; }
keep() { printf '%s %s\n' "$1" "$($B -q remember "$2" </dev/null | head -1)" >> $OUT/ids.txt; }
id() { awk -v n=$1 '$1==n{print $2}' $OUT/ids.txt; }
at 2026-04-01T09:00:00Z
b init --yes
keep faded "The printer is on the second floor"
keep boosted "The build cache lives on a disk of its own"
keep promoted "Releases are cut on the first Monday"
keep used "The wiki moved to server nine"
b learn "port" "the staging port is 5433"
at 2026-04-01T10:00:00Z
b boost $(id promoted) 4
b boost $(id boosted) 0.5
b promote
# what is written above fades under three sets of numbers
at 2026-04-01T11:00:00Z
b config set lifecycle.lambda.working 0.05
at 2026-04-01T12:00:00Z
b boost $(id used)
at 2026-04-02T09:00:00Z
b config set lifecycle.lambda.shortTerm 0.2
b config set lifecycle.expire.below 0.25
keep fresh "The office closes at six"
at 2026-04-02T15:00:00Z
b backup create --to $OUT/b
cp -r $OUT/b/brain-* $OUT/backup
for when in 2026-04-02T15:00:00Z 2026-04-02T21:00:00Z 2026-04-04T09:00:00Z; do
  at $when
  for name in faded boosted promoted used fresh; do
    $B --json show $(id $name) </dev/null | tr -d '\n' | sed "s/^/{\"at\":\"$when\",\"answer\":/; s/\$/}\n/" >> $OUT/answers.jsonl
  done
done
sqlite3 home/data/default/brain.db "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
zstd -q home/data/default/brain.db -o $OUT/brain.db.zst
zstd -q --rm $OUT/answers.jsonl
# the spool, against a server that is not there
at 2026-04-02T15:00:00Z
export BRAINBRIDGE_STORE=bolt://127.0.0.1:1
$B remember "It waits: badges are blue" </dev/null >> $OUT/log 2>&1 || true
cp $(find home -path '*spool*' -name captures.jsonl) $OUT/captures.jsonl
rm -rf $OUT/b $OUT/log
