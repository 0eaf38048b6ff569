import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { useQueryClient } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'

/** Takes in what a submission says is left to register (spec §4, decided). */
export function useRemainingTasks(): (tasks: RegistrationTask[]) => void {
  const client = useQueryClient()
  return (tasks) => client.setQueryData(q('listRegistrationTasks', {}).queryKey, tasks)
}
