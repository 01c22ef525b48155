# make.sh OUT makes the fixtures with the program at $B (commit 5bce0c4c); it needs jq and sqlite3.
set -eu
OUT=$1; B=${B:?the program}
rm -rf /tmp/fixture $OUT; mkdir -p /tmp/fixture/home $OUT
export BRAINBRIDGE_HOME=/tmp/fixture/home HOME=/tmp/fixture
cd /tmp/fixture
at() { export BRAINBRIDGE_NOW=$1; }
j() { $B --json "$@" </dev/null; }
id() { $B -q "$@" </dev/null | head -1; }
keep() { printf '%s %s\n' "$1" "$2" >> $OUT/ids.txt; }
at 2026-03-01T09:00:00Z
$B init --yes >/dev/null </dev/null
once=$(id remember "The staging port is 5433" --type fact); keep once $once
twice=$(id remember "The release branch is cut on Mondays"); keep twice $twice
fixed=$(id remember "The nightly job starts at two" --type fact); keep fixed $fixed
after=$(id remember "The cache keeps entries for an hour"); keep after $after
a1=$(id remember "Deploy scripts live in the ops folder"); keep rule1 $a1
v1=$(id remember "The proxy listens on port 8080" --type decision); keep verdict1 $v1
w1=$(id remember "Invoices are sent by mail on Fridays"); keep text1 $w1
p1=$(id remember "The log level in production is warn" --type decision); keep apart1 $p1
u1=$(id remember "The office door code changes monthly"); keep undone1 $u1
r1=$(id remember "The wiki runs on server one"); keep replaced $r1
bar=$(id remember "Tests need two cores and a disk" --importance critical); keep barred $bar
g1=$(id remember "The old printer is in the cellar"); keep forgotten $g1
used=$(id remember "Alice owns the billing service"); keep used $used
mkdir -p home/memory
printf '# 2026-03-01\n\n## 08:30 - [decision|i=0.80] Queue\n- The queue is drained at night\n' > home/memory/2026-03-01.md
$B notes sync --json </dev/null >> $OUT/log || true
at 2026-03-01T09:05:00Z
for m in $once $twice $after $v1 $p1 $u1 $bar $g1 $w1; do $B boost $m --json >/dev/null </dev/null; done
for m in $twice; do $B boost $m 1.5 --json >/dev/null </dev/null; done
for m in $once $used; do $B used $m --helpful --json >/dev/null </dev/null; done
j curate >> $OUT/log
grep -v "Tests need two cores" home/MEMORY.md > m && mv m home/MEMORY.md
at 2026-03-01T09:10:00Z
j curate >> $OUT/log
for m in $once $after $v1 $p1 $u1 $bar $g1 $w1 $twice; do $B boost $m 1.2 --json >/dev/null </dev/null; done
j promote >> $OUT/log
j correct $fixed "The nightly job starts at three" >> $OUT/log
j correct $after "The cache keeps entries for a day" >> $OUT/log
at 2026-03-01T09:20:00Z
for m in $twice $g1; do for i in 1 2; do $B boost $m 3 --json >> $OUT/log </dev/null; done; done
j promote >> $OUT/log
j correct $after "The cache keeps entries for a week" >> $OUT/log
printf '# 2026-03-01\n\n## 08:30 - [decision|i=0.80] Queue\n- The queue is drained at noon\n' > home/memory/2026-03-01.md
j notes sync >> $OUT/log
$B used $once --not-helpful --in review --json >/dev/null </dev/null
at 2026-03-01T10:00:00Z
keep rule2 $(id remember "Deploy script lives in the ops folders")
keep verdict2 $(id remember "The proxy listens on port 8443" --type decision)
keep text2 $(id remember "On Fridays our invoices are sent by mail")
keep apart2 $(id remember "The log level in production is info" --type decision)
r2=$(id remember "The wiki runs on server nine"); keep replacement $r2
j replace $r1 $r2 >> $OUT/log
j relate $once related_to $r2 >> $OUT/log || j relate $once $r2 related_to >> $OUT/log
at 2026-03-01T10:05:00Z
j consolidate >> $OUT/log
at 2026-03-01T10:06:00Z
keep undone2 $(id remember "The office doors code changed monthly")
j consolidate > $OUT/c2.json
j undo $(jq -r .runId $OUT/c2.json) --yes >> $OUT/log
item() { $B --json review </dev/null | jq -r --arg k "$1" --arg m "$2" '.items[]|select(.kind==$k and (.memories|index($m)))|.id'; }
at 2026-03-01T10:10:00Z
ids() { awk -v n=$1 '$1==n{print $2}' $OUT/ids.txt; }
j review decide $(item pair $(ids verdict2)) newer >> $OUT/log
j review decide $(item merge $(ids text2)) same --text "Invoices are sent by mail every Friday" >> $OUT/log
j review decide $(item merge $(ids apart2)) both >> $OUT/log
at 2026-03-01T10:15:00Z
j forget $(ids forgotten) --yes >> $OUT/log
j consolidate >> $OUT/log
j curate >> $OUT/log
at 2026-03-01T10:20:00Z
j review --all > $OUT/review.json
j list --all > $OUT/list.json
j runs > $OUT/runs.json
j backup create --to $OUT/b >> $OUT/log
cp -r $OUT/b/brain-* $OUT/backup
: > $OUT/answers.jsonl
ask() { jq -cn --argjson a "$($B --json "$@" </dev/null || true)" '{args:$ARGS.positional,answer:$a}' --args -- "$@" >> $OUT/answers.jsonl; }
for m in $(jq -r '.memories[].id' $OUT/list.json); do ask show $m; ask history $m; done
for when in 09:01 09:07 09:12 09:25 10:01 10:07 10:12; do
 for q in "staging port" "release branch" "nightly job" "cache keeps" "deploy scripts" "proxy listens" "invoices mail Friday" "log level" "office door code" wiki "cores disk" printer billing queue; do
  ask recall "$q" --as-of 2026-03-01T$when:00Z --no-touch
 done
done
ask review --all
ask runs
cp home/MEMORY.md $OUT/MEMORY.md
cp -r home/memory $OUT/memory
for h in home/data/default/brain.db; do sqlite3 $h "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null 2>&1 || true; cp $h* $OUT/; done
# the spool, against a server that is not there
at 2026-03-01T10:30:00Z
export BRAINBRIDGE_STORE=bolt://127.0.0.1:1
j remember "It waits: badges are blue" >> $OUT/log 2>&1
j remember "The staging port is 6000" --type fact --replaces $(ids once) >> $OUT/log 2>&1
j remember "It waits: branches are cut by Bob" --relate "related_to:$(ids twice)" >> $OUT/log 2>&1
find home -path '*spool*' -type f
