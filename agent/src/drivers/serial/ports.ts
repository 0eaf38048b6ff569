import { SerialPort } from 'serialport'
import { sentence } from '../../sentence.ts'
import { ReaderUnreachable } from '../driver.ts'

/** The serial ports that hang on USB, as they are now; others may be anything, and are spoken to only where somebody has named them. */
export async function usbPorts(): Promise<string[]> {
  try {
    return (await SerialPort.list()).filter(({ vendorId }) => vendorId !== undefined).map(({ path }) => path)
  } catch (error) {
    throw new ReaderUnreachable(`The serial ports of this PC cannot be listed; name them with --port. ${sentence(error)}`)
  }
}
