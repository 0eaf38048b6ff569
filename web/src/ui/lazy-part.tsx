import type { ReactNode } from 'react'
import { ErrorPanel } from './feedback/empty-state.tsx'
import { type LazyComponent, type Load, lazyOrWaiting, type WaitingProps } from './lazy.tsx'

// A part of a page whose script is loaded when it is first shown. Without a connection it says so, and appears once there is one.
export const lazyPart = <Props extends object>(load: Load<Props>, loading?: ReactNode): LazyComponent<Props> =>
  lazyOrWaiting(load, Waiting, { loading })

const Waiting = ({ isTrying, onRetry, children }: WaitingProps) =>
  children ?? <ErrorPanel message="No connection" detail="It loads when the connection is back." onRetry={onRetry} retrying={isTrying} />
