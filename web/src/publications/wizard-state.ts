import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import type { SafetyFields } from '@lectern/contract/publications/phases.ts'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import {
  type ChosenConfig,
  configProblem,
  type DeviceConfig,
  type DeviceFirmware,
  emptyConfig,
  type PartName,
  type Piece,
  type PieceName,
  pieceName,
  sameConfig,
  sameFirmware,
} from './content/choices.ts'
import { type FirmwareAction, firmwareProblem, reduceFirmware } from './content/firmware-choice.ts'
import type { ManyZones } from './many/chosen-zones.ts'

interface Ticked<Choice> {
  enabled: boolean
  choice: Choice
}

/** What is chosen for a model. A part is absent until it was first enabled. */
export interface DeviceState {
  config?: Ticked<DeviceConfig>
  firmware?: Ticked<DeviceFirmware>
}

export type Devices = Partial<Record<UpdateModel, DeviceState>>

/**
 * The chosen zone. Its name is stored, so that a zone that is deleted can still be named. `many`: given for several zones. Then `id` is that of
 * the first one, and `name` is "12 zones".
 */
export interface ConfigZone {
  id: string
  name: string
  many?: ManyZones
}

/** Returns null where no zone is chosen. One zone, chosen without a filter, becomes a single zone. */
export function toConfigZone(many: ManyZones): ConfigZone | null {
  const [first] = many.zones
  if (!first) return null
  if (many.zones.length === 1 && !many.filter) return first
  return { id: first.id, name: counted(many.zones.length, 'zone'), many }
}

/**
 * An attempt to publish a piece. `key`: its Idempotency-Key, which stays for the same content, zone and time. `outcome`: absent while it is not
 * known whether the piece arrived.
 */
export interface Attempt {
  key: string
  outcome?: { published: true } | { published: false; message: string }
}

type Attempts = Partial<Record<PieceName, Attempt>>

export interface WizardState {
  devices: Devices
  configZone: ConfigZone | null
  /** `at`: at the update time. The update time stays while this is `now`. */
  when: 'now' | 'at'
  updateTime: string
  /** The user agreed to begin outside the maintenance windows. */
  outsideWindow: boolean
  /** The user agreed to publish to zones without a host PC. */
  withoutHost: boolean
  /** The user agreed to publish much without phases. */
  withoutPhases: boolean
  /** When the user last agreed to the time, in milliseconds since 1970; null: not yet. The chosen run is the next one from then on. */
  plannedAt: number | null
  /** Undefined or '' where the rollout gets no name. */
  rolloutName?: string
  /** Limits and phases; null: the organization's. */
  safety: PublishingDefaults | null
  /** Choices that Next has not saved yet. */
  edits: Partial<Record<UpdateModel, DeviceConfig>>
  attempts: Attempts
  /** The rollout's id; null until a piece was sent. Another zone, time, limit or phase resets it. */
  rollout: string | null
}

export const isTimeMissing = ({ when, updateTime }: WizardState): boolean => when === 'at' && updateTime === ''

export const initialWizard: WizardState = {
  devices: {},
  configZone: null,
  when: 'at',
  updateTime: defaultUpdateTime,
  outsideWindow: false,
  withoutHost: false,
  withoutPhases: false,
  plannedAt: null,
  safety: null,
  edits: {},
  attempts: {},
  rollout: null,
}

/** Returns the chosen limits and phases; {} where those of the organization hold. */
export function pickSafety({ safety }: WizardState): SafetyFields {
  if (!safety) return {}
  const { phases, ...limits } = safety
  return { limits, phases }
}

/** Returns the name that the rollout gets; undefined for none. */
export const pickName = ({ rolloutName }: WizardState): string | undefined => rolloutName || undefined

/** Whether a piece was or may have been published. The rollout's name can no longer be changed then. */
export const isPartlySent = ({ attempts }: WizardState): boolean =>
  Object.values(attempts).some(({ outcome }) => outcome?.published !== false)

export type WizardAction =
  | { type: 'zone'; zone: ConfigZone | null }
  | { type: 'when'; when: WizardState['when'] }
  | { type: 'updateTime'; updateTime: string }
  | { type: 'planned'; at: number }
  | { type: 'outsideWindow' }
  | { type: 'safety'; safety: PublishingDefaults | null }
  | { type: 'rolloutName'; name: string }
  | { type: 'withoutHost' }
  | { type: 'withoutPhases' }
  | ({ type: 'enable'; enabled: boolean } & Piece)
  | { type: 'configType'; device: UpdateModel; configType: ChosenConfig['type'] }
  | { type: 'edit'; device: UpdateModel; config: DeviceConfig }
  | { type: 'saveConfig'; device: UpdateModel }
  | { type: 'firmware'; device: UpdateModel; action: FirmwareAction }
  | { type: 'sending'; keys: Partial<Record<PieceName, string>>; rollout: string }
  | { type: 'answered'; piece: Piece; outcome: NonNullable<Attempt['outcome']> }

/** Returns the state after an action. An action that changes what is sent drops the attempts to send it. */
export function reduceWizard(state: WizardState, action: WizardAction): WizardState {
  switch (action.type) {
    case 'zone':
      return action.zone?.id === state.configZone?.id && !action.zone?.many && !state.configZone?.many
        ? state
        : { ...state, configZone: action.zone, outsideWindow: false, withoutHost: false, withoutPhases: false, attempts: {}, rollout: null }
    case 'updateTime':
      return action.updateTime === state.updateTime ? state : { ...state, updateTime: action.updateTime, attempts: {}, rollout: null }
    case 'when':
      return action.when === state.when ? state : { ...state, when: action.when, outsideWindow: false, attempts: {}, rollout: null }
    case 'outsideWindow':
      return state.outsideWindow ? state : { ...state, outsideWindow: true, attempts: listPublished(state.attempts) }
    case 'safety':
      return { ...state, safety: action.safety, withoutPhases: false, attempts: {}, rollout: null }
    case 'rolloutName':
      return action.name === (state.rolloutName ?? '')
        ? state
        : { ...state, rolloutName: action.name, attempts: listPublished(state.attempts) }
    case 'withoutHost':
      return { ...state, withoutHost: true }
    case 'withoutPhases':
      return { ...state, withoutPhases: true }
    case 'planned':
      return { ...state, plannedAt: action.at }
    case 'enable':
      return action.enabled === hasPiece(state, action) ? state : enable(state, action, action.enabled)
    case 'configType': {
      const config = emptyConfig(action.configType)
      return { ...state, edits: { ...state.edits, [action.device]: config } }
    }
    case 'edit':
      return { ...state, edits: { ...state.edits, [action.device]: action.config } }
    case 'saveConfig':
      return saveConfig(state, action.device)
    case 'firmware':
      return chooseFirmware(state, action.device, action.action)
    case 'sending': {
      const sent = Object.entries(action.keys).map(([name, key]) => [name, { key }])
      return { ...state, attempts: { ...state.attempts, ...Object.fromEntries(sent) }, rollout: action.rollout }
    }
    case 'answered': {
      const name = pieceName(action.piece)
      const attempt = state.attempts[name]
      // The piece was changed while it was sent.
      if (!attempt) return state
      return { ...state, attempts: { ...state.attempts, [name]: { ...attempt, outcome: action.outcome } } }
    }
  }
}

/** Returns the attempts that succeeded. All other pieces are sent with new keys then. */
const listPublished = (attempts: Attempts): Attempts =>
  Object.fromEntries(Object.entries(attempts).filter(([, { outcome }]) => outcome?.published === true))

/** Enables or disables a part of a model. Enabling chooses an empty CFG, or the latest firmware; disabling clears the choice (spec §4). */
function enable(state: WizardState, { part, device }: Piece, enabled: boolean): WizardState {
  const choice = !enabled ? { type: 'none' } : part === 'config' ? emptyConfig('cfg') : { type: 'latest' }
  const devices = { ...state.devices, [device]: { ...state.devices[device], [part]: { enabled, choice } } }
  const edits = part === 'config' ? omit(state.edits, device) : state.edits
  return { ...state, devices, edits, attempts: omit(state.attempts, pieceName({ part, device })) }
}

function saveConfig(state: WizardState, device: UpdateModel): WizardState {
  const choice = getPageConfig(state, device)
  const before = state.devices[device]?.config
  const same = before?.enabled === true && sameConfig(before.choice, choice)
  const devices = { ...state.devices, [device]: { ...state.devices[device], config: { enabled: true, choice } } }
  const attempts = same ? state.attempts : omit(state.attempts, `config ${device}`)
  return { ...state, devices, edits: omit(state.edits, device), attempts }
}

function chooseFirmware(state: WizardState, device: UpdateModel, action: FirmwareAction): WizardState {
  if (!hasPiece(state, { part: 'firmware', device })) return state
  const before = getPageFirmware(state, device)
  const choice = reduceFirmware(before, action)
  if (sameFirmware(choice, before)) return state
  const devices = { ...state.devices, [device]: { ...state.devices[device], firmware: { enabled: true, choice } } }
  return { ...state, devices, attempts: omit(state.attempts, `firmware ${device}`) }
}

function omit<Key extends string, Value>(record: Partial<Record<Key, Value>>, key: Key): Partial<Record<Key, Value>> {
  const { [key]: _, ...rest } = record
  return rest as Partial<Record<Key, Value>>
}

/** Whether the part is chosen for the model (spec §3). */
export function hasPiece(state: WizardState, { part, device }: Piece): boolean {
  const chosen = state.devices[device]?.[part]
  return chosen?.enabled === true && chosen.choice.type !== 'none'
}

export const chosenModels = (state: WizardState, part: PartName): UpdateModel[] =>
  updateModels.filter((device) => hasPiece(state, { part, device }))

/** Lists all chosen pieces, by models in the order of the grid. A model's configuration is before its firmware. */
export const listPieces = (state: WizardState): Piece[] =>
  updateModels.flatMap((device) =>
    (['config', 'firmware'] as const).map((part) => ({ part, device })).filter((piece) => hasPiece(state, piece)),
  )

/**
 * Returns what the model's page shows: the edit, else what Next saved.
 * @throws "config can't be null for current page" (spec §5)
 */
export function getPageConfig(state: WizardState, device: UpdateModel): ChosenConfig {
  const saved = hasPiece(state, { part: 'config', device }) ? state.devices[device]?.config?.choice : undefined
  const config = saved && (state.edits[device] ?? saved)
  if (!config || config.type === 'none') throw new Error("config can't be null for current page")
  return config
}

/**
 * Returns the model's firmware.
 * @throws "firmware can't be null for current page" where it is not enabled (spec §5)
 */
export function getPageFirmware(state: WizardState, device: UpdateModel): Exclude<DeviceFirmware, { type: 'none' }> {
  const firmware = hasPiece(state, { part: 'firmware', device }) ? state.devices[device]?.firmware?.choice : undefined
  if (!firmware || firmware.type === 'none') throw new Error("firmware can't be null for current page")
  return firmware
}

/**
 * Returns the chosen zone.
 * @throws "no location" where none is chosen (spec §5)
 */
export function getZone(state: WizardState): ConfigZone {
  if (!state.configZone) throw new Error('no location')
  return state.configZone
}

/** Whether a piece can be published. A configuration can once Next has saved it, while its page has no newer edit. */
export function isReady(state: WizardState, { part, device }: Piece): boolean {
  if (!hasPiece(state, { part, device })) return false
  if (part === 'firmware') return firmwareProblem(getPageFirmware(state, device)) === null
  const choice = state.devices[device]?.config?.choice
  if (!choice || choice.type === 'none' || configProblem(choice) !== null) return false
  const edit = state.edits[device]
  return edit === undefined || sameConfig(edit, choice)
}

export const listUnpublished = (state: WizardState): Piece[] =>
  listPieces(state).filter((piece) => state.attempts[pieceName(piece)]?.outcome?.published !== true)

export const hasWork = (state: WizardState): boolean => listUnpublished(state).length > 0 || Object.keys(state.edits).length > 0
