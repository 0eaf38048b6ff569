import type { Dialog as Radix } from 'radix-ui'
import { createContext } from 'react'

// Given by the host, which is loaded with the first dialog: pages whose dialogs are closed need no library for them.
export const DialogContent = createContext<typeof Radix.Content | null>(null)
