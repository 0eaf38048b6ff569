/** RFC 9110. Equal parts have equal tags: the server stores none, and a screen has one for every row that it shows. */
export async function computeEtag(etag: { parse(record: unknown): unknown }, record: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(etag.parse(record)))
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return `"${Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}
