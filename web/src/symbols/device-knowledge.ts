import { type BuilderDevice, builderDevices, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { type Reading, readCommands } from './read/reading.ts'

export interface DeviceReading {
  device: BuilderDevice
  reading: Reading
}

/** The commands for each reader, the reader first that knows most of them. */
export function readForEachDevice(catalogue: Catalogue, commands: readonly string[]): DeviceReading[] {
  const readings = builderDevices.map((device) => ({ device, reading: readCommands(catalogue, device, commands) }))
  return readings.toSorted((a, b) => a.reading.unknown.length - b.reading.unknown.length)
}
