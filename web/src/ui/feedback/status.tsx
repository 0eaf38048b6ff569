import './status.css'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

export type StatusKind = 'ok' | 'warn' | 'bad' | 'unknown' | 'run' | 'wait'

const shapes: Record<StatusKind, ReactNode> = {
  ok: <circle cx="5" cy="5" r="4.2" />,
  warn: <path d="M5 .8 9.6 9H.4z" />,
  bad: <rect x="1" y="1" width="8" height="8" />,
  unknown: <circle cx="5" cy="5" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.3" strokeDasharray="2 1.5" />,
  run: <path d="M2 .8 9 5 2 9.2z" />,
  wait: (
    <>
      <circle cx="5" cy="5" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <path d="M5 2.8V5l1.5 1" fill="none" stroke="currentColor" strokeWidth="1.1" />
    </>
  ),
}

const spokenNames: Record<StatusKind, string> = {
  ok: 'good',
  warn: 'caution',
  bad: 'critical',
  unknown: 'unknown',
  run: 'in progress',
  wait: 'waiting',
}

/** A number or word must follow it. */
export function Glyph({ kind, className }: { kind: StatusKind; className?: string }) {
  return (
    <svg
      className={classNames('glyph', `glyph-${kind}`, className)}
      width="10"
      height="10"
      viewBox="0 0 10 10"
      fill="currentColor"
      aria-hidden="true"
    >
      {shapes[kind]}
    </svg>
  )
}

interface StatusProps {
  kind: StatusKind
  children: ReactNode
  spoken?: string
}

export function Status({ kind, children, spoken = spokenNames[kind] }: StatusProps) {
  return (
    <span className={classNames('status', `status-${kind}`)}>
      <Glyph kind={kind} />
      <span className="status-word">{children}</span>
      {spoken && <span className="sr-only"> {spoken}</span>}
    </span>
  )
}
