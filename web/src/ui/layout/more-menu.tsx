import { ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { matchPath, NavLink, useLocation } from 'react-router'

export function MoreMenu({ entries }: { entries: readonly { to: string; label: string }[] }) {
  const { pathname } = useLocation()
  const isCurrent = entries.some(({ to }) => matchPath({ path: to, end: false }, pathname))
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="top-nav-entry" aria-current={isCurrent || undefined}>
        More
        <ChevronDown size={15} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className="more-menu" align="start">
        {entries.map((entry) => (
          <DropdownMenu.Item key={entry.to} asChild>
            <NavLink to={entry.to} className="more-menu-entry">
              {entry.label}
            </NavLink>
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
