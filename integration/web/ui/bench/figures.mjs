// Measures the page in a real browser, against a daemon that TestPageFigures has started and filled.
//   BASE   address of the daemon        TOKEN  its token        BROWSER  the Chromium to start
import { readdir, readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'

const { BASE, TOKEN, BROWSER } = process.env
const load = () => loadavg().map((n) => n.toFixed(1)).join(' ')
console.log(`load before: ${load()}`)

async function api(path, body) {
  const answer = await fetch(BASE + '/api/v1/' + path, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: 'Bearer ' + TOKEN, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** The median and the worst of several measurements, in milliseconds. */
async function times(name, wanted, n, measure) {
  const all = []
  for (let i = 0; i < n; i++) all.push(await measure(i))
  all.sort((a, b) => a - b)
  report(name, `${all[n >> 1].toFixed(0)} ms, at most ${all[n - 1].toFixed(0)} ms of ${n}`, wanted)
}

const report = (name, value, wanted = '') => console.log(`${name.padEnd(52)} ${value}${wanted && '   (wanted: ' + wanted + ')'}`)

const status = await api('status')
report('memories', `${status.total}, ${status.store.split(':')[0]}`)
const pid = status.daemon.pid
/** Memory of the daemon that no other process shares, in MB. */
async function memory() {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return [...text.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce((sum, m) => sum + Number(m[1]), 0) / 1024
}
report('private memory of the daemon, no page', `${(await memory()).toFixed(0)} MB`)
for (const path of ['status', 'field', 'field/density', 'next', 'memories?sort=energy&live=true&limit=500', 'memories?sort=created&limit=7', 'reminders', 'review', 'health', 'timeline', 'runs', 'graph'])
  await times('  GET ' + path, '', 3, async () => {
    const start = performance.now()
    await api(path)
    return performance.now() - start
  })

const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
const { url } = await api('login', {})
const first = await browser.newContext()
await (await first.newPage()).goto(url)
const cookies = await first.storageState()
await first.close()

await times('first paint of Now, with its dots', '≤ 1000 ms', 5, async () => {
  const context = await browser.newContext({ storageState: cookies, viewport: { width: 1280, height: 800 } }) // nothing cached
  const page = await context.newPage()
  await page.goto(BASE, { waitUntil: 'commit' })
  await page.locator('.field canvas').waitFor()
  const drawn = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))))
  await context.close()
  return drawn
})

const context = await browser.newContext({ storageState: cookies, viewport: { width: 1280, height: 800 } })
const page = await context.newPage()
await page.goto(BASE)
await page.locator('.field canvas').waitFor()
await times('a change elsewhere until it is on the page', '≤ 500 ms', 10, async (i) => {
  await sleep(1500)
  const text = `figure ${i} of ${Date.now()}`
  const seen = page.evaluate(
    (text) =>
      new Promise((done) => {
        const look = () => document.body.innerText.includes(text) && (watch.disconnect(), requestAnimationFrame(() => done(Date.now())))
        const watch = new MutationObserver(look)
        watch.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    text,
  )
  await api('memories', { content: text })
  const stored = Date.now()
  return (await seen) - stored
})

const box = await page.locator('.field canvas').boundingBox()
const frames = page.evaluate(
  () =>
    new Promise((done) => {
      let n = 0
      const start = performance.now()
      const next = (now) => (n++, now - start < 4000 ? requestAnimationFrame(next) : done((n * 1000) / (now - start)))
      requestAnimationFrame(next)
    }),
)
for (let i = 0; i < 120; i++) await page.mouse.move(box.x + 60 + ((i * 37) % (box.width - 80)), box.y + 40 + ((i * 23) % (box.height - 80)))
report('frames a second, with a pointer over the field', (await frames).toFixed(0))

let asked = 0
page.on('request', () => asked++)
const start = Date.now()
let changes = 0
for (; Date.now() - start < 5000; changes++) await api('memories', { content: `burst ${changes} of ${start}` })
report(`requests of the page during ${(changes / 5).toFixed(0)} changes a second`, `${(asked / 5).toFixed(1)} a second`)
report('private memory of the daemon after them', `${(await memory()).toFixed(0)} MB`)

await page.goto(BASE + '/recall')
await page.locator('ol li').first().waitFor()
await page.evaluate(() => {
  document.addEventListener('keydown', () => (window.pressed = performance.now()), true)
  new MutationObserver(() => (window.changed = performance.now())).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true })
})
for (const word of ['staging server', 'deploy']) {
  await page.locator('#search').fill('')
  await sleep(1000)
  await times(`a key in Recall to its hits, "${word}"`, '≤ 100 ms', word.length, async (i) => {
    await page.keyboard.press(word[i])
    await sleep(700)
    return page.evaluate(() => window.changed - window.pressed)
  })
}
await sleep(20_000)
report('private memory of the daemon, the page open', `${(await memory()).toFixed(0)} MB`, '≤ 60 MB')

const dist = new URL('../dist/', import.meta.url)
let bytes = 0
for (const name of await readdir(dist)) if (/\.(js|css)$/.test(name)) bytes += gzipSync(await readFile(new URL(name, dist))).length
report('scripts and styles, compressed', `${(bytes / 1024).toFixed(0)} KB`, '≤ 250 KB')
console.log(`load after: ${load()}`)
await browser.close()
