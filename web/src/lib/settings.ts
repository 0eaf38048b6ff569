import type { PublicSettings } from '@lectern/contract/system.ts'
import { createContext, useContext } from 'react'

const Context = createContext<PublicSettings | null>(null)

export const SettingsContext = Context

export function useSettings(): PublicSettings {
  const settings = useContext(Context)
  if (!settings) throw new Error('useSettings was used outside its provider')
  return settings
}
