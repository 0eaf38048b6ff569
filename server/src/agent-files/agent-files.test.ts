import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../testing/server.ts'

const debian = 'lectern-agent_1.2.3_amd64.deb'
const content = 'the package'
const sha256 = createHash('sha256').update(content).digest('hex')

/** A server with a folder of packages, in which one file is named and there. */
async function startWithFiles(files: readonly { name: string; bytes: number; sha256: string }[] = [{ name: debian, bytes: 11, sha256 }]) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-files-'))
  writeFileSync(join(folder, debian), content)
  // Fields that the portal does not know are passed over.
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: '1.2.3', node: '26.0.0', files, programs: [] }))
  const server = await startServer({ environment: { AGENT_FILES: folder } })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const get = (name: string, headers: Record<string, string> = {}) => server.fetch(`/api/agent-files/${name}`, { headers })
  return { folder, server, get }
}

test('[AGT-12] a package is downloaded without signing in, as an attachment, whole and in pieces', async () => {
  const { get } = await startWithFiles()
  const whole = await get(debian)
  expect([whole.status, await whole.text()]).toEqual([200, content])
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${debian}"`,
    'content-length': '11',
    'accept-ranges': 'bytes',
    'cache-control': 'public, no-cache',
    etag: `"${sha256}"`,
    'x-content-type-options': 'nosniff',
  })
  const piece = await get(debian, { range: 'bytes=4-' })
  expect([piece.status, piece.headers.get('content-range'), await piece.text()]).toEqual([206, 'bytes 4-10/11', 'package'])
  const beyond = await get(debian, { range: 'bytes=11-' })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */11'])
})

test('[AGT-12] a name without a version is the newest package, and no file is read for a HEAD', async () => {
  const older = { name: 'lectern-agent_1.2.2_amd64.deb', bytes: 1, sha256 }
  const { server, get } = await startWithFiles([older, { name: debian, bytes: 11, sha256 }])
  const latest = await get('lectern-agent.deb')
  expect([latest.status, latest.headers.get('content-disposition'), await latest.text()]).toEqual([
    200,
    'attachment; filename="lectern-agent.deb"',
    content,
  ])
  expect((await get('lectern-agent-windows.zip')).status).toBe(404)
  expect((await server.fetch(`/api/agent-files/${debian}`, { method: 'HEAD' })).status).toBe(404)
})

test('[AGT-12] who is signed in reads names, sizes and hashes; nobody else does', async () => {
  const { server } = await startWithFiles()
  const person = await server.person()
  expect((await person.call('listAgentFiles')).body).toEqual({
    manifest: { version: '1.2.3', files: [{ name: debian, bytes: 11, sha256 }] },
  })
  expect((await server.fetch('/api/agent-files')).status).toBe(401)
})

test('[AGT-12] only files that the manifest names are served, and no link', async () => {
  const linked = { name: 'linked.deb', bytes: 11, sha256 }
  const { folder, get } = await startWithFiles([{ name: debian, bytes: 11, sha256 }, linked, { ...linked, name: 'gone.deb' }])
  writeFileSync(join(folder, 'other.deb'), content)
  symlinkSync(join(folder, debian), join(folder, 'linked.deb'))
  for (const name of ['other.deb', 'linked.deb', 'gone.deb', 'manifest.json', '..%2Fmanifest.json', '%2Fetc%2Fpasswd'])
    expect([name, (await get(name)).status]).toEqual([name, name.includes('%') ? 400 : 404])
})

test('[AGT-12] a file that has not the size of the manifest is not handed out half', async () => {
  const { get } = await startWithFiles([{ name: debian, bytes: 12, sha256 }])
  const refused = await get(debian)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await refused.json()).toMatchObject({
    code: 'agent-file-incomplete',
    detail: `${debian} is not the file that the manifest names. It may be uploading: try again in a minute.`,
  })
})

test('[AGT-12] a damaged manifest is said, and a portal without packages has none', async () => {
  const { folder, server } = await startWithFiles()
  writeFileSync(join(folder, 'manifest.json'), '{')
  utimesSync(join(folder, 'manifest.json'), 1, 1)
  const person = await server.person()
  expect((await person.call('listAgentFiles')).problem?.detail).toBe(
    'The packages of the app cannot be listed: their manifest.json is missing or damaged.',
  )
  const other = await startServer()
  onTestFinished(other.stop)
  expect((await (await other.person()).call('listAgentFiles')).body).toEqual({ manifest: null })
  expect((await other.fetch(`/api/agent-files/${debian}`)).status).toBe(404)
})
