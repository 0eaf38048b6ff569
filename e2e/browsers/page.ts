import { expect } from 'vitest'
import { type Driven, patience } from './driven.ts'

/** Fills in the shown sign-in page of the provider, and waits for the portal. */
export async function signIn(browser: Driven, account: string): Promise<void> {
  await browser.fill('E-mail', account)
  await browser.fill('Password', 'lectern-demo')
  await browser.press('button', 'Sign in')
  await isShown(browser)
}

/** Waits until the page has this text. */
export async function sees(browser: Driven, text: string): Promise<void> {
  await expect.poll(() => browser.evaluate(() => document.body.innerText, null), patience).toContain(text)
}

/** Waits until the portal shows a page and everything that it loads. */
async function isShown(browser: Driven): Promise<void> {
  const isThere = () =>
    document.querySelector('#root h1') !== null && document.querySelector('#frame, .skeleton, [aria-busy=true]') === null
  await expect.poll(() => browser.evaluate(isThere, null), patience).toBe(true)
}

const errorPages = ['Something went wrong', 'Page not found', 'Not allowed', 'No connection', 'No organization', 'Invalid feature flag']

/** The faults of the opened page, a line each. */
export async function pageFaults(browser: Driven): Promise<string[]> {
  const faults: string[] = []
  await isShown(browser).catch(() => faults.push('never shown'))
  const heading = (await browser.evaluate(() => document.querySelector('h1')?.innerText, null)) ?? ''
  if (heading === '' || errorPages.some((one) => heading.startsWith(one))) faults.push(`its heading is "${heading}"`)
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await browser.resize(width, height)
    await expect.poll(() => browser.evaluate(() => innerWidth, null), patience).toBe(width)
    // Charts take another width a moment later.
    const wider = () => browser.evaluate(() => document.documentElement.scrollWidth - innerWidth, null)
    await expect
      .poll(wider, { timeout: 5_000 })
      .toBeLessThanOrEqual(0)
      .catch(async () => faults.push(`${await wider()} px wider than ${width}`))
  }
  return [...faults, ...(await browser.takeErrors())]
}
