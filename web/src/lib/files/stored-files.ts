import { createStore, type UseStore } from 'idb-keyval'

let opened: UseStore | undefined

/** Stores data and files in this browser across reloads, until they are deleted or the user signs out. */
export function fileStore(): UseStore {
  opened ??= createStore('lectern', 'files')
  return opened
}

/** Begins the keys of what an account keeps past the sign-out of others, encrypted for it alone. */
export const deskPrefix = 'desk/'
