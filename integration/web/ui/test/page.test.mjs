// The page in a real browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { BASE, elsewhere, launch, loggedIn, remember, tabOf, TOKEN } from './browser.mjs'

const axe = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
let browser, context
const tab = (path, prepare) => tabOf(context, path, prepare)

before(async () => {
  browser = await launch()
  context = await loggedIn(browser)
})

after(() => browser.close())

const views = {
  '/': '.field', '/recall?q=lorry': 'ol li .name', '/graph': '.network canvas', '/timeline': 'svg rect', '/reminders': 'text=renew the certificate',
  '/review': 'article', '/runs': 'text=maintenance', '/health': 'text=last backup',
}
for (const scheme of ['light', 'dark']) {
  test(`every view has its content and no fault that axe finds, ${scheme}`, async () => {
    const { page, close } = await tab()
    await page.emulateMedia({ colorScheme: scheme })
    const id = (await elsewhere('memories?limit=1&sort=created')).memories[0].id
    const run = (await elsewhere('runs?limit=1')).runs[0].id
    for (const [path, content] of Object.entries({ ...views, ['/m/' + id]: 'text=Why it is where it is', ['/runs/' + run]: 'h1:has-text("Run")' })) {
      await page.goto(BASE + path)
      await page.locator(content).first().waitFor()
      const found = await page.evaluate(axe + '; axe.run()')
      assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes[0].html}`), [], path)
    }
    await close()
  })
}

test('what another process keeps appears by itself', async () => {
  const { page, close } = await tab()
  await page.getByText('Captured').waitFor()
  await remember('The ferry leaves at seven')
  await page.getByRole('link', { name: 'The ferry leaves at seven' }).first().waitFor()
  await close()
})

test('a memory is boosted, corrected and forgotten, and each is taken back', async () => {
  const id = await remember('The harbour closes at ten')
  const { page, close } = await tab('/m/' + id)
  await page.getByRole('button', { name: 'Boost' }).click()
  await page.getByText('note · working · energy 2.00').waitFor()
  await page.reload() // the history offers the undo too
  await page.getByRole('button', { name: /^Undo boost/ }).click()
  await page.getByText('note · working · energy 1.00').waitFor()

  await page.getByRole('button', { name: 'Correct' }).click()
  await page.getByLabel('Text').fill('The harbour closes at eleven')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'The harbour closes at eleven' }).waitFor()
  await page.locator('.history del', { hasText: 'ten' }).waitFor()
  await page.locator('.history ins', { hasText: 'eleven' }).waitFor()
  await page.locator('.plot canvas').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('heading', { name: 'The harbour closes at ten' }).waitFor()

  await page.getByRole('button', { name: 'Forget' }).click()
  await page.getByText('Forgotten.').waitFor()
  await page.getByText('It may have been forgotten').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Boost' }).count(), 0)
  await page.getByRole('status').getByRole('button', { name: 'Undo', exact: true }).waitFor()
  await page.keyboard.press('u')
  await page.getByText('Taken back.').waitFor()
  assert.equal((await elsewhere('memories/' + id)).memory.content, 'The harbour closes at ten')
  await close()
})

test('a correction is written and saved from the keyboard', async () => {
  const id = await remember('The mole is lit at six')
  const { page, close } = await tab('/m/' + id)
  await page.getByRole('button', { name: 'Correct' }).press('Enter')
  await page.getByLabel('Text').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('The mole is lit at seven')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'The mole is lit at seven' }).waitFor()
  await close()
})

test('the second of two tabs that correct one memory is told what it says now', async () => {
  const id = await remember('The bell rings at noon')
  const { page, close } = await tab('/m/' + id, (page) => page.route('**/api/v1/events', (r) => r.abort())) // it hears of no change
  await page.getByRole('button', { name: 'Correct' }).click()
  await page.getByLabel('Text').fill('The bell rings at two')
  await elsewhere(`memories/${id}/correct`, { text: 'The bell rings at one' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('it says now: The bell rings at one').waitFor()
  assert.equal(await page.getByLabel('Text').inputValue(), 'The bell rings at two')
  assert.equal((await elsewhere('memories/' + id)).memory.content, 'The bell rings at one')
  await close()
})

test('search from the keyboard alone', async () => {
  const { page, close } = await tab()
  await page.locator('.field').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('lorry')
  await page.keyboard.press('Enter')
  await page.locator('ol li mark', { hasText: 'lorry' }).first().waitFor()
  await page.keyboard.press('Tab')
  await page.locator('ol li a').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /lorry/ }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await page.getByRole('heading', { name: /^Runs/ }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.getByRole('heading', { name: /lorry/ }).waitFor()
  await close()
})

test('a filter offers what there is', async () => {
  const { page, close } = await tab('/recall')
  await page.getByLabel('kind').focus()
  await page.locator('datalist option[value="decision"]').waitFor({ state: 'attached' })
  await page.getByLabel('project').focus()
  await page.locator('datalist option[value="shop"]').waitFor({ state: 'attached' })
  await close()
})

test('arrows go through the hits', async () => {
  const { page, close } = await tab('/recall?q=lorry')
  await page.locator('ol li .bar i').first().waitFor()
  await page.locator('#search').focus()
  await page.keyboard.press('ArrowDown')
  assert.ok(await page.evaluate(() => document.activeElement === document.querySelector('ol li .name')))
  await page.keyboard.press('ArrowUp')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search')
  await close()
})

test('what the next run promotes and what expires comes next', async () => {
  const rising = await remember('The crane is rented until May')
  await elsewhere(`memories/${rising}/boost`, { amount: 3 })
  const { page, close } = await tab()
  const next = page.locator('section', { has: page.getByRole('heading', { name: 'Next' }) })
  await next.locator('.row', { hasText: 'The crane is rented until May' }).getByText('rises to short-term').waitFor()
  await next.getByText('expires').first().waitFor()
  await close()
})

test('an id that does not exist is named, with what to do', async () => {
  const { page, close } = await tab('/m/ffffffff')
  await page.getByRole('alert').first().waitFor()
  await page.getByText('It may have been forgotten').waitFor()
  await close()
})

test('a pair is judged by a key, and the verdict is taken back', async () => {
  const { page, close } = await tab('/review')
  await page.locator('article').first().waitFor()
  const open = (await elsewhere('review')).items.length
  const verdict = (await page.getByRole('button', { name: 'both' }).count()) ? 'b' : 'r'
  await page.keyboard.press(verdict)
  await page.getByText('Decided:').waitFor()
  assert.equal((await elsewhere('review')).items.length, open - 1)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Taken back.').waitFor()
  assert.equal((await elsewhere('review')).items.length, open)
  await close()
})

test('a refused merge names what was made up, and offers what to do', async () => {
  const { page, close } = await tab('/review')
  await page.locator('article').first().waitFor()
  const open = (await elsewhere('review')).items.length
  await page.keyboard.press('s')
  await page.getByLabel('The text that holds instead').fill('Invoices are kept in Ravenna')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('"Ravenna"').waitFor()
  assert.equal(await page.evaluate(() => getSelection().toString()), 'Ravenna')
  await page.getByRole('button', { name: 'keep both as they are' }).click()
  await page.getByText('Decided: both.').waitFor()
  assert.equal((await elsewhere('review')).items.length, open - 1)
  await page.keyboard.press('u')
  await page.getByText('Taken back.').waitFor()
  await close()
})

test('a reminder is done, and open again', async () => {
  await remember('water the plants', { due: '2031-01-01' })
  const { page, close } = await tab('/reminders')
  await page.getByRole('button', { name: 'Done: water the plants' }).click()
  await page.getByRole('button', { name: 'Open again: water the plants' }).waitFor()
  await page.reload() // it is remembered by the program, not by the page
  await page.getByRole('button', { name: 'Open again: water the plants' }).click()
  await page.getByRole('button', { name: 'Done: water the plants' }).waitFor()
  await close()
})

test('hostile text is only text', async () => {
  const text = '<img src=x onerror="alert(1)"><script>alert(2)</script> \u202egnp.exe {@html 1} ' + 'x'.repeat(3000)
  const id = await remember(text, { tags: ['<b>bold</b>'], title: '<i>title</i>' })
  const { page, close } = await tab('/m/' + id)
  await page.getByRole('heading', { name: '<i>title</i>' }).waitFor()
  assert.equal(await page.locator('.text').first().textContent(), text)
  await page.goto(BASE + '/recall?q=onerror')
  await page.locator('ol li').first().waitFor()
  assert.equal(await page.locator('ol img, ol script').count(), 0)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'a long word makes the page wider')
  await close()
})

test('on a phone nothing is cut off', async () => {
  const { page, close } = await tab()
  await page.setViewportSize({ width: 360, height: 700 })
  for (const path of Object.keys(views)) {
    await page.goto(BASE + path)
    await page.locator(views[path]).first().waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path)
  }
  await close()
})

test('a day opens its sessions and its runs, also from the keyboard', async () => {
  await remember('The crane is inspected each spring')
  const { page, close } = await tab('/timeline')
  await page.locator('.u-over').first().waitFor()
  const day = page.getByRole('complementary', { name: 'The chosen day' })
  await day.getByText('There is no note of this day.').waitFor()
  await day.getByText('command line').first().waitFor()
  await day.getByRole('link', { name: 'relation' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Run / }).waitFor()
  await page.goBack()
  await day.getByRole('link', { name: 'the day before' }).focus()
  await page.keyboard.press('Enter')
  await day.getByText('No session used the memory.').waitFor()
  await close()
})

test('one action of a run is taken back, and the others stay', async () => {
  const run = (await elsewhere('runs?limit=500')).runs.find((r) => r.kind === 'consolidate' && r.actions > 1)
  const { page, close } = await tab('/runs/' + run.id)
  const undo = page.getByRole('button', { name: /^Undo, promoted: / })
  await undo.first().waitFor()
  const before = await undo.count()
  await undo.first().click()
  await page.getByText('Taken back.').waitFor()
  await page.getByText('1 of them undone').waitFor()
  assert.equal(await undo.count(), before - 1)
  const after = await elsewhere('runs/' + run.id)
  assert.deepEqual([after.run.undone, after.actions.filter((a) => a.undone).length], [false, 1])
  await close()
})

test('a search in the graph jumps to a memory and lists its relations', async () => {
  const { page, close } = await tab('/graph')
  await page.locator('.network canvas').first().waitFor()
  const { relations, memories } = await elsewhere('graph')
  const related = relations.find((r) => r.type === 'applies_to')
  const name = memories.find((m) => m.id === related.from).name
  await page.getByLabel('Find a memory in the graph').fill(name.toUpperCase())
  await page.keyboard.press('Enter')
  await page.locator('.chosen', { hasText: name }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('at'), related.from)
  await page.getByRole('cell', { name: 'applies_to' }).waitFor()
  await page.getByRole('button', { name: 'back to everything' }).click()
  assert.equal(await page.getByRole('cell', { name: 'went on as' }).count(), 0, 'what memories were before is shown unasked')
  await page.getByRole('checkbox', { name: 'also what they were before' }).check()
  await page.getByRole('cell', { name: 'went on as' }).first().waitFor()
  await close()
})

test('health shows the log, and the command that changes a setting', async () => {
  const { page, close } = await tab('/health')
  await page.getByRole('region', { name: 'The last lines of the log' }).getByText('started').first().waitFor()
  await page.getByText('The daemon makes the next one at').waitFor() // and has made the first one at once
  await page.locator('main li', { hasText: 'Review' }).first().waitFor()
  assert.equal(await page.locator('main li', { hasText: 'Review' }).count(), 1, 'the queue is named more than once')
  await page.getByRole('heading', { name: 'Settings' }).click()
  await page.getByLabel('filter').fill('silence')
  await page.getByRole('button', { name: 'brainbridge config set health.silence_days VALUE' }).waitFor()
  assert.equal(await page.locator('.settings tbody tr').count(), 1)
  await close()
})

test('metrics need the token', async () => {
  assert.equal((await fetch(BASE + '/metrics')).status, 401)
  const answer = await fetch(BASE + '/metrics', { headers: { Authorization: 'Bearer ' + TOKEN } })
  assert.match(await answer.text(), /^brainbridge_memories\{tier="working"\} \d+$/m)
})

test('a view that gets no answer says what to do', async () => {
  const { page, close } = await tab('/', (page) => page.route('**/api/v1/**', (r) => r.abort()))
  for (const path of ['/timeline', '/health', '/runs', '/reminders', '/graph']) {
    await page.goto(BASE + path)
    await page.getByRole('alert').first().getByText('Start it with brainbridge serve').waitFor()
  }
  await close()
})

test('without a cookie the page says how to get in', async () => {
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  const answer = await page.goto(BASE + '/review')
  assert.equal(answer.status(), 401)
  await page.getByText('brainbridge open').waitFor()
  await stranger.close()
})
