import { Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

type NoticeKind = 'note' | 'accent' | 'warn' | 'bad'

const ICON = { note: Info, accent: Info, warn: TriangleAlert, bad: OctagonX }

type NoticeProps = {
  kind?: NoticeKind
  /** In place of the kind's own. */
  icon?: LucideIcon
  children: ReactNode
  className?: string
}

/** A sentence that matters here. `bad` is read out at once. */
export function Notice({ kind = 'note', icon: Icon = ICON[kind], children, className }: NoticeProps) {
  return (
    <div className={classNames('notice', kind !== 'note' && `notice-${kind}`, className)} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon size={16} />
      <span>{children}</span>
    </div>
  )
}
