import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

let browser: Promise<Browser> | undefined

/** The browser of all files that this process tests. It ends with the process. */
export function openBrowser(): Promise<Browser> {
  browser ??= launchBrowser()
  return browser
}

/** A browser beside that one: it has a core to itself where there are two. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
    args: [
      // A second page of a context is no second process.
      '--process-per-site',
      '--no-sandbox',
      '--disable-gpu',
      // A page lives too shortly for optimized code to pay.
      '--js-flags=--no-opt --no-maglev',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** The size of pages for which a test asks no other. */
export const standardViewport = { width: 1440, height: 900 }

/**
 * A browser context with reduced motion and data saving: tests wait for what they look at and not for animations, and pages fetch nothing
 * ahead.
 */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: standardViewport, reducedMotion: 'reduce', ...options })
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  return context
}
