import { Moon, Sun, SunMoon } from 'lucide-react'
import { classNames } from './class-names.ts'
import { setTheme, type Theme, useTheme } from './theme.ts'

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const ICON = { system: SunMoon, light: Sun, dark: Moon }

export function ThemeSwitch({ className }: { className?: string }) {
  const theme = useTheme()
  const Icon = ICON[theme]
  const label = `Theme: ${theme}. Switch to ${NEXT[theme]}`
  return (
    <button
      type="button"
      className={classNames('icon-button theme-switch', className)}
      aria-label={label}
      title={label}
      onClick={() => setTheme(NEXT[theme])}
    >
      <Icon size={18} />
    </button>
  )
}
