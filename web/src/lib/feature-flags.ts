import { type FeatureFlag, type FeatureFlags, parseFeatureFlags } from '@lectern/contract/feature-flags.ts'
import { createContext, useContext } from 'react'
import { readStored } from './stored-text.ts'

/** Under which a list of flags may be stored locally. */
export const flagsKey = 'featureFlags'

/**
 * The flags in effect: the build's list, then the server's, then the one stored locally, later ones winning (spec §4).
 * Throws "Invalid value for feature flag …" for a value that is none.
 */
export function readFeatureFlags(built: string, served: string): FeatureFlags {
  return parseFeatureFlags([built, served, readStored(flagsKey) ?? ''], (message) => console.warn(message))
}

const Context = createContext<FeatureFlags | null>(null)

export const FeatureFlagsContext = Context

/** The flags in effect. */
export function useFeatureFlags(): FeatureFlags {
  const flags = useContext(Context)
  if (!flags) throw new Error('useFeatureFlags was used outside its provider')
  return flags
}

/** Whether a feature is on. */
export const useFeatureFlag = (name: FeatureFlag): boolean => useFeatureFlags()[name]
