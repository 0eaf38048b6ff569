const root = '/codedm/devices/'

/** The path of a reader's page. A serial number may hold anything; a dot would make it look like a file. */
export const deviceAddress = (serialNumber: string): string => `${root}${encodeURIComponent(serialNumber).replaceAll('.', '%2E')}`

/** The serial number in the path of a reader's page, or null. The router's own decoding takes an encoded %2F for a slash. */
export function serialAt(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname.slice(root.length).replace(/\/$/, ''))
  } catch {
    return null
  }
}

/** What the link of a dashboard's row hands over: the dashboard's query, for the way back. */
export interface CameFrom {
  dashboard: string
}
