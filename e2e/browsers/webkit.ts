import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Library from '@testing-library/dom'
import { Builder, Capabilities, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { vi } from 'vitest'
import { end, freePort } from '../support/processes/program.ts'
import { type Driven, finderSource, patience, type Role } from './driven.ts'

/** Opens WebKitGTK's browser on a screen of its own. */
export async function openWebKit(): Promise<Driven> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-webkit-'))
  // Its bar of buttons would keep the window wider than a phone.
  await mkdir(join(folder, 'gtk-3.0'))
  await writeFile(join(folder, 'gtk-3.0/gtk.css'), '* { min-width: 0; padding: 0; margin: 0; }')
  const screen = await openScreen()
  const port = await freePort()
  const env = { ...process.env, DISPLAY: screen.display, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder }
  const server = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' })
  const driver = await connect(port)
  /** Errors of pages that were left. */
  const errors: string[] = []
  return {
    async open(url) {
      errors.push(...(await run(driver, takeErrors, null)))
      await driver.get(url)
      await run(driver, () => null, null)
    },
    // The size of the window, whose bar takes some of the height.
    async resize(width, height) {
      await driver.manage().window().setRect({ x: 0, y: 0, width, height })
    },
    evaluate: (work, argument) => run(driver, work, argument),
    press: async (role, name) => (await find(driver, { role, name })).click(),
    async fill(label, text) {
      const field = await find(driver, { label })
      await field.clear()
      await field.sendKeys(text)
    },
    async type(text, gap = 0) {
      const keys = driver.actions()
      for (const key of text) {
        keys.sendKeys(key === '\n' ? Key.ENTER : key)
        if (gap > 0) keys.pause(gap)
      }
      await keys.perform()
    },
    takeErrors: async () => [...errors.splice(0), ...(await run(driver, takeErrors, null))],
    async close() {
      await driver.quit()
      await end(server, 'SIGTERM')
      await end(screen.process, 'SIGTERM')
      // Programs that it started go on writing for a moment.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** A virtual screen, at a free number. */
async function openScreen(): Promise<{ process: ChildProcess; display: string }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = (await once(child.stdio[3]!, 'data')) as [Buffer]
  return { process: child, display: `:${number.toString().trim()}` }
}

async function connect(port: number): Promise<WebDriver> {
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(`${url}/status`), patience)
  return new Builder()
    .usingServer(url)
    .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
    .build()
}

/** Runs a function in the page. The page records errors from its first function on, as the protocol reports no console. */
function run<Argument, Result>(driver: WebDriver, work: (argument: Argument) => Result, argument: Argument): Promise<Awaited<Result>> {
  return driver.executeScript(`(${recordErrors})(); return (${work})(arguments[0])`, argument)
}

/** Runs in the page. */
function recordErrors(): void {
  if ('lecternErrors' in window) return
  const errors: string[] = []
  Object.assign(window, { lecternErrors: errors })
  const original = console.error
  console.error = (...parts: unknown[]) => {
    errors.push(`console: ${parts.join(' ')}`)
    original(...parts)
  }
  const { fetch } = window
  window.fetch = async (...call) => {
    const response = await fetch(...call)
    if (!response.ok) errors.push(`${response.status} ${response.url}`)
    return response
  }
  // Errors of pictures and style sheets do not bubble.
  addEventListener('error', ({ message, target }) => errors.push(message ?? `not loaded: ${(target as Element).outerHTML}`), true)
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
}

/** Runs in the page. */
const takeErrors = (): string[] => (window as unknown as { lecternErrors: string[] }).lecternErrors.splice(0)

type Wanted = { role: Role; name: string } | { label: string }

async function find(driver: WebDriver, wanted: Wanted): Promise<WebElement> {
  const look = async () => {
    const found = (await run(driver, findInPage, wanted)) as WebElement | 'no library' | undefined
    if (found !== 'no library') return found ?? null
    await driver.executeScript(finderSource)
    return null
  }
  // A page that is on its way refuses scripts.
  const found = await driver.wait(
    () => look().catch(() => null),
    patience.timeout,
    `Not found: ${JSON.stringify(wanted)}`,
    patience.interval,
  )
  return found as WebElement
}

/** Runs in the page. */
function findInPage(wanted: Wanted): Element | 'no library' | undefined {
  const library = (window as unknown as { TestingLibraryDom?: typeof Library }).TestingLibraryDom
  if (library === undefined) return 'no library'
  return 'label' in wanted
    ? library.queryAllByLabelText(document.body, wanted.label)[0]
    : library.queryAllByRole(document.body, wanted.role, { name: (name: string) => name.startsWith(wanted.name) })[0]
}
