import { clear, createStore, type UseStore } from 'idb-keyval'

let opened: UseStore | undefined

/** Stored in this browser across reloads, files included, until it is deleted or the user signs out. */
export function keptStore(): UseStore {
  opened ??= createStore('lectern', 'files')
  return opened
}

export const dropAllFiles = (): Promise<void> => clear(keptStore())
