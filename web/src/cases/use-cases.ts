import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import type { CaseView } from './case-address.ts'

/** The page of cases that a view shows: everybody's, or those of the signed-in person's own address. */
export function useCases({ isEverybodys, text, status, page, size }: CaseView) {
  const person = useQuery({ ...q('getCurrentUser', {}), enabled: !isEverybodys })
  const query = { PageNumber: page, PageSize: size, ...(text.trim() !== '' && { textFilter: text.trim() }), ...(status && { status }) }
  const own = useQuery({
    ...q('listCases', { params: { address: person.data?.email ?? '' }, query }),
    enabled: !isEverybodys && person.data !== undefined,
    placeholderData: keepPreviousData,
  })
  const everybodys = useQuery({ ...q('listAllCases', { query }), enabled: isEverybodys, placeholderData: keepPreviousData })
  if (isEverybodys) return everybodys
  return person.isError ? { ...own, error: person.error, isError: true, refetch: person.refetch } : own
}
