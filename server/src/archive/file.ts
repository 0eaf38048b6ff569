import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar'
import { z } from 'zod'

const format = 1
const manifestName = 'manifest.json'
const endName = 'end.json'
const largestNote = 4 * 1024 * 1024

export type Manifest = z.infer<typeof Manifest>
const Manifest = z.object({
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  // Each table with its columns, and each enum with its labels in their order.
  tables: z.record(z.string(), z.array(z.string())),
  enums: z.record(z.string(), z.array(z.string())),
  // Each sequence with the last number that it has given.
  sequences: z.record(z.string(), z.number()),
})

// Adds a file to an archive. Its body has exactly `size` bytes.
export type Add = (name: string, size: number, body: AsyncIterable<Buffer> | readonly Buffer[]) => Promise<void>

export interface Entry {
  name: string
  // Must be read before the next entry is asked for.
  body: AsyncIterable<Buffer>
}

/**
 * Writes a tar compressed by zstd: the manifest, what `fill` adds, and a hash of both. The file gets its name only when it is complete.
 * @throws Error with a sentence where the file exists already
 */
export async function writeArchive(path: string, manifest: Manifest, fill: (add: Add) => Promise<void>): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new Error(`${path} is there already. Name another file.`)
  const part = `${path}.part`
  const { readable, controller } = createTarPacker()
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const written = pipe(readable as ReadableStream, compress, createWriteStream(part, { mode: 0o600, flush: true }))
  const hash = createHash('sha256')
  const add: Add = async (name, size, body) => {
    begin(hash, name)
    const writer = controller.add({ name, size, mode: 0o600 }).getWriter()
    for await (const chunk of body) {
      hash.update(chunk)
      await writer.write(chunk)
    }
    await writer.close()
  }
  const addNote = (name: string, note: object) => {
    const bytes = Buffer.from(`${JSON.stringify(note)}\n`)
    return add(name, bytes.length, [bytes])
  }
  try {
    await addNote(manifestName, { format, ...manifest })
    await fill(add)
    await addNote(endName, { sha256: hash.copy().digest('hex') })
    controller.finalize()
    await written
    await rename(part, path)
  } catch (error) {
    controller.error(error)
    await written.catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}

/**
 * Reads an archive: its manifest, then its entries. The hash comes last, so nothing of it is certain before all entries were read.
 * @throws Error with a sentence: no archive, of a newer version, damaged, cut off
 */
export async function* readArchive(path: string): AsyncGenerator<Manifest | Entry, void, undefined> {
  const hash = createHash('sha256')
  let isFirst = true
  for await (const { header, body } of openEntries(path)) {
    const { name } = header
    if (isFirst !== (name === manifestName)) throw new Error(`${path} is no archive of Lectern.`)
    const before = hash.copy().digest('hex')
    begin(hash, name)
    const chunks = update(hash, refuseDamage(path, body))
    if (name === endName) {
      const { sha256 } = (await readNote(path, chunks)) as { sha256?: unknown }
      if (sha256 !== before) throw damaged(path)
      return
    }
    yield isFirst ? parseManifest(path, await readNote(path, chunks)) : { name, body: chunks }
    isFirst = false
  }
  throw damaged(path)
}

function begin(hash: Hash, name: string): void {
  hash.update(`\0${name}\0`)
}

async function* update(hash: Hash, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}

async function* openEntries(path: string): AsyncGenerator<ParsedTarEntry> {
  await access(path).catch(() => {
    throw new Error(`There is no file ${path} that can be read.`)
  })
  const decompress = createZstdDecompress()
  pipeline(createReadStream(path), decompress, () => {})
  yield* refuseDamage(path, ReadableStream.from<Uint8Array>(decompress).pipeThrough(createTarDecoder({ strict: true })))
}

async function* refuseDamage<Part>(path: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const iterator = parts[Symbol.asyncIterator]()
  const next = () =>
    iterator.next().catch((cause: unknown) => {
      throw damaged(path, cause)
    })
  try {
    for (let step = await next(); !step.done; step = await next()) yield step.value
  } finally {
    await iterator.return?.().catch(() => {})
  }
}

async function readNote(path: string, chunks: AsyncIterable<Buffer>): Promise<unknown> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > largestNote) throw damaged(path)
    parts.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch (cause) {
    throw damaged(path, cause)
  }
}

function parseManifest(path: string, note: unknown): Manifest {
  const made = z.object({ format: z.number() }).safeParse(note)
  if (made.data && made.data.format > format) throw new Error(`${path} is of a newer version. Restore it with that version.`)
  const manifest = Manifest.safeParse(note)
  if (!manifest.success) throw new Error(`${path} is no archive of Lectern.`)
  return manifest.data
}

const damaged = (path: string, cause?: unknown) =>
  new Error(`${path} is no archive of Lectern, or it is damaged or cut off. Nothing was restored.`, { cause })
