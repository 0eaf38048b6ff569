import { createHash } from 'node:crypto'
import type { ReaderContent } from '../../drivers/driver.ts'
import { simulatedFirmware } from '../../drivers/simulated/firmware.ts'

const hashBody = (text: string) => createHash('sha256').update(text, 'latin1').digest('hex')

/** A script that is handed to a reader; its chunks are not blocks. */
export function scriptOf(text: string, more: Partial<ReaderContent> = {}): ReaderContent {
  const bytes = Buffer.from(text, 'latin1')
  return {
    publication: '01a1f94a-7a90-7d0e-9a39-8a1a55f1c9b3',
    kind: 'file',
    version: null,
    contentHash: hashBody(text),
    fileName: 'wristband-v8.js',
    size: bytes.length,
    async *open() {
      for (let from = 0; from < bytes.length; from += 700) yield bytes.subarray(from, from + 700)
    },
    ...more,
  }
}

export const makeCfg = (text: string): ReaderContent => scriptOf(text, { kind: 'cfg', fileName: null })

export const getFirmware = (version: string, rest = ''): ReaderContent =>
  scriptOf(simulatedFirmware('CR2700', version, rest), { kind: 'firmware', version })
