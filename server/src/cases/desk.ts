import type { CaseContact, CaseDetail, CaseEntry, CreateCase, UpdateCase } from '@lectern/contract/cases/cases.ts'

/** Which cases a list has, the newest first. */
export interface CaseFilter {
  /** Whose; undefined: everybody's. */
  contactEmail?: string
  status?: string | undefined
  /** In a subject, an address or a number. Empty: any. */
  text: string
}

/** A part of a list. */
export interface CasePart {
  offset: number
  size: number
}

export interface FoundCases {
  cases: CaseEntry[]
  /** How many there are, as far as the desk can show them. */
  total: number
  /** How many there are altogether, where the desk cannot show them all. */
  outOf?: number
}

/** A case to open, with all that is to be known of it. */
export type NewCase = Omit<CreateCase, 'contactEmail' | 'contactId'> & { contactEmail: string; contactId: string | null }

/** What changes of a case; what is absent stays. */
export type CaseChanges = Omit<UpdateCase, 'id' | 'followUp'>

/** Where support cases are kept. An id that means nothing there is one that no case has. */
export interface Desk {
  list(filter: CaseFilter, part: CasePart): Promise<FoundCases>
  read(id: string): Promise<CaseDetail | undefined>
  create(what: NewCase): Promise<CaseEntry>
  /** Changes a case by what `changes` makes of it as it is, and answers it as it is then. */
  change(id: string, changes: (before: CaseDetail) => Promise<CaseChanges>): Promise<CaseDetail | undefined>
  /** Answers whether there was such a case. */
  remove(id: string): Promise<boolean>
  /** Whom it knows by an address. */
  contacts(email: string): Promise<CaseContact[]>
  /** Does what is part of a write, in whose transaction all its calls are made. */
  writing<Done>(work: () => Promise<Done>): Promise<Done>
}

/** How a case names itself in a list, wherever it is kept. */
export const caseAttributes = (id: string): CaseEntry['attributes'] => ({ type: 'Case', url: `/api/lectern/crm/id/${id}` })
