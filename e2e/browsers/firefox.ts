import { firefox, type Page } from 'playwright-core-1-64'
import { type Driven, patience } from './driven.ts'

/** Opens Debian's Firefox over WebDriver BiDi. Newer Playwrights send it commands that this ESR does not know. */
export async function openFirefox(): Promise<Driven> {
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr' })
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(patience.timeout)
  let isLeaving = false
  const errors = watchErrors(page, () => isLeaving)
  return {
    async open(url) {
      isLeaving = true
      await page.goto(url, { waitUntil: 'commit' }).finally(() => {
        isLeaving = false
      })
      await page.waitForLoadState()
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    evaluate: (work, argument) => page.evaluate(work as never, argument) as never,
    press: (role, name) =>
      page
        .getByRole(role, { name: new RegExp(`^${name}`) })
        .first()
        .click(),
    async fill(label, text) {
      // Key by key, as React does not notice what this Playwright fills in at once.
      const field = page.getByLabel(label, { exact: true })
      await field.press('Control+A')
      await field.pressSequentially(text)
    },
    type: (text, gap = 0) => page.keyboard.type(text, { delay: gap }),
    takeErrors: async () => errors.splice(0),
    close: () => browser.close(),
  }
}

/** Firefox's message for a font whose page was left: NS_BINDING_ABORTED. */
const abortedFont = 'status=2152398850'

/** @param isLeaving whether another page is on its way; what is under way fails then */
function watchErrors(page: Page, isLeaving: () => boolean): string[] {
  const errors: string[] = []
  const add = (text: string) => isLeaving() || text.includes(abortedFont) || errors.push(text)
  page.on('console', (message) => message.type() === 'error' && add(`console: ${message.text()}`))
  page.on('pageerror', ({ message }) => add(message))
  page.on('response', (response) => response.status() >= 400 && errors.push(`${response.status()} ${response.url()}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // A page that is left ends its calls.
    if (!/abort/i.test(why)) add(`${why} ${request.url()}`)
  })
  return errors
}
