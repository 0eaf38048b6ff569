/** RFC 9110. Records with equal parts have equal tags, so the server stores none, and a screen computes one for each row. */
export async function computeEtag(etag: { parse(record: unknown): unknown }, record: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(etag.parse(record)))
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return `"${Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}
