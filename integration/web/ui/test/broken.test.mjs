// The page when something is wrong, and when there is nothing or very much. The tests run in order, on a brain that is empty first.
//   CONTROL  does to the daemon and to the store what is posted to it: stop, start, away, back, fill
//   SERVER   is set for a store on a server
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { BASE, elsewhere, launch, loggedIn, remember, tabOf, TOKEN } from './browser.mjs'

const control = async (what) => assert.ok((await fetch(process.env.CONTROL + '/' + what, { method: 'POST' })).ok, what)
let browser, context
const tab = (path, prepare) => tabOf(context, path, prepare)

before(async () => {
  browser = await launch()
  context = await loggedIn(browser)
})

after(() => browser.close())

test('an empty brain says in every view what there would be', async () => {
  const { page, close } = await tab()
  for (const [path, said] of Object.entries({
    '/': 'brainbridge remember', '/recall': 'brainbridge remember', '/recall?q=lorry': 'Fewer words', '/graph': 'brainbridge relate', '/timeline': 'brainbridge remember',
    '/reminders': 'brainbridge remind', '/review': 'brainbridge ', '/runs': 'brainbridge consolidate', '/health': 'brainbridge backup create',
  })) {
    await page.goto(BASE + path)
    await page.getByText(said).first().waitFor()
    assert.deepEqual(await page.getByRole('alert').allTextContents(), [], path)
  }
  await close()
})

test('an unknown id says what to do', async () => {
  const { page, close } = await tab('/m/0b5ab3de-0000')
  assert.match(await page.getByRole('alert').innerText(), /0b5ab3de/)
  await page.locator('main').getByRole('link', { name: 'Recall' }).waitFor()
  await page.goto(BASE + '/runs/0b5ab3de-0000')
  assert.match(await page.getByRole('alert').innerText(), /0b5ab3de-0000/)
  await page.goto(BASE + '/no/such/view')
  await page.getByRole('link', { name: 'Now' }).first().waitFor()
  await close()
})

test('text with marks of direction, control characters, 1 MB and 10,000 tags is only text', async () => {
  const marks = '\u202eevil\u202c \u2066a\u2069 \u200fb \u0007bell \u001b[31mred\u001b[0m </textarea><script>alert(1)</script>'
  const long = 'word '.repeat(200_000)
  const ids = [await remember(marks, { title: marks }), await remember(long), await remember('many tags', { tags: Array.from({ length: 10_000 }, (_, i) => 'tag' + i) })]
  const { page, close } = await tab()
  for (const id of ids) {
    await page.goto(BASE + '/m/' + id)
    await page.getByText('Why it is where it is').waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than the window')
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2000, 'there are as many elements as tags')
  }
  await page.goto(BASE + '/m/' + ids[0])
  await page.getByRole('button', { name: 'Correct' }).click()
  assert.ok((await page.getByLabel('Text').inputValue()).includes('</textarea><script>'))
  assert.equal(await page.locator('main script').count(), 0)
  const seen = await page.getByRole('heading', { level: 1 }).evaluate((h) => getComputedStyle(h).unicodeBidi)
  assert.equal(seen, 'isolate', 'a mark of direction reaches beyond the name')
  for (const path of ['/', '/recall', '/recall?q=word']) {
    await page.goto(BASE + path)
    await page.getByText('many tags').or(page.locator('ol li .text')).first().waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path)
  }
  await close()
})

test('a wrong cookie and one that expired are refused, with what to do', async () => {
  const [cookie] = await context.cookies()
  const end = String(Math.floor(Date.now() / 1000) - 60)
  const expired = end + '.' + createHmac('sha256', TOKEN).update('until ' + end).digest('hex')
  for (const value of [cookie.value.replace(/.$/, (c) => (c === '0' ? '1' : '0')), expired, 'x']) {
    const stranger = await browser.newContext()
    await stranger.addCookies([{ ...cookie, value }])
    const page = await stranger.newPage()
    assert.equal((await page.goto(BASE + '/review')).status(), 401, value)
    await page.getByText('brainbridge open').waitFor()
    await stranger.close()
  }
})

test('a page whose cookie ends says so, and comes back after a login', async () => {
  const other = await loggedIn(browser)
  const { page, close } = await tabOf(other)
  await page.getByRole('link', { name: 'many tags' }).first().waitFor()
  const cookies = await other.cookies()
  await other.clearCookies()
  await remember('kept while nobody was let in')
  await page.getByText('brainbridge open').first().waitFor()
  await page.getByRole('link', { name: 'many tags' }).first().waitFor()
  await other.addCookies(cookies)
  await remember('kept after the login')
  await page.getByRole('link', { name: 'kept after the login' }).first().waitFor()
  await page.getByText('brainbridge open').first().waitFor({ state: 'detached' })
  await close()
  await other.close()
})

test('a page of another origin can neither read nor change anything, even with the cookie', async () => {
  const foreign = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<h1>foreign</h1>'))
  await new Promise((listening) => foreign.listen(0, '127.0.0.1', listening))
  const page = await context.newPage()
  const asked = []
  const answers = []
  page.on('request', (r) => r.url().startsWith(BASE) && asked.push(r.method()))
  page.on('response', (r) => r.url().startsWith(BASE) && answers.push(r.status()))
  await page.goto(`http://127.0.0.1:${foreign.address().port}/`)
  const read = await page.evaluate(async (base) => {
    const readable = await fetch(base + '/api/v1/status', { credentials: 'include' }).then((r) => r.text(), () => 'refused')
    const body = JSON.stringify({ content: 'planted by a foreign page' })
    await fetch(base + '/api/v1/memories', { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {})
    return readable
  }, BASE)
  assert.equal(read, 'refused')
  assert.deepEqual(answers.filter((status) => status !== 403), [])
  assert.deepEqual(asked, ['GET', 'POST'])
  const { memories } = await elsewhere('memories?sort=created&limit=100')
  assert.equal(memories.filter((m) => m.content.includes('planted')).length, 0)
  await page.close()
  foreign.close()
})

test('a daemon that ends and starts again: the page says so, keeps what it shows, and comes back', async () => {
  const { page, close } = await tab()
  await page.getByRole('link', { name: 'many tags' }).first().waitFor()
  await control('stop')
  await page.getByText('The daemon does not answer').first().waitFor()
  await page.getByRole('link', { name: 'many tags' }).first().waitFor()
  assert.ok(await page.locator('.field').isVisible())
  await control('start')
  await page.getByText('The daemon does not answer').first().waitFor({ state: 'detached' })
  await remember('kept after the restart')
  await page.getByRole('link', { name: 'kept after the restart' }).first().waitFor()
  await close()
})

test('a server that is away: the page says what to do, and comes back', { skip: !process.env.SERVER && 'an embedded store is never away' }, async () => {
  const { page, close } = await tab()
  await page.getByRole('link', { name: 'many tags' }).first().waitFor()
  await control('away')
  await page.goto(BASE + '/runs')
  const said = await page.getByRole('alert').first().innerText()
  assert.ok(said.split('\n').length > 1, `"${said}" has no hint`)
  await control('back')
  await page.getByRole('alert').first().waitFor({ state: 'detached' })
  await close()
})

test('very many memories', { timeout: 240_000 }, async () => {
  await control('fill')
  const { page, close } = await tab()
  await page.getByText(/[\d,]{6,} memories/).first().waitFor()
  await page.locator('.field canvas').waitFor()
  await page.getByText(/2,000/).first().waitFor()
  await page.goto(BASE + '/recall')
  await page.locator('#search').fill('staging server')
  await page.locator('ol li mark').first().waitFor()
  // None of these memories is related to another.
  for (const [path, shown] of Object.entries({ '/graph': 'text=Nothing here is related', '/timeline': 'main svg', '/health': 'main table' })) {
    await page.goto(BASE + path)
    await page.locator(shown).first().waitFor({ timeout: 60_000 })
    assert.deepEqual(await page.getByRole('alert').allTextContents(), [], path)
  }
  await close()
})
