import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser asks for a page, whose address may have any name in it. Files are asked for by pages, which take no HTML in their
 * place.
 */
export function isPage({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  if (!['GET', 'HEAD'].includes(method) || url.startsWith('/api/')) return false
  return headers.accept?.includes('text/html') === true || !/\.\w+$/.test(url.split('?')[0] ?? '')
}

/** Encodes each percent sign that encodes nothing, as where a person typed the address. */
export function encodePercentSigns(url: string): string {
  const [path = '', ...query] = url.split('?')
  const parts = path.split('/').map((part) => (isDecodable(part) ? part : part.replaceAll('%', '%25')))
  // "//host" names another host.
  return [parts.join('/').replace(/^\/+/, '/'), ...query].join('?')
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
