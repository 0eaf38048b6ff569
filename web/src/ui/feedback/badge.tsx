import './badge.css'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Glyph } from './status.tsx'

type BadgeKind = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad' | 'simulated'

export function Badge({ kind = 'neutral', children }: { kind?: BadgeKind; children: ReactNode }) {
  return (
    <span className={classNames('badge', kind !== 'neutral' && `badge-${kind}`)}>
      {(kind === 'ok' || kind === 'warn' || kind === 'bad') && <Glyph kind={kind} />}
      {children}
    </span>
  )
}
