import type { Handlers } from '../lib/http/serve.ts'
import { createRecord, downloadRecords, findDeskScope, getDeskKey, getRecord, listRecords, withdrawRecord } from './desk.ts'

export const deskRoutes = {
  listDeskRecords: ({ db, caller, params, query }) => listRecords(db, findDeskScope(params, caller), query),
  createDeskRecord: ({ db, actor, params, body }) => createRecord(db, actor, params.organizationId, body),
  getDeskRecord: ({ db, caller, params }) => getRecord(db, findDeskScope(params, caller), params.id),
  withdrawDeskRecord: ({ db, actor, params, body }) => withdrawRecord(db, actor, params, body.reason),
  downloadDeskRecords: ({ db, exportPool, caller, params, query }) =>
    downloadRecords({ db, exportPool }, findDeskScope(params, caller), query),
  getDeskKey: ({ db, caller, params }) => getDeskKey(db, caller, params.organizationId),
} satisfies Partial<Handlers>
