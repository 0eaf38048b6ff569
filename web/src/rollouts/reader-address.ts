import { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { ReaderState } from '@lectern/contract/rollouts.ts'
import { Uuid } from '@lectern/contract/text/text.ts'

/** Which readers of a rollout are shown, as the page's address has it. */
export interface ReaderView {
  zone: string | undefined
  model: DeviceModel | undefined
  state: ReaderState | undefined
  text: string
  /** From 0. */
  page: number
}

export const everyReader: ReaderView = { zone: undefined, model: undefined, state: undefined, text: '', page: 0 }

/** What an address shows; what it says wrongly is not there. */
export function readReaders(address: URLSearchParams): ReaderView {
  const page = Number(address.get('page') ?? 1)
  return {
    zone: Uuid.safeParse(address.get('zone')).data,
    model: DeviceModel.safeParse(address.get('model')).data,
    state: ReaderState.safeParse(address.get('state')).data,
    text: (address.get('text') ?? '').slice(0, 64),
    page: Number.isInteger(page) && page > 0 && page < 1_000_000 ? page - 1 : 0,
  }
}

/** The address of a view; what shows everything stays away. */
export function writeReaders({ zone, model, state, text, page }: ReaderView): URLSearchParams {
  const all = { zone, model, state, text: text || undefined, page: page > 0 ? String(page + 1) : undefined }
  return new URLSearchParams(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
