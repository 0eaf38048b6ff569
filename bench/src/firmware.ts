import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Portal } from './portal.ts'
import { endProgram, startProgram } from './programs.ts'

const megabyte = 1024 ** 2
const megabytes = Number(process.env.FIRMWARE_MB ?? 1024)
/** Megabytes by which the server may grow, however large the file. */
const allowedGrowth = 64

/** Bytes of which no two megabytes are alike. */
function* content(): Generator<Buffer<ArrayBuffer>> {
  for (let part = 0; part < megabytes; part++) {
    const bytes = Buffer.alloc(megabyte, part % 251)
    bytes.writeUInt32LE(part)
    yield bytes
  }
}

function* multipart(fields: Record<string, string>): Generator<Buffer<ArrayBuffer>> {
  for (const [name, value] of Object.entries(fields))
    yield Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="bench.crvfw"\r\n\r\n')
  yield* content()
  yield Buffer.from('\r\n--b--\r\n')
}

const streamRequest = (parts: Iterable<Uint8Array<ArrayBuffer>>) =>
  ({ method: 'POST', body: ReadableStream.from(parts), duplex: 'half' }) as RequestInit

async function hashBody(response: Response): Promise<string> {
  const digest = createHash('sha256')
  for await (const part of response.body as ReadableStream<Uint8Array>) digest.update(part)
  return digest.digest('hex')
}

/** Milliseconds between two looks at the memory. */
const every = 25

async function readMemory(pid: number): Promise<number> {
  const kilobytes =
    process.platform === 'linux'
      ? /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
      : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
  return Number(kilobytes) * 1024
}

/** How long `work` takes, and how far the memory of a process grows during it. */
async function growthDuring(pid: number, work: () => Promise<void>): Promise<{ seconds: number; bytes: number }> {
  const before = await readMemory(pid)
  let highest = before
  let isRunning = true
  const watching = (async () => {
    while (isRunning) {
      highest = Math.max(highest, await readMemory(pid))
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  })()
  const start = performance.now()
  try {
    await work()
  } finally {
    isRunning = false
    await watching
  }
  return { seconds: (performance.now() - start) / 1000, bytes: highest - before }
}

async function line(label: string, pid: number, work: () => Promise<void>): Promise<number> {
  const { seconds, bytes } = await growthDuring(pid, work)
  const grown = bytes / megabyte
  const cells = [`${grown.toFixed(1)} MB`, `${seconds.toFixed(1)} s`, `${(megabytes / seconds).toFixed(0)} MB/s`]
  process.stdout.write(`${label.padEnd(52)}${cells.map((cell) => cell.padStart(14)).join('')}\n`)
  return grown
}

/** Uploads and downloads a release of a gigabyte: how far the server's memory grows, compared with Node's own streams. */
export async function benchFirmware(portal: Portal): Promise<void> {
  const hash = createHash('sha256')
  for (const part of content()) hash.update(part)
  const contentHash = hash.digest('hex')
  process.stdout.write(
    `${`Firmware of ${megabytes} MB`.padEnd(52)}${['memory', 'time', 'rate'].map((head) => head.padStart(14)).join('')}\n`,
  )

  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const bare = await startProgram('bench/src/bare-server.ts', [join(folder, 'file')], {}, 'listening on')
  const address = `http://127.0.0.1:${bare.line.split(' ').at(-1)}`
  const barePid = bare.child.pid as number
  await line('bare stream: upload', barePid, async () => void (await (await fetch(address, streamRequest(content()))).text()))
  await line('bare stream: download', barePid, async () => void (await hashBody(await fetch(address))))
  await endProgram(bare.child, 'signal')
  await rm(folder, { recursive: true })

  const upload = (fields: Record<string, string>) =>
    portal.send('/api/lectern/admin/firmware', {
      ...streamRequest(multipart(fields)),
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
  const grownIn = await line('Lectern: upload of a release', portal.pid, async () => {
    const release = (await (await upload({ device: 'CR2700', version: '1.0' })).json()) as { contentHash: string }
    if (release.contentHash !== contentHash) throw new Error('The release is not what was sent.')
  })
  const credential = await publishToHost(portal)
  const grownOut = await line('Lectern: download by a host', portal.pid, async () => {
    const response = await portal.send(`/api/agent/content/${contentHash}`, { headers: { 'accept-encoding': 'identity' } }, credential)
    if ((await hashBody(response)) !== contentHash) throw new Error('The download is not what was sent.')
  })
  for (const [what, grown] of [
    ['upload', grownIn],
    ['download', grownOut],
  ] as const) {
    const isFlat = grown <= allowedGrowth
    if (!isFlat) process.exitCode = 1
    process.stdout.write(`${isFlat ? 'ok' : 'TOO MUCH'}: ${what} ${grown.toFixed(1)} MB, ${allowedGrowth} allowed\n`)
  }
}

async function publishToHost({ client, send }: Portal): Promise<string> {
  const [organization, zoneId, licence, credential] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await client.query('insert into organization (public_id, name) values ($1, $1)', [organization])
  await client.query('insert into zone (public_id, organization_id, name) select $1, id, $3 from organization where public_id = $2', [
    zoneId,
    organization,
    'Bench',
  ])
  await client.query(
    `with l as (insert into licence (id, organization_id, licence_number) select $1, id, $3 from organization where public_id = $2 returning *)
     insert into licence_owner (organization_id, licence_id, licence_number) select organization_id, id, licence_number from l`,
    [randomUUID(), organization, licence],
  )
  const post = (path: string, body: unknown, bearer?: string) =>
    send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }, bearer)
  const zone = `/api/codedm/organization/${organization}/location/${zoneId}`
  await post(`${zone}/device/CR2700/firmware/version`, { firmwareVersion: 'latest' })
  const credentialHash = createHash('sha256').update(credential).digest('hex')
  const host = { zoneId, hostName: 'BENCH-01', timeZone: 'Europe/Berlin', agentVersion: '1.0.0', credentialHash }
  await post('/api/agent/enroll', host, licence)
  return credential
}
