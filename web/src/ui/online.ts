import { useSyncExternalStore } from 'react'

export const useOnline = (): boolean => useSyncExternalStore(onConnection, () => navigator.onLine)

function onConnection(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}
