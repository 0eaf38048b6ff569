import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContext } from './support/processes/browser.ts'
import { manager, type Stack, signIn, startStack } from './support/processes/stack.ts'
import { readGrant, refuseFirstToken } from './support/refused-token.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const main = (page: Page) => page.getByRole('main')
const forgetRefreshTokens = () => stack.sql(`delete from idp_record where model = 'RefreshToken'`)
const forgetSessions = () => stack.sql(`delete from idp_record where model in ('RefreshToken', 'Session')`)

/** Signs in to the zones in a context that `prepare` has changed. */
async function open(prepare: (context: BrowserContext, page: Page) => Promise<unknown>): Promise<Page> {
  const context = await openContext(stack.browser)
  const page = await context.newPage()
  await prepare(context, page)
  await page.goto(`${stack.url}/codedm/zones`)
  await signIn(page, manager)
  await page.waitForURL(`${stack.url}/codedm/zones`)
  return page
}

/** Grants asked for in a context, as they are. */
function grants(context: BrowserContext): string[] {
  const seen: string[] = []
  context.on('request', (request) => {
    const grant = readGrant(request)
    if (grant !== undefined) seen.push(grant)
  })
  return seen
}

const zoneList = (page: Page) => page.getByText('Show all')

describe('a refused access token', () => {
  test('[ACC-06 ACC-12 ACC-13 FET-01] is renewed by the refresh token, without anybody noticing', async () => {
    let seen: string[] = []
    const page = await open((context) => {
      seen = grants(context)
      return refuseFirstToken(context)
    })
    await zoneList(page).waitFor()
    expect(seen).toEqual(['authorization_code', 'refresh_token'])
    await page.context().close()
  })

  test('[ACC-12] is replaced by one whose permissions the screens follow', async () => {
    const [account] = await stack.sql<{ permissions: string[] }>('select permissions from idp_account where email = $1', [manager])
    const page = await open((context) =>
      refuseFirstToken(context, () =>
        stack.sql(`update idp_account set permissions = '{global:access:organizations}' where email = $1`, [manager]),
      ),
    )
    await zoneList(page).waitFor()
    await page.getByRole('link', { name: 'All Organizations', exact: true }).first().waitFor()
    await stack.sql('update idp_account set permissions = $2 where email = $1', [manager, account?.permissions])
    await page.context().close()
  })

  test('[ACC-14] whose refresh token is invalid is replaced through a hidden frame with prompt=none', async () => {
    const frames: string[] = []
    const page = await open((context, page) => {
      page.on('request', (request) => request.url().includes('prompt=none') && frames.push(request.url()))
      return refuseFirstToken(context, forgetRefreshTokens)
    })
    await zoneList(page).waitFor()
    expect(frames).toHaveLength(1)
    await page.context().close()
  })

  test('[ACC-35] and the frame is removed 2 s after the reply', async () => {
    const page = await open(async (context, page) => {
      await page.addInitScript(() => {
        if (window !== window.top) return
        const times = { reply: 0, removed: 0 }
        Object.assign(window, { times })
        addEventListener('message', ({ data }) => {
          if (data?.type === 'authorization_response') times.reply = performance.now()
        })
        new MutationObserver((records) => {
          for (const node of records.flatMap((record) => [...record.removedNodes]))
            if (node instanceof HTMLIFrameElement) times.removed = performance.now()
        }).observe(document, { subtree: true, childList: true })
      })
      await refuseFirstToken(context, forgetRefreshTokens)
    })
    type Times = { times: { reply: number; removed: number } }
    await page.waitForFunction(() => (window as unknown as Times).times.removed > 0)
    const { reply, removed } = await page.evaluate(() => (window as unknown as Times).times)
    expect(removed - reply).toBeGreaterThan(1_950)
    expect(removed - reply).toBeLessThan(3_000)
    await page.context().close()
  })

  test('[ACC-16] without a session at the provider, it logs the person out where they are', async () => {
    const page = await open((context) => refuseFirstToken(context, forgetSessions))
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    expect(page.url()).toBe(`${stack.url}/codedm/zones`)
    expect(await zoneList(page).count()).toBe(0)
    const cookies = await page.context().cookies()
    expect(cookies.some(({ name }) => name.endsWith('is.authenticated'))).toBe(false)
    await page.context().close()
  })

  test('[ACC-24] in a cross-origin isolated page it says why no frame can be used', async () => {
    const page = await open(async (context, page) => {
      await page.addInitScript(() => Object.defineProperty(window, 'crossOriginIsolated', { value: true }))
      await refuseFirstToken(context, forgetRefreshTokens)
    })
    await main(page)
      .getByText(
        'The application is running in a Cross-Origin Isolated context, silently retrieving a token without refresh token is not possible.',
      )
      .waitFor()
    await page.context().close()
  })

  test('[ACC-20] a silent answer with another state fails with "Invalid state"', async () => {
    const page = await open(async (context) => {
      await context.route('**/authorize?*prompt=none*', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<script>parent.postMessage({ type: 'authorization_response', response: { code: 'c', state: 'another' } }, '${stack.url}')</script>`,
        }),
      )
      await refuseFirstToken(context, forgetRefreshTokens)
    })
    await main(page).getByText('Invalid state').waitFor()
    await page.context().close()
  })

  test('[ACC-22 ACC-27] whose renewal meets no answer three times fails with "Get access token failed"', async () => {
    let attempts = 0
    const page = await open(async (context) => {
      await context.route('**/oauth/token', (route) => {
        if (readGrant(route.request()) !== 'refresh_token') return route.fallback()
        attempts += 1
        return route.abort()
      })
      await refuseFirstToken(context)
    })
    await main(page).getByText('Get access token failed').waitFor()
    // The list of zones is one of several calls. Each retrieves a token for itself once the one before has failed.
    expect(attempts % 3).toBe(0)
    expect(attempts).toBeGreaterThan(0)
    await page.context().close()
  })

  test('[ACC-29] a token request that is not answered is made again after 10 s', async () => {
    const times: number[] = []
    const page = await open(async (context) => {
      await context.route('**/oauth/token', (route) => {
        if (readGrant(route.request()) !== 'refresh_token') return route.fallback()
        times.push(performance.now())
        return times.length === 1 ? undefined : route.fallback()
      })
      await refuseFirstToken(context)
    })
    await zoneList(page).waitFor()
    const [first = 0, second = 0] = times
    expect(second - first).toBeGreaterThan(9_900)
    expect(second - first).toBeLessThan(12_000)
    await page.context().close()
  })

  test('[ACC-34] a hidden frame that is not answered is given up after 60 s', async () => {
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const page = await open(async (context, page) => {
      await page.clock.install()
      await context.route('**/authorize?*prompt=none*', () => asked())
      await refuseFirstToken(context, forgetRefreshTokens)
    })
    await isAsked
    await page.clock.fastForward(58_000)
    expect(await page.locator('iframe').count()).toBe(1)
    await page.clock.fastForward(3_000)
    await main(page).getByText('Timeout').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await page.context().close()
  })

  test('[ACC-33] waits for the lock another tab holds, 10 times 5 s', async () => {
    const page = await open(async (context, page) => {
      await page.clock.install()
      await page.addInitScript(() => {
        const read = Storage.prototype.getItem
        Storage.prototype.getItem = function (key) {
          const value = read.call(this, key)
          if (value?.includes('another tab')) document.documentElement.dataset.heldLock = 'seen'
          return value
        }
      })
      await refuseFirstToken(context, () =>
        page.evaluate(() => {
          const [audience, client] = ['urn:lectern:api', 'lectern-web']
          const held = { id: 'another tab', iat: 'x', timeoutKey: 'y', timeAcquired: Date.now(), timeRefreshed: Date.now() + 3_600_000 }
          localStorage.setItem(`browser-tabs-lock-key-auth0.lock.getTokenSilently.${client}.${audience}`, JSON.stringify(held))
        }),
      )
    })
    await page.locator('[data-held-lock]').waitFor()
    await page.clock.runFor(47_000)
    expect(await main(page).getByText('Timeout').count()).toBe(0)
    await page.clock.runFor(8_000)
    await main(page).getByText('Timeout').waitFor()
    await page.context().close()
  })
})

test('a page that is left while it takes the lock leaves none behind; another tab’s stays', async () => {
  const first = await stack.page(manager, '/codedm/zones')
  const page = await first.context().newPage()
  await page.addInitScript(() => {
    const store = Storage.prototype.setItem
    const locks = () => Object.keys(localStorage).filter((key) => key.startsWith('browser-tabs-lock-key'))
    if (!sessionStorage.getItem('left')) {
      Storage.prototype.setItem = function (key, value) {
        store.call(this, key, value)
        if (!key.startsWith('browser-tabs-lock-key')) return
        store.call(sessionStorage, 'left', key)
        location.reload()
      }
    } else if (top === window) store.call(sessionStorage, 'found', JSON.stringify(locks()))
  })
  await first.evaluate(() => localStorage.setItem('browser-tabs-lock-key-of-another-tab', '{}'))
  await page.goto(`${stack.url}/codedm/zones`)
  await page.waitForFunction(() => sessionStorage.getItem('found') !== null)
  expect(await page.evaluate(() => sessionStorage.getItem('left'))).toContain('getTokenSilently')
  expect(await page.evaluate(() => sessionStorage.getItem('found'))).toBe('["browser-tabs-lock-key-of-another-tab"]')
  await zoneList(page).waitFor()
  await page.context().close()
})

test('[ACC-36] a kept access token is used until 60 s before its time, then renewed', async () => {
  const context = await openContext(stack.browser)
  const page = await context.newPage()
  await page.goto(`${stack.url}/codedm`)
  const signedIn = page.waitForResponse((response) => readGrant(response.request()) === 'authorization_code')
  await signIn(page, manager)
  const { expires_in: lifetime } = (await (await signedIn).json()) as { expires_in: number }
  const start = Date.now()
  const seen = grants(context)
  await page.getByRole('heading', { name: 'Device Management' }).waitFor()
  /** Makes the page call the API so many seconds before the token's end. */
  const callAt = async (secondsBefore: number, tab: string, call: string) => {
    await page.clock.setFixedTime(start + (lifetime - secondsBefore) * 1_000)
    const answered = page.waitForResponse((response) => response.url().includes(call) && response.ok())
    await page.getByRole('link', { name: tab, exact: true }).click()
    await answered
  }
  await callAt(70, 'Zones', '/locations/overview')
  expect(seen).toEqual([])
  await callAt(50, 'Devices', '/devices?')
  expect(seen).toEqual(['refresh_token'])
  await context.close()
})
