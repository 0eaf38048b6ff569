import { findOwnLog, recordChange } from '../audit/audit.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { checkCases } from '../quotas/quotas.ts'
import { changeCase, getCase, getDesk, listCases, listChangedParts, listContactCases, listContacts, openCase, removeCase } from './cases.ts'

export const caseRoutes = {
  listCases: ({ db, caller, params, query: { textFilter, status, ...page }, ...services }) =>
    listContactCases(getDesk(services, db), caller, { contactEmail: params.address, status, text: textFilter.trim() }, page),
  listAllCases: ({ db, query: { textFilter, status, ...page }, ...services }) =>
    listCases(getDesk(services, db), { status, text: textFilter.trim() }, page),
  getCase: ({ db, caller, params, ...services }) => getCase(getDesk(services, db), caller, params.id),
  verifyAddress: ({ db, caller, params, ...services }) => listContacts(getDesk(services, db), caller, params.address),
  createCase: async ({ db, actor, caller, body, ...services }) => {
    const desk = getDesk(services, db)
    const opened = await desk.write(() => openCase(desk, caller, body))
    await recordChange(db, actor, { organization_id: findOwnLog(caller), change_type: 'createCase', target: opened.id })
    if (services.salesforce === null) await checkCases(db, opened.contactEmail ?? caller.email, services.settings.quotas)
    return opened
  },
  // The desk is called last: Salesforce is not rolled back with the transaction.
  updateCase: async ({ db, actor, caller, body, unchanged, ...services }) => {
    const change = { change_type: 'updateCase', target: body.id, new_value: listChangedParts(body) } as const
    await recordChange(db, actor, { organization_id: findOwnLog(caller), ...change })
    const desk = getDesk(services, db)
    const changed = await desk.write(() => changeCase(desk, caller, body, unchanged))
    if (services.salesforce === null) await checkCases(db, changed.contactEmail ?? caller.email, services.settings.quotas)
    return changed
  },
  deleteCase: async ({ db, actor, caller, params, ...services }) => {
    await recordChange(db, actor, { organization_id: findOwnLog(caller), change_type: 'deleteCase', target: params.id })
    const desk = getDesk(services, db)
    await desk.write(() => removeCase(desk, caller, params.id))
  },
} satisfies Partial<Handlers>
