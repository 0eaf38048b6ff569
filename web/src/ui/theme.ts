import { useSyncExternalStore } from 'react'

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'
const listeners = new Set<() => void>()
let unsaved: Theme = 'system'

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return unsaved
  }
}

export function setTheme(theme: Theme): void {
  unsaved = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Where storage is forbidden the choice lasts as long as the page.
  }
  apply()
}

function apply() {
  const theme = readTheme()
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

function subscribe(changed: () => void) {
  const system = matchMedia('(prefers-color-scheme: dark)')
  listeners.add(changed)
  if (listeners.size === 1) {
    system.addEventListener('change', apply)
    addEventListener('storage', apply)
  }
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    system.removeEventListener('change', apply)
    removeEventListener('storage', apply)
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}
