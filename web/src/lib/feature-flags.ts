import {
  type FeatureFlag,
  type FeatureFlags,
  type InvalidFeatureFlag,
  parseFeatureFlags,
  withoutFlag,
} from '@lectern/contract/feature-flags.ts'
import { createContext, useContext } from 'react'
import { readStored, writeStored } from './stored-text.ts'

export const flagsKey = 'featureFlags'

/**
 * The build's flags, the server's, and the locally stored ones; later ones win (spec §4).
 * @throws "Invalid value for feature flag …"
 */
export function readFeatureFlags(built: string, served: string): FeatureFlags {
  return parseFeatureFlags([built, served, readStored(flagsKey) ?? ''], (message) => console.warn(message))
}

export function isFlagStored(invalid: InvalidFeatureFlag): boolean {
  const stored = readStored(flagsKey) ?? ''
  return withoutFlag(stored, invalid) !== stored
}

/** Removes one flag and keeps the others of the locally stored list. */
export const removeStoredFlag = (invalid: InvalidFeatureFlag): void =>
  writeStored(flagsKey, withoutFlag(readStored(flagsKey) ?? '', invalid))

const Context = createContext<FeatureFlags | null>(null)

export const FeatureFlagsContext = Context

export function useFeatureFlags(): FeatureFlags {
  const flags = useContext(Context)
  if (!flags) throw new Error('useFeatureFlags was used outside its provider')
  return flags
}

export const useFeatureFlag = (name: FeatureFlag): boolean => useFeatureFlags()[name]
