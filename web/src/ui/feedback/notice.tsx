import './notice.css'
import { Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { useLongWait } from '../delay.ts'

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

// For writes: only reads can be tried again while they are under way.
export function LongWaitNotice({ isWaiting }: { isWaiting: boolean }) {
  const { isLong } = useLongWait(isWaiting)
  return (
    <div role="status">
      {isLong && (
        <Notice kind="warn" className="mt-4">
          This takes longer than usual. It goes on waiting.
        </Notice>
      )}
    </div>
  )
}
