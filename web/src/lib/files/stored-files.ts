import { clear, createStore, type UseStore } from 'idb-keyval'

let opened: UseStore | undefined

/** Stored in this browser across reloads, files included, until it is deleted or the user signs out. */
export function fileStore(): UseStore {
  opened ??= createStore('lectern', 'files')
  return opened
}

export const deleteStoredFiles = (): Promise<void> => clear(fileStore())
