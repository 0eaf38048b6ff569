import { createHash } from 'node:crypto'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { ReportedConfiguration, ReportedDevice, SimulatedReaderSpec } from '@lectern/contract/hosts.ts'

export type FactoryReader = Readonly<SimulatedReaderSpec>

interface ModelTraits {
  readonly prefix: string
  readonly digits: 6 | 7
  readonly firmware: readonly string[]
  readonly isCorded: boolean
}

const traits: Record<UpdateModel, ModelTraits> = {
  CR1100: { prefix: '11C', digits: 7, firmware: ['5.0.4', '5.0.4', '5.0.1'], isCorded: true },
  CR2700: { prefix: '27P', digits: 7, firmware: ['4.12.0', '4.12.0', '4.11.3'], isCorded: false },
  'A271/2': { prefix: 'A2Z', digits: 7, firmware: ['2.6.1', '2.6.1', '2.5.0'], isCorded: false },
  CR1500: { prefix: '15M', digits: 7, firmware: ['3.8.2', '3.8.2', '3.7.9'], isCorded: true },
  CR5200: { prefix: '52F', digits: 7, firmware: ['2.2.0', '2.2.0', '2.1.4'], isCorded: true },
  V1300: { prefix: 'V13D', digits: 6, firmware: ['1.4.2', '1.4.0'], isCorded: false },
  V4500: { prefix: 'V45B', digits: 6, firmware: ['1.9.7', '1.9.7', '1.9.5'], isCorded: false },
}

const spread: readonly UpdateModel[] = [
  'CR2700',
  'CR1500',
  'A271/2',
  'V4500',
  'CR5200',
  'CR1100',
  'V1300',
  'CR2700',
  'CR2700',
  'CR1500',
  'CR1100',
  'CR2700',
  'A271/2',
  'CR2700',
  'V4500',
  'CR5200',
  'CR2700',
  'CR1500',
  'CR1100',
  'CR2700',
]

const scripts = ['wristband-v7.js', 'wristband-v6.js', 'specimen-v4.js', 'pallet-sscc-v5.js', 'implant-udi-v2.js']

function* numbersFrom(text: string): Generator<number, never> {
  for (let round = 0; ; round += 1) {
    const bytes = createHash('sha256').update(`${text} ${round}`).digest()
    for (let at = 0; at < 32; at += 4) yield bytes.readUInt32BE(at) / 2 ** 32
  }
}

/** Each of 100 seeds has a block of numbers. The step is prime to the block's size, so no number occurs twice. */
function makeSerialNumber(model: UpdateModel, seed: number, index: number): string {
  const { prefix, digits } = traits[model]
  const block = 10 ** (digits - 2)
  const [start] = numbersFrom(`${seed} ${model}`)
  const number = (seed % 100) * block + ((Math.floor(start! * block) + index * 7919) % block)
  return prefix + String(number).padStart(digits, '0')
}

/** In a larger fleet a serial number would occur twice. */
export const largestFleet = 50_000

export function createFleet(seed: number, readers: number, failShare = 0): FactoryReader[] {
  const counts = new Map<UpdateModel, number>()
  return Array.from({ length: readers }, (_, number) => {
    const deviceType = spread[number % spread.length]!
    const index = counts.get(deviceType) ?? 0
    counts.set(deviceType, index + 1)
    return createReader(deviceType, seed, index, failShare)
  })
}

function createReader(deviceType: UpdateModel, seed: number, index: number, failShare: number): FactoryReader {
  const serial = makeSerialNumber(deviceType, seed, index)
  const { firmware, isCorded } = traits[deviceType]
  const numbers = numbersFrom(`${seed} ${serial}`)
  const next = () => numbers.next().value
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const script = pick(scripts)
  const isConfigured = next() > 0.2
  const warrantyDays = Math.floor(next() * 4 * 365)
  const isWarrantyKnown = next() > 0.05
  return {
    serialNumber: serial,
    deviceType,
    firmware: pick(firmware),
    configuration: isConfigured ? { contentHash: createHash('sha256').update(script).digest('hex'), fileName: script } : null,
    warrantyUntil: isWarrantyKnown ? new Date(anchor + warrantyDays * day).toISOString().slice(0, 10) : null,
    // Most batteries are good, a few are nearly done.
    battery: isCorded ? null : { health: 100 - 85 * next() ** 2, lossPerYear: 6 + 10 * next(), phase: next() },
    refuses: next() < failShare,
  }
}

const day = 24 * 60 * 60 * 1000
const anchor = Date.UTC(2026, 0, 1)

/** Per cent; null for a corded reader. It falls over the years and varies during the day. */
export function batteryAt({ battery }: FactoryReader, at: Date): number | null {
  if (!battery) return null
  const days = (at.getTime() - anchor) / day
  const health = battery.health - (battery.lossPerYear * days) / 365 + 1.5 * Math.sin(2 * Math.PI * (days + battery.phase))
  return Math.round(Math.min(100, Math.max(3, health)))
}

export interface Running {
  readonly firmware: string | null
  readonly configuration: ReportedConfiguration | null
}

export const toReport = (reader: FactoryReader, running: Running, at: Date): ReportedDevice => ({
  serialNumber: reader.serialNumber,
  deviceType: reader.deviceType,
  ...running,
  batteryHealth: batteryAt(reader, at),
  warrantyUntil: reader.warrantyUntil,
})
