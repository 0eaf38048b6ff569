import type { Adapter, AdapterPayload } from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { Storage } from './storage.ts'

/** What oidc-provider calls its adapter, on top of the provider's storage. */
export function storageAdapter(storage: Storage, model: string): Adapter {
  return {
    upsert: (id, payload, expiresIn) => storage.upsertRecord(model, id, payload, expiresIn),
    find: async (id) => (await storage.findRecord(model, id)) as AdapterPayload | undefined,
    findByUid: async (uid) => (await storage.findRecordByUid(model, uid)) as AdapterPayload | undefined,
    // Only the device flow has user codes, and it is off.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      // The library looks first and marks afterwards; two requests at once would both pass the look.
      if (!(await storage.consumeRecord(model, id))) throw new errors.InvalidGrant('already used')
    },
    destroy: (id) => storage.deleteRecord(model, id),
    revokeByGrantId: (grantId) => storage.deleteRecordsByGrant(model, grantId),
  }
}
