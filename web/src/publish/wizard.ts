import { cfgProblem } from '@lectern/contract/cfg.ts'
import { type UpdateModel, updateModels } from '@lectern/contract/device-models.ts'
import { defaultUpdateTime } from '@lectern/contract/update-time.ts'

/** A golden-standard configuration, as a reader printed it. */
export type CfgConfig = { type: 'cfg'; text: string }

/** A CodeRules file. `data` is a data-URL, or the file's bytes where it is larger than 1 MiB (decisions.md). */
export type FileConfig = { type: 'file'; data: string | Blob | null; fileName: string | null }

/** What a device model shall run (spec §3). */
export type DeviceConfig = CfgConfig | FileConfig | { type: 'none' }

/** Which firmware a device model shall run (spec §3). */
export type DeviceFirmware =
  | { type: 'latest' }
  | { type: 'versioned'; version: string }
  | { type: 'custom'; data: string | Blob | null; fileName: string | null }
  | { type: 'none' }

type Part<Choice> = { enabled: boolean; choice: Choice }

/** One device model of the wizard; a part that was never enabled is missing. */
export type DeviceState = { config?: Part<DeviceConfig>; firmware?: Part<DeviceFirmware> }

export type Devices = Partial<Record<UpdateModel, DeviceState>>

/** The zone as it was called when it was chosen, so that it can be named after somebody has deleted it. */
export type ConfigZone = { id: string; name: string }

/**
 * What became of sending a model's choice. `key` is its Idempotency-Key: one key for one content, zone and time, however often it is sent.
 * Without `outcome` nobody knows whether it arrived.
 */
export type Attempt = { key: string; outcome?: { published: true } | { published: false; message: string } }

/** State of the configuration wizard (spec §3). */
export type WizardState = {
  devices: Devices
  configZone: ConfigZone | null
  updateTime: string
  /** What stands on a model's page and was not saved by Next yet. */
  drafts: Partial<Record<UpdateModel, DeviceConfig>>
  attempts: Partial<Record<UpdateModel, Attempt>>
}

export const initialWizard: WizardState = { devices: {}, configZone: null, updateTime: defaultUpdateTime, drafts: {}, attempts: {} }

export type WizardAction =
  | { type: 'zone'; zone: ConfigZone | null }
  | { type: 'updateTime'; updateTime: string }
  | { type: 'enableConfig'; device: UpdateModel; enabled: boolean }
  | { type: 'configType'; device: UpdateModel; configType: 'cfg' | 'file' }
  | { type: 'draft'; device: UpdateModel; config: DeviceConfig }
  | { type: 'saveConfig'; device: UpdateModel }
  | { type: 'sending'; keys: Partial<Record<UpdateModel, string>> }
  | { type: 'settled'; device: UpdateModel; outcome: NonNullable<Attempt['outcome']> }

/** The empty choice of a type: a new CFG has no text, a new file no name (spec §3). */
export function emptyConfig<Type extends 'cfg' | 'file'>(type: Type): Extract<CfgConfig | FileConfig, { type: Type }>
export function emptyConfig(type: 'cfg' | 'file'): CfgConfig | FileConfig {
  return type === 'cfg' ? { type, text: '' } : { type, data: null, fileName: null }
}

/** The next state. Whatever changes what would be sent forgets how sending the former went. */
export function wizard(state: WizardState, action: WizardAction): WizardState {
  switch (action.type) {
    case 'zone':
      return action.zone?.id === state.configZone?.id ? state : { ...state, configZone: action.zone, attempts: {} }
    case 'updateTime':
      return action.updateTime === state.updateTime ? state : { ...state, updateTime: action.updateTime, attempts: {} }
    case 'enableConfig':
      return action.enabled === hasConfig(state, action.device) ? state : enableConfig(state, action.device, action.enabled)
    case 'configType': {
      const config = emptyConfig(action.configType)
      return { ...state, drafts: { ...state.drafts, [action.device]: config } }
    }
    case 'draft':
      return { ...state, drafts: { ...state.drafts, [action.device]: action.config } }
    case 'saveConfig':
      return saveConfig(state, action.device)
    case 'sending': {
      const sent = Object.entries(action.keys).map(([device, key]) => [device, { key }])
      return { ...state, attempts: { ...state.attempts, ...Object.fromEntries(sent) } }
    }
    case 'settled': {
      const attempt = state.attempts[action.device]
      // Changed while it was on its way: what came back is about something else.
      if (!attempt) return state
      return { ...state, attempts: { ...state.attempts, [action.device]: { ...attempt, outcome: action.outcome } } }
    }
  }
}

/** Enabling sets an empty CFG, disabling clears it (spec §4). */
function enableConfig(state: WizardState, device: UpdateModel, enabled: boolean): WizardState {
  const choice: DeviceConfig = enabled ? emptyConfig('cfg') : { type: 'none' }
  const devices = { ...state.devices, [device]: { ...state.devices[device], config: { enabled, choice } } }
  return { ...state, devices, drafts: without(state.drafts, device), attempts: without(state.attempts, device) }
}

function saveConfig(state: WizardState, device: UpdateModel): WizardState {
  const choice = pageConfig(state, device)
  const before = state.devices[device]?.config
  const same = before?.enabled === true && sameConfig(before.choice, choice)
  const devices = { ...state.devices, [device]: { ...state.devices[device], config: { enabled: true, choice } } }
  return { ...state, devices, drafts: without(state.drafts, device), attempts: same ? state.attempts : without(state.attempts, device) }
}

function without<Value>(record: Partial<Record<UpdateModel, Value>>, device: UpdateModel): Partial<Record<UpdateModel, Value>> {
  const { [device]: _, ...rest } = record
  return rest as Partial<Record<UpdateModel, Value>>
}

function sameConfig(one: DeviceConfig, other: DeviceConfig): boolean {
  if (one.type === 'cfg' && other.type === 'cfg') return one.text === other.text
  if (one.type === 'file' && other.type === 'file') return one.fileName === other.fileName && one.data === other.data
  return false
}

/** Whether a model takes part in the configuration summary: exactly if it has config (spec §3). */
export function hasConfig(state: WizardState, device: UpdateModel): boolean {
  const config = state.devices[device]?.config
  return config?.enabled === true && config.choice.type !== 'none'
}

/** The models of the configuration summary, in the order of the grid. */
export const configuredDevices = (state: WizardState): UpdateModel[] => updateModels.filter((device) => hasConfig(state, device))

/** What a model's page shows: its draft, else what Next saved. Throws "config can't be null for current page" (spec §5). */
export function pageConfig(state: WizardState, device: UpdateModel): CfgConfig | FileConfig {
  const saved = hasConfig(state, device) ? state.devices[device]?.config?.choice : undefined
  const config = saved && (state.drafts[device] ?? saved)
  if (!config || config.type === 'none') throw new Error("config can't be null for current page")
  return config
}

/** The zone to publish to. Throws "no location" when none is set (spec §5). */
export function location(state: WizardState): ConfigZone {
  if (!state.configZone) throw new Error('no location')
  return state.configZone
}

/** Why a choice cannot be published, in words; null when it can. */
export function configProblem(config: CfgConfig | FileConfig): string | null {
  if (config.type === 'cfg') return cfgProblem(config.text)
  return config.data === null || config.fileName === null ? 'Choose a .js file first.' : null
}

/** Whether Next has saved a publishable choice and the page has nothing newer. */
export function isSaved(state: WizardState, device: UpdateModel): boolean {
  const choice = hasConfig(state, device) ? state.devices[device]?.config?.choice : undefined
  if (!choice || choice.type === 'none' || configProblem(choice) !== null) return false
  const draft = state.drafts[device]
  return draft === undefined || sameConfig(draft, choice)
}

/** Models that Publish would send: all of the summary that are not known to be published. */
export const unpublished = (state: WizardState): UpdateModel[] =>
  configuredDevices(state).filter((device) => state.attempts[device]?.outcome?.published !== true)

/** Whether leaving would lose something. */
export const hasWork = (state: WizardState): boolean => unpublished(state).length > 0 || Object.keys(state.drafts).length > 0
