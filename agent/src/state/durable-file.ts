import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'

/** Only the account the agent runs as may read what the agent keeps. */
const privateMode = 0o600

/** Flushes a folder's entries, so that a rename in it survives a power cut. Not every system lets a folder be opened. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (!handle) return
  try {
    await handle.sync()
  } catch {
    // Windows, and some network file systems: the rename is as durable as they make it.
  } finally {
    await handle.close()
  }
}

/** Replaces a file so that a power cut leaves the old content or the new one, never a mixture. */
export async function writeDurably(file: string, data: string | Uint8Array): Promise<void> {
  await writeFileAtomic(file, data, { mode: privateMode })
  await flushFolder(dirname(file))
}

export const writeJson = (file: string, value: unknown): Promise<void> => writeDurably(file, `${JSON.stringify(value, null, 2)}\n`)

/** The file's text, or null where there is none. */
export async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** What a JSON file holds when `schema` accepts it; null where there is none or it holds something else. */
export async function readJson<T>(file: string, schema: { safeParse(value: unknown): { success: boolean; data?: T } }): Promise<T | null> {
  const text = await readText(file)
  if (text === null) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
