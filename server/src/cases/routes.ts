import { recordChange } from '../audit/audit.ts'
import type { Person } from '../lib/http/caller.ts'
import type { Handlers } from '../lib/http/serve.ts'
import {
  changeCase,
  findCase,
  getDesk,
  listCases,
  listChangedParts,
  listContactCases,
  listContacts,
  openCase,
  removeCase,
} from './cases.ts'

/** A case is a person's; what they do with it is in their organization's log. */
const findLogOrganization = ({ organizations }: Person): string | null => organizations[0] ?? null

export const caseRoutes = {
  listCases: ({ db, caller, params, query: { textFilter, status, ...asked }, ...house }) =>
    listContactCases(getDesk(house, db), caller, { contactEmail: params.address, status, text: textFilter.trim() }, asked),
  listAllCases: ({ db, query: { textFilter, status, ...asked }, ...house }) =>
    listCases(getDesk(house, db), { status, text: textFilter.trim() }, asked),
  getCase: ({ db, caller, params, ...house }) => findCase(getDesk(house, db), caller, params.id),
  verifyAddress: ({ db, caller, params, ...house }) => listContacts(getDesk(house, db), caller, params.address),
  createCase: async ({ db, caller, origin, body, ...house }) => {
    const desk = getDesk(house, db)
    const opened = await desk.writing(() => openCase(desk, caller, body))
    await recordChange(
      db,
      { caller, origin },
      { organization_id: findLogOrganization(caller), change_type: 'createCase', target: opened.id },
    )
    return opened
  },
  // Where the desk is elsewhere it comes last: what was done there is not undone with the transaction.
  updateCase: async ({ db, caller, origin, body, unchanged, ...house }) => {
    const change = { change_type: 'updateCase', target: body.id, new_value: listChangedParts(body) } as const
    await recordChange(db, { caller, origin }, { organization_id: findLogOrganization(caller), ...change })
    const desk = getDesk(house, db)
    return desk.writing(() => changeCase(desk, caller, body, unchanged))
  },
  deleteCase: async ({ db, caller, origin, params, ...house }) => {
    await recordChange(
      db,
      { caller, origin },
      { organization_id: findLogOrganization(caller), change_type: 'deleteCase', target: params.id },
    )
    const desk = getDesk(house, db)
    await desk.writing(() => removeCase(desk, caller, params.id))
  },
} satisfies Partial<Handlers>
