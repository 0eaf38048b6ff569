import { useSyncExternalStore } from 'react'

/** What the reader of the screen chose; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'
const listeners = new Set<() => void>()
let unsaved: Theme = 'system'

/** The stored choice, `system` when there is none. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return unsaved
  }
}

/** Stores a choice and shows it at once. */
export function setTheme(theme: Theme): void {
  unsaved = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
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

/** The choice. While mounted, the page follows the system and other tabs. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}
