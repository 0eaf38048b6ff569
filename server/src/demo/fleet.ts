import { createHash } from 'node:crypto'
import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { isBatteryLow } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import type { SeededDevice } from './sql.ts'

const day = 86_400_000

/** Returns numbers from 0 to below 1, always the same for a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const models: Record<UpdateModel, { prefix: string; battery: boolean; firmware: string[] }> = {
  CR1100: { prefix: '11C', battery: false, firmware: ['5.0.2', '5.0.4'] },
  CR2700: { prefix: '27P', battery: true, firmware: ['4.9.8', '4.11.3', '4.12.0'] },
  'A271/2': { prefix: 'A2Z', battery: true, firmware: ['2.6.0', '2.6.1'] },
  CR1500: { prefix: '15M', battery: false, firmware: ['3.7.9', '3.8.2'] },
  CR5200: { prefix: '52F', battery: false, firmware: ['2.1.4', '2.2.0'] },
  V1300: { prefix: 'V13', battery: false, firmware: ['1.4.0'] },
  V4500: { prefix: 'V45', battery: true, firmware: ['1.9.5', '1.9.7'] },
}

interface Place {
  organizationId: number
  zone: { id: number; name: string }
  hostId: number
}

export function createDevice(random: () => number, number: number, { organizationId, zone, hostId }: Place, now: Date): SeededDevice {
  const model = updateModels[Math.floor(random() ** 1.6 * updateModels.length)]!
  const { prefix, battery, firmware } = models[model]
  const age = random()
  const isLost = random() < 0.01 + 0.06 * age
  const lastSeen = new Date(now.getTime() - (isLost ? (3 + random() * 60) * day : random() * random() * 1.5 * day))
  const health = battery ? Math.round(Math.max(4, Math.min(100, 100 - 70 * age * (0.4 + random()) - (isLost ? 25 : 0)))) : null
  const warranty = random() < 0.06 ? null : new Date(now.getTime() + (3.2 - 3.3 * age + random() * 0.2) * 365 * day)
  const version = firmware[Math.min(firmware.length - 1, Math.floor((1 - age * 0.9) * firmware.length))]!
  const hash = random() < 0.2 ? null : createHash('sha256').update(`${zone.name} ${model}`).digest('hex')
  return {
    device: {
      organization_id: organizationId,
      serial_number: `${prefix}${String(600_000 + number * 7 + Math.floor(random() * 7)).padStart(7, '0')}`,
      device_type: model as string,
      zone_id: zone.id,
      host_id: hostId,
      warranty_until: warranty?.toISOString().slice(0, 10) ?? null,
      low_battery: isBatteryLow(health),
      simulated: true,
      last_seen_at: lastSeen,
      last_updated_at: new Date(now.getTime() - (1 + age * 200) * day),
      battery_health: health,
    },
    firmware: { version, version_order: versionOrder(version) },
    configuration: hash === null ? null : { label: configurationLabel(null, hash), content_hash: hash },
  }
}
