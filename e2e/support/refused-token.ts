import type { BrowserContext, Page, Request } from 'playwright-core'

/**
 * Makes the API refuse the first access token that `calls` carry (default: those of device management), as if it had just expired. A
 * renewed one is accepted. `onRefusal` runs before the first refusal is sent.
 */
export async function refuseFirstToken(
  context: BrowserContext,
  onRefusal: () => Promise<unknown> = async () => {},
  calls = '**/api/codedm/**',
): Promise<void> {
  let refused: string | null = null
  let prepared: Promise<unknown> | undefined
  await context.route(calls, async (route) => {
    const token = await route.request().headerValue('authorization')
    refused ??= token
    if (token !== refused) return route.fallback()
    prepared ??= onRefusal()
    await prepared
    const body = JSON.stringify({ type: 'about:blank', title: 'Not signed in', status: 401 })
    return route.fulfill({ status: 401, contentType: 'application/problem+json', body })
  })
}

/** The grant a token request asks for; undefined for other requests. */
export const readGrant = (request: Request): string | undefined =>
  new URL(request.url()).pathname === '/oauth/token' ? (new URLSearchParams(request.postData() ?? '').get('grant_type') ?? '') : undefined

/** The queries of the authorization requests a page makes from now on. */
export function authorizations(page: Page): URLSearchParams[] {
  const seen: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/authorize') seen.push(searchParams)
  })
  return seen
}
