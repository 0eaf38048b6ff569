import type { ReactNode } from 'react'

export function SelectRow({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="select-row">
      <div className="select-label">{label}</div>
      <div>{children}</div>
    </div>
  )
}
