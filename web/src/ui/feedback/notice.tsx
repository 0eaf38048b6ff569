import './notice.css'
import { Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

type NoticeKind = 'note' | 'accent' | 'warn' | 'bad'

const icons = { note: Info, accent: Info, warn: TriangleAlert, bad: OctagonX }

interface NoticeProps {
  kind?: NoticeKind
  icon?: LucideIcon
  children: ReactNode
  className?: string
}

/** `bad` is announced at once. */
export function Notice({ kind = 'note', icon: Icon = icons[kind], children, className }: NoticeProps) {
  return (
    <div className={classNames('notice', kind !== 'note' && `notice-${kind}`, className)} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon size={16} />
      <span>{children}</span>
    </div>
  )
}
