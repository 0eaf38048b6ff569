import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { simulatedDriver } from '@lectern/contract/hosts.ts'
import { type Driver, type ReaderContent, ReaderUnreachable } from '../driver.ts'
import type { FactoryReader } from './fleet.ts'
import { createReaders, type SimulatedReader } from './reader.ts'

/** Readers that end with this process. What they run is stored in `folder`, so that they continue with it. */
export function inProcessDriver(folder: string, fleet: readonly FactoryReader[], applyMilliseconds: number): Driver {
  const logs = join(folder, 'readers')
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const readers = createReaders(logs, fleet, applyMilliseconds)
  const getReader = (serialNumber: string): SimulatedReader => {
    const reader = readers.get(serialNumber)
    if (!reader) throw new ReaderUnreachable(`There is no reader ${serialNumber}.`)
    return reader
  }
  return {
    name: simulatedDriver,
    list: async () => [...readers.values()].map((reader) => reader.state()),
    read: (serialNumber) => getReader(serialNumber).settled(),
    async apply(serialNumber, { open, ...content }, signal, progress) {
      let sent = 0
      const onBytes = (bytes: number) => {
        sent += bytes
        progress?.(sent)
      }
      await getReader(serialNumber).apply(content, count(open(), onBytes), signal)
      if (signal.aborted || sent < content.size) throw new ReaderUnreachable('The update was cut off.')
    },
    close: async () => {},
  }
}

async function* count(bytes: ReturnType<ReaderContent['open']>, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.length)
    yield chunk
  }
}
