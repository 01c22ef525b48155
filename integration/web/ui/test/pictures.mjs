// Pictures of the page for the documentation: pictures.mjs ADDRESS-OF-A-LOGIN FOLDER
import { chromium } from 'playwright-core'

const [, , login, folder] = process.argv
const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
await page.goto(login)
for (const scheme of ['light', 'dark']) {
  await page.emulateMedia({ colorScheme: scheme })
  for (const [name, path, content] of [
    ['now', '/', '.field canvas'],
    ['recall', '/recall?q=which+port+does+staging+use', 'ol li mark'],
    ['review', '/review', 'article'],
    ['timeline', '/timeline', '.u-over'],
    ['graph', '/graph', '.network canvas'],
    ['health', '/health', 'td svg'],
  ]) {
    await page.goto(new URL(path, login).href)
    await page.locator(content).first().waitFor()
    await page.waitForTimeout(name === 'graph' ? 3000 : 500) // for the rest of the view
    await page.screenshot({ path: `${folder}/${name}-${scheme}.png` })
  }
}
await browser.close()
