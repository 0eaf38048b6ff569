import type { PublicSettings } from '@lectern/contract/system.ts'
import { createContext, useContext } from 'react'

const Context = createContext<PublicSettings | null>(null)

export const SettingsContext = Context

export function useSettings(): PublicSettings {
  const settings = useContext(Context)
  if (!settings) throw new Error('useSettings was used outside its provider')
  return settings
}

/** Whether the portal's own identity provider signs people in. */
export const isOwnProvider = ({ domain }: PublicSettings['auth']): boolean =>
  URL.canParse(domain) && new URL(domain).origin === location.origin
