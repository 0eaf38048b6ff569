import { createHash } from 'node:crypto'
import type { ReaderContent } from '../../drivers/driver.ts'
import { simulatedFirmware } from '../../drivers/simulated/reader.ts'

const sha256 = (text: string) => createHash('sha256').update(text, 'latin1').digest('hex')

/** Its chunks are not XMODEM blocks. */
export function makeScript(text: string, more: Partial<ReaderContent> = {}): ReaderContent {
  const bytes = Buffer.from(text, 'latin1')
  return {
    publication: '01a1f94a-7a90-7d0e-9a39-8a1a55f1c9b3',
    kind: 'file',
    version: null,
    contentHash: sha256(text),
    fileName: 'wristband-v8.js',
    size: bytes.length,
    async *open() {
      for (let from = 0; from < bytes.length; from += 700) yield bytes.subarray(from, from + 700)
    },
    ...more,
  }
}

export const makeCfg = (text: string): ReaderContent => makeScript(text, { kind: 'cfg', fileName: null })

export const makeFirmware = (version: string, rest = ''): ReaderContent =>
  makeScript(simulatedFirmware('CR2700', version, rest), { kind: 'firmware', version })
