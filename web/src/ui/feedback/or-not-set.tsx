import type { ReactNode } from 'react'

export const notSetText = 'Not set'

/** Returns `shown`, or the words for an empty value. */
export const orNotSet = (value: ReactNode, shown: ReactNode = value): ReactNode =>
  value ? shown : <span className="text-ink-3">{notSetText}</span>
