import type { CaseContact, CaseDetail, CaseEntry, CreateCase, UpdateCase } from '@lectern/contract/cases/cases.ts'

export interface CaseFilter {
  contactEmail?: string
  status?: string | undefined
  text: string
}

export interface CasePart {
  offset: number
  size: number
}

export interface FoundCases {
  cases: CaseEntry[]
  total: number
  outOf?: number
}

export type NewCase = Omit<CreateCase, 'contactEmail' | 'contactId'> & { contactEmail: string; contactId: string | null }

export type CaseChanges = Omit<UpdateCase, 'id' | 'followUp'>

/** The store of support cases. Lists are newest first. An id in another store's form is unknown. */
export interface Desk {
  list(filter: CaseFilter, part: CasePart): Promise<FoundCases>
  read(id: string): Promise<CaseDetail | undefined>
  create(newCase: NewCase): Promise<CaseEntry>
  change(id: string, getChanges: (before: CaseDetail) => Promise<CaseChanges>): Promise<CaseDetail | undefined>
  remove(id: string): Promise<boolean>
  contacts(email: string): Promise<CaseContact[]>
  write<Done>(work: () => Promise<Done>): Promise<Done>
}

export const caseAttributes = (id: string): CaseEntry['attributes'] => ({ type: 'Case', url: `/api/lectern/crm/id/${id}` })
