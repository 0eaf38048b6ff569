import { patterns } from '../paths.ts'

const root = patterns.device.replace(':serialNumber', '')

/** Reads the serial number from the path of a reader's page; null where there is none. The router would take an encoded %2F for a slash. */
export function readSerial(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname.slice(root.length).replace(/\/$/, ''))
  } catch {
    return null
  }
}
