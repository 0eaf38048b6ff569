import { useQueryClient } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'

/** `errorInPlace` where the caller shows what went wrong. */
export function useChangeCase(id: string, { errorInPlace = false } = {}) {
  const client = useQueryClient()
  return useMutation('updateCase', {
    errorInPlace,
    onSuccess: (changed) => client.setQueryData(q('getCase', { params: { id } }).queryKey, changed),
  })
}
