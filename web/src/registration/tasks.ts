import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'

/**
 * The user's remaining registration tasks.
 * @throws the read's error while there are no tasks to show (spec §7); tasks that were read before stay when a later read fails
 */
export function useTasks() {
  const query = useQuery({ ...q('listRegistrationTasks', {}), throwOnError: (_, { state }) => state.data === undefined })
  return { tasks: query.data, refetch: query.refetch, isFetching: query.isFetching }
}

/** @returns a function that stores the remaining tasks which a write returned (spec §4) */
export function useStoreTasks(): (tasks: RegistrationTask[]) => void {
  const client = useQueryClient()
  return (tasks) => void client.setQueryData(q('listRegistrationTasks', {}).queryKey, tasks)
}

/** The tasks seen so far, then new pending ones, so that the order stays as tasks are added (spec §2). */
export function appendTasks(seen: readonly RegistrationTask[], pending: readonly RegistrationTask[]): readonly RegistrationTask[] {
  const added = pending.filter((task) => !seen.includes(task))
  return added.length === 0 ? seen : [...seen, ...added]
}
