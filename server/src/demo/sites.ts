import { createHash } from 'node:crypto'
import { formatCommandLines } from '@lectern/contract/barcode/commands.ts'
import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import type { SimulatedReaderSpec } from '@lectern/contract/hosts.ts'
import { versionName } from '@lectern/contract/publications/version-name.ts'
import { models } from './fleet.ts'

const [code128, dataMatrix, no2Of5] = ['SYC128SEN1', 'SYDATMSEN1', 'SYI2O5SEN0']
const beep = (volume: number) => ['GR', 'CB', 'CM', 'ER'].map((event) => `FB${event}SVO${volume}`)

export const wristband = {
  name: 'Wristband',
  device: 'CR2700',
  note: 'Of every CR2700 that reads patients. Version 3 is for the night: a low beep, and the reader vibrates.',
  versions: [
    [code128, dataMatrix, ...beep(100)],
    [code128, dataMatrix, no2Of5, ...beep(20)],
    [code128, dataMatrix, no2Of5, ...beep(3), 'FBVBSEN1', 'FBINSBE1'],
  ],
} as const
export const quietDesk = {
  name: 'Quiet desk',
  device: 'CR1100',
  note: 'For desks beside a waiting room.',
  versions: [[code128, ...beep(0)]],
} as const

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
// What a site's readers run from the factory.
const delivered = {
  wristband: { contentHash: sha256(formatCommandLines(wristband.versions[1])), fileName: versionName(wristband.name, 2) },
  specimen: { contentHash: sha256('specimen-v4.js'), fileName: 'specimen-v4.js' },
}

const cities = [
  ['Boise', 'BOI', 'America/Denver'],
  ['Eugene', 'EUG', 'America/Los_Angeles'],
  ['Portland', 'PDX', 'America/Los_Angeles'],
  ['Sacramento', 'SMF', 'America/Los_Angeles'],
  ['Salt Lake City', 'SLC', 'America/Denver'],
  ['Seattle', 'SEA', 'America/Los_Angeles'],
  ['Spokane', 'GEG', 'America/Los_Angeles'],
] as const
const kinds: readonly (readonly [kind: string, code: string, readers: Partial<Record<UpdateModel, number>>])[] = [
  ['Clinic', 'CLINIC', { CR2700: 6, CR1500: 2, V4500: 2 }],
  ['Laboratory', 'LAB', { CR2700: 3, CR5200: 2, 'A271/2': 2, CR1500: 1 }],
  ['Pharmacy', 'PHARM', { CR1500: 4, CR2700: 2, CR1100: 2 }],
  ['Urgent Care', 'UC', { CR2700: 4, V1300: 1, CR1100: 1 }],
]

interface Site {
  name: string
  tags: readonly string[]
  hostName: string
  timeZone: string
  readers: readonly SimulatedReaderSpec[]
}

export const wardTags = ['Portland', 'Hospital']

/** Always the same ones. */
export const sites: readonly Site[] = cities.flatMap(([city, cityCode, timeZone], place) =>
  kinds.map(([kind, kindCode, counts], number) => ({
    name: `${city} ${kind}`,
    tags: [city, kind],
    hostName: `NRH-${cityCode}-${kindCode}`,
    timeZone,
    readers: updateModels
      .flatMap((model) => Array<UpdateModel>(counts[model] ?? 0).fill(model))
      .map((model, reader) => createSiteReader(model, (place * kinds.length + number) * 16 + reader, kind)),
  })),
)

function createSiteReader(deviceType: UpdateModel, number: number, kind: string): SimulatedReaderSpec {
  const { prefix, battery, firmware } = models[deviceType]
  return {
    serialNumber: `${prefix}0${700_000 + number * 7}`,
    deviceType,
    firmware: (number % 3 === 0 ? firmware[0] : firmware.at(-1)) ?? 'unknown',
    configuration: deviceType === 'CR2700' ? delivered.wristband : number % 5 === 0 ? null : delivered.specimen,
    warrantyUntil: number % 11 === 0 ? null : `${2027 + (number % 3)}-06-30`,
    battery: battery ? { health: 70 + (number % 28), lossPerYear: 0, phase: 0 } : null,
    // Readers that fail on purpose, so that the gate of the demo's firmware rollout halts it.
    refuses: kind === 'Pharmacy' && deviceType === 'CR1500' && number % 3 === 0,
  }
}
