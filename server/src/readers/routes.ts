import { pageSizes } from '@lectern/contract/http/paging.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { getWholeOrganization } from '../organizations/organizations.ts'
import { changeReader, getReader, listReaders, registerReader, removeReader, streamReaders } from './readers.ts'

export const readerRoutes = {
  listReaders: async ({ db, caller, params, query: { PageNumber, PageSize, textFilter } }) => {
    const { id: organizationId } = await getWholeOrganization(db, caller, params.customerid)
    const list = { organizationId, status: params.connectstatus, text: textFilter }
    if (PageNumber === undefined && PageSize === undefined) return streamReaders(db, list)
    return listReaders(db, list, PageNumber ?? 0, PageSize ?? pageSizes[0])
  },
  createReader: (call) => registerReader(call.db, call.actor, call.params.customerid, call.body),
  getReader: ({ db, caller, params }) => getReader(db, caller, params.id),
  updateReader: (call) => changeReader(call.db, call.actor, call.params.id, call.body, call.unchanged),
  deleteReader: (call) => removeReader(call.db, call.actor, call.params.id),
} satisfies Partial<Handlers>
