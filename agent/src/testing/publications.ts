import { createHash } from 'node:crypto'
import type { Desired, DesiredConfiguration, DesiredFirmware } from '@lectern/contract/hosts.ts'
import { always } from '@lectern/contract/schedule/open-times.ts'
import type { Content } from '../state/contents.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A script for CR2700. */
export const makeConfiguration = (revision: number, script: string, more: Partial<DesiredConfiguration> = {}): DesiredConfiguration => ({
  publication: `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`,
  deviceType: 'CR2700',
  revision,
  content: 'file',
  contentHash: sha256(script),
  size: script.length,
  fileName: `v${revision}.js`,
  updateTime: '02:00',
  stopTime: null,
  startDate: null,
  publishedAt: new Date(Date.UTC(2026, 0, 10, 12, 0, revision)).toISOString(),
  atOnce: false,
  halted: false,
  admitted: null,
  except: [],
  ...more,
})

/** Firmware for CR2700. */
export function makeFirmware(revision: number, text: string, more: Partial<DesiredFirmware> = {}): DesiredFirmware {
  const { content: _, ...publication } = makeConfiguration(revision, text)
  const id = `00000000-0000-4000-9000-${String(revision).padStart(12, '0')}`
  return { ...publication, publication: id, version: `5.${revision}.0`, fileName: `v${revision}.crvfw`, previous: [], ...more }
}

/** The server's answer to `getDesired`. */
export const makeDesired = (parts: Partial<Desired>): Desired => ({
  zoneId: 'zone',
  zoneName: 'ICU',
  withdrawals: 0,
  configurations: [],
  firmware: [],
  returns: { configurations: [], firmware: [] },
  reapplications: [],
  // Fleets of other tests have old batteries, so none is too low here.
  minBattery: 0,
  openTimes: always,
  ...parts,
})

export async function readAll({ open }: Pick<Content, 'open'>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of open()) chunks.push(chunk)
  return Buffer.concat(chunks)
}
