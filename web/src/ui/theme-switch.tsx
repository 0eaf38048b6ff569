import './button/button.css'
import { Moon, Sun, SunMoon } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { classNames } from './class-names.ts'

/** `system` follows the operating system. */
type Theme = 'system' | 'light' | 'dark'

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const icons = { system: SunMoon, light: Sun, dark: Moon }

export function ThemeSwitch({ className }: { className?: string }) {
  const theme = useTheme()
  const Icon = icons[theme]
  const label = `Theme: ${theme}. Switch to ${nextTheme[theme]}`
  return (
    <button
      type="button"
      className={classNames('icon-button theme-switch', className)}
      aria-label={label}
      title={label}
      onClick={() => setTheme(nextTheme[theme])}
    >
      <Icon size={18} />
    </button>
  )
}

const storageKey = 'theme'
const listeners = new Set<() => void>()
let unsaved: Theme = 'system'

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return unsaved
  }
}

function setTheme(theme: Theme): void {
  unsaved = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
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

function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}
