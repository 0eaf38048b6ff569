import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'

/**
 * What the person still has to register. When that cannot be had, it throws to the error boundary (spec §7); when it only could not be
 * had again, what was known counts: nobody loses a page they work on.
 */
export function useTasks() {
  const query = useQuery({ ...q('listRegistrationTasks', {}), throwOnError: (_, { state }) => state.data === undefined })
  return { tasks: query.data, refetch: query.refetch, isFetching: query.isFetching }
}

/** The tasks seen so far with those now pending: the order stays as further ones appear (spec §2). */
export function withFurther(seen: readonly RegistrationTask[], pending: readonly RegistrationTask[]): readonly RegistrationTask[] {
  const further = pending.filter((task) => !seen.includes(task))
  return further.length === 0 ? seen : [...seen, ...further]
}
