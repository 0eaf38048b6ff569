import type { Licence } from '@lectern/contract/licences/licences.ts'

export const licencesPath = '/licences'

/** The page of a licence. */
export const licenceAddress = ({ id }: Pick<Licence, 'id'>): string => `${licencesPath}/${id}`

/** What a link to a licence says of where it was followed, for the way back. */
export interface CameFrom {
  /** The query part of the list's address. */
  list: string
}
