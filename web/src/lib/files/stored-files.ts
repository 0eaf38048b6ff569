import { createStore, type UseStore } from 'idb-keyval'

let opened: UseStore | undefined

/** Stores data and files in this browser across reloads, until they are deleted or the user signs out. */
export function fileStore(): UseStore {
  opened ??= createStore('lectern', 'files')
  return opened
}

/** Keys that begin so are of one account, which keeps its encrypted desks past the sign-out of others. */
export const deskPrefix = 'desk/'
