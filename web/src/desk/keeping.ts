import { del, get, set } from 'idb-keyval'
import { deskPrefix, fileStore } from '../lib/files/stored-files.ts'
import { type Desk, newDesk } from './desk-state.ts'

interface Sealed {
  iv: Uint8Array<ArrayBuffer>
  data: ArrayBuffer
}

/** Keeps a desk in the browser, encrypted under a key that the server gives this account alone and the browser never hands out. */
export interface Keeper {
  load(): Promise<Desk | null>
  store(desk: Desk): Promise<void>
  /** From here on it stores nothing. */
  close(): void
}

export async function openKeeper(userId: string, organizationId: string, key: string): Promise<Keeper> {
  const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
  const cipher = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
  const place = `${deskPrefix}${userId}/${organizationId}`
  let isClosed = false
  return {
    async load() {
      const sealed = await get<Sealed>(place, fileStore())
      if (!sealed) return null
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, cipher, sealed.data)
      return { ...newDesk, ...JSON.parse(new TextDecoder().decode(plain)) }
    },
    async store(desk) {
      if (isClosed) return
      if (JSON.stringify(desk) === empty) return del(place, fileStore())
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, cipher, new TextEncoder().encode(JSON.stringify(desk)))
      // The account may have signed out since.
      if (!isClosed) await set(place, { iv, data } satisfies Sealed, fileStore())
    },
    close() {
      isClosed = true
    },
  }
}

const empty = JSON.stringify(newDesk)
