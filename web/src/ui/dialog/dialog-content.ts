import type { Dialog as Radix } from 'radix-ui'
import { createContext } from 'react'

// Given by the host, which is loaded with the first dialog, so that pages without an open dialog do not load the library.
export const DialogContent = createContext<typeof Radix.Content | null>(null)
