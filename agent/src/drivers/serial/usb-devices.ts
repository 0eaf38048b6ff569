import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toWords } from './dialect.ts'

const mostWords = 60

/** The vendor's id on USB (D014465 p. 8). */
export const vendorId = '11fa'
/** A reader that waits for new firmware, or a modem that does: nothing else is sent there. */
export const bootloaderId = '0207'

/** Product ids of interfaces that take no commands (D014465 p. 8). */
const interfaces: Readonly<Record<string, string>> = {
  '0200': 'types as a keyboard',
  '0201': 'is in IBM POS mode',
  '0202': 'is in HID mode',
  '0206': 'is in HID POS mode',
}
const symbol =
  'Scan the setting M20226 (CMMOSCMUC), which makes it a serial port. A listing has it for CR950, CR1100, CR1500, CR5200 and CR8200; for a CR2700 none is published.'

/** Where Linux lists the devices of USB. */
export const usbFolder = '/sys/bus/usb/devices'

export interface UsbReader {
  path: string
  says: string
}

/** The vendor's readers on USB that are no serial ports, with what makes them one. None where the folder is missing. */
export async function listOtherInterfaces(folder: string = usbFolder): Promise<UsbReader[]> {
  const names = await readdir(folder).catch(() => [])
  const found: UsbReader[] = []
  for (const name of names.toSorted()) {
    const read = async (file: string) => (await readFile(join(folder, name, file), 'latin1').catch(() => '')).trim()
    if ((await read('idVendor')).toLowerCase() !== vendorId) continue
    const what = interfaces[(await read('idProduct')).toLowerCase()]
    if (what === undefined) continue
    const product = toWords(await read('product'), mostWords)
    found.push({
      path: `USB ${toWords(name, mostWords)}`,
      says: `The reader${product && ` "${product}"`} ${what}, so it takes no commands. ${symbol}`,
    })
  }
  return found
}
