/**
 * The file name of a Content-Disposition header; `filename*` (RFC 6266) counts first. Undefined without one. Only the last part of a path
 * is taken.
 */
export function parseFileName(disposition: string | null): string | undefined {
  if (disposition === null) return undefined
  const name = extended(disposition) ?? plain(disposition)
  return name?.split(/[/\\]/).at(-1)?.trim() || undefined
}

function extended(disposition: string): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

function plain(disposition: string): string | undefined {
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? token
}
