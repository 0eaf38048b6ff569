import type { FileConfig } from '../content/choices.ts'

/** In bytes. Up to this size a file is stored as a data-URL, above it as its bytes. */
const dataUrlLimit = 1024 * 1024

export const scriptType = 'text/javascript'

/**
 * Reads a script. Its content is copied, so that the file may be moved afterwards.
 * @throws where it cannot be read
 */
export async function readFileConfig(file: File): Promise<FileConfig> {
  const bytes = new Blob([await file.arrayBuffer()], { type: scriptType })
  return { type: 'file', data: bytes.size <= dataUrlLimit ? await readDataUrl(bytes) : bytes, fileName: file.name }
}

export const formatUnreadable = ({ name }: File): string =>
  `The file ${name} could not be read. It may have been moved or changed: choose it again.`

/**
 * Checks that a file can be read, as it may have been moved since it was chosen.
 * @throws Error with a sentence where it cannot
 */
export async function checkReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new Error(formatUnreadable(file))
  }
}

function readDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

/** Returns the chosen file; null where none is. */
export function toFile({ data, fileName }: FileConfig): File | null {
  if (data === null || fileName === null) return null
  // The content security policy forbids fetching data-URLs.
  const content = typeof data === 'string' ? Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (byte) => byte.charCodeAt(0)) : data
  return new File([content], fileName, { type: scriptType, lastModified: 0 })
}
