// What the tests in a real browser share. The test of the program has started the daemon.
//   BASE   address of the daemon        TOKEN  its token        BROWSER  the Chromium to start
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'

export const { BASE, TOKEN, BROWSER } = process.env

/** A request of another program. */
export async function elsewhere(path, body) {
  const answer = await fetch(BASE + '/api/v1/' + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: 'Bearer ' + TOKEN, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer.json()
}

export const remember = async (content, more) => (await elsewhere('memories', { content, ...more })).memoryId

export const launch = () =>
  chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  })

/** A browser profile that is logged in. */
export async function loggedIn(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(Number(process.env.TIMEOUT ?? 30_000))
  const page = await context.newPage()
  const { url } = await elsewhere('login', {})
  await page.goto(url)
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await page.close()
  return context
}

/** A tab that fails its test on an error of the page. */
export async function tabOf(context, path = '/', prepare = () => {}) {
  const page = await context.newPage()
  await prepare(page)
  const errors = []
  page.on('pageerror', (e) => errors.push(e.message))
  page.on('dialog', (d) => errors.push('a dialog: ' + d.message()))
  await page.goto(BASE + path)
  return { page, close: () => page.close().then(() => assert.deepEqual(errors, [])) }
}
