import { patterns } from '../paths.ts'

const root = patterns.device.replace(':serialNumber', '')

/** The serial number in the path of a reader's page, or null. The router's own decoding takes an encoded %2F for a slash. */
export function readSerial(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname.slice(root.length).replace(/\/$/, ''))
  } catch {
    return null
  }
}
