import { createStore, type UseStore } from 'idb-keyval'

let opened: UseStore | undefined

/** Stored in this browser across reloads, files included, until it is deleted or the user signs out. */
export function fileStore(): UseStore {
  opened ??= createStore('lectern', 'files')
  return opened
}

/** Of what an account keeps past the sign-out of others: encrypted for it alone. */
export const deskPrefix = 'desk/'
