import { type Browser, chromium } from 'playwright-core'

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
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
