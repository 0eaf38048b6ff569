import { createHash } from 'node:crypto'
import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { isBatteryLow } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { uuidv7 } from 'uuidv7'

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

const models: Record<UpdateModel, { prefix: string; battery: boolean; firmware: string[] }> = {
  CR1100: { prefix: '11C', battery: false, firmware: ['5.0.2', '5.0.4'] },
  CR2700: { prefix: '27P', battery: true, firmware: ['4.9.8', '4.11.3', '4.12.0'] },
  'A271/2': { prefix: 'A2Z', battery: true, firmware: ['2.6.0', '2.6.1'] },
  CR1500: { prefix: '15M', battery: false, firmware: ['3.7.9', '3.8.2'] },
  CR5200: { prefix: '52F', battery: false, firmware: ['2.1.4', '2.2.0'] },
  V1300: { prefix: 'V13', battery: false, firmware: ['1.4.0'] },
  V4500: { prefix: 'V45', battery: true, firmware: ['1.9.5', '1.9.7'] },
}

interface Place {
  organizationId: string
  zone: { id: string; name: string }
  host: { id: string; name: string } | null
}

export function createDevice(random: () => number, number: number, { organizationId, zone, host }: Place, now: Date) {
  const model = updateModels[Math.floor(random() ** 1.6 * updateModels.length)]!
  const { prefix, battery, firmware } = models[model]
  const age = random()
  const isLost = random() < 0.01 + 0.06 * age
  const lastSeen = new Date(now.getTime() - (isLost ? (3 + random() * 60) * day : random() * random() * 1.5 * day))
  const health = battery ? Math.round(Math.max(4, Math.min(100, 100 - 70 * age * (0.4 + random()) - (isLost ? 25 : 0)))) : null
  const warranty = random() < 0.06 ? null : new Date(now.getTime() + (3.2 - 3.3 * age + random() * 0.2) * 365 * day)
  const version = firmware[Math.min(firmware.length - 1, Math.floor((1 - age * 0.9) * firmware.length))]!
  const hash = random() < 0.2 ? null : createHash('sha256').update(`${zone.name} ${model}`).digest('hex')
  const id = uuidv7()
  return {
    device: {
      id,
      organization_id: organizationId,
      serial_number: `${prefix}${String(600_000 + number * 7 + Math.floor(random() * 7)).padStart(7, '0')}`,
      device_type: model as string,
      zone_id: zone.id,
      zone_name: zone.name,
      host_id: host?.id ?? null,
      host_name: host?.name ?? null,
      warranty_until: warranty?.toISOString().slice(0, 10) ?? null,
      low_battery: isBatteryLow(health),
      firmware_order: versionOrder(version),
      simulated: true,
    },
    state: {
      device_id: id,
      organization_id: organizationId,
      last_seen_at: lastSeen,
      last_updated_at: new Date(now.getTime() - (1 + age * 200) * day),
      battery_health: health,
      current_config: hash && configurationLabel(null, hash),
      config_hash: hash,
      current_firmware: version,
      firmware_order: versionOrder(version),
      low_battery: isBatteryLow(health),
    },
  }
}
