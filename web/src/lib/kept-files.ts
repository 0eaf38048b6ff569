import { clear, createStore, type UseStore } from 'idb-keyval'

let opened: UseStore | undefined

/** What is kept in this browser across reloads, files included, until it is dropped or the person signs out. */
export function keptStore(): UseStore {
  opened ??= createStore('lectern', 'files')
  return opened
}

/** Drops everything kept. */
export const dropAllFiles = (): Promise<void> => clear(keptStore())
