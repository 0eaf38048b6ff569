import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'

const privateMode = 0o600

export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (!handle) return
  try {
    await handle.sync()
  } catch {
    // Windows cannot flush a folder.
  } finally {
    await handle.close()
  }
}

/** After a power cut the file has the old content or the new. */
export async function writeDurably(file: string, data: string | Uint8Array): Promise<void> {
  await writeFileAtomic(file, data, { mode: privateMode })
  await flushFolder(dirname(file))
}

export const writeJson = (file: string, value: unknown): Promise<void> => writeDurably(file, `${JSON.stringify(value, null, 2)}\n`)

export async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Null where there is no such file, or `schema` refuses it. */
export async function readJson<T>(file: string, schema: { safeParse(value: unknown): { success: boolean; data?: T } }): Promise<T | null> {
  const text = await readText(file)
  if (text === null) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
