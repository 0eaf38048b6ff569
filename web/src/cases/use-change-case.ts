import { useQueryClient } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'

export function useChangeCase(id: string, { errorInPlace = false } = {}) {
  const client = useQueryClient()
  return useMutation('updateCase', {
    errorInPlace,
    onSuccess: (changed) => client.setQueryData(q('getCase', { params: { id } }).queryKey, changed),
  })
}
