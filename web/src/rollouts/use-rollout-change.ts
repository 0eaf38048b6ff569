import { permissionsFor, type RolloutDetail, type SafetyLimitInput } from '@lectern/contract/rollouts.ts'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { useToast } from '../ui/feedback/toast.tsx'

export interface RolloutChange {
  retry: () => void
  isRetrying: boolean
  halt: () => Promise<unknown>
  resume: () => void
  isResuming: boolean
  /** Resumes from within a question, which says what went wrong. */
  resumeAsked: () => Promise<unknown>
  setLimit: (input: SafetyLimitInput) => Promise<unknown>
  /** Answers the id of the rollout that does. */
  rollBack: (updateTime: string | null) => Promise<string>
}

/** What can be done with a rollout; null for somebody who may not publish what it holds. What comes of it, its stream tells. */
export function useRolloutChange(rollout: RolloutDetail): RolloutChange | null {
  const mayChange = usePermission(...permissionsFor(rollout.kinds))
  const args = { params: { organizationId: useOrganization(), id: rollout.id } }
  const toast = useToast()
  const said = (title: string) => ({ onSuccess: ({ message }: { message: string }) => toast({ title, detail: message }) })
  const retry = useMutation('retryRollout', said('Retry asked for'))
  const resume = useMutation('resumeRollout', said('Rollout resumed'))
  const resumeAsked = useMutation('resumeRollout', { ...said('Rollout resumed'), errorInPlace: true })
  const setLimit = useMutation('setSafetyLimit', { ...said('Safety limits saved'), errorInPlace: true })
  const halt = useMutation('haltRollout', { ...said('Rollout halted'), errorInPlace: true })
  const rollBack = useMutation('rollBackRollout', { ...said('Rolled back'), errorInPlace: true })
  if (!mayChange) return null
  return {
    retry: () => retry.mutate(args),
    isRetrying: retry.isPending,
    halt: () => halt.mutateAsync(args),
    resume: () => resume.mutate(args),
    isResuming: resume.isPending,
    resumeAsked: () => resumeAsked.mutateAsync(args),
    setLimit: (body) => setLimit.mutateAsync({ ...args, body }),
    rollBack: async (updateTime) => (await rollBack.mutateAsync({ ...args, body: { updateTime } })).id,
  }
}
