import { useQueryClient } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'

/** Changes a case; what its page shows follows at once. `errorInPlace` where the caller says what went wrong. */
export function useChangeCase(id: string, { errorInPlace = false } = {}) {
  const client = useQueryClient()
  return useMutation('updateCase', {
    errorInPlace,
    onSuccess: (changed) => client.setQueryData(q('getCase', { params: { id } }).queryKey, changed),
  })
}
