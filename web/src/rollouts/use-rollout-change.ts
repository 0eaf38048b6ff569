import type { Arguments } from '@lectern/contract/endpoints.ts'
import type { RepairPlan } from '@lectern/contract/publications/repairs.ts'
import type { SafetyLimitInput } from '@lectern/contract/publications/safety-limit.ts'
import { permissionsFor, type RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { useToast } from '../ui/feedback/toast.tsx'

export interface RolloutChange {
  /** For dialogs, which show the failure themselves; so are all functions below that return a promise. */
  retry: (expected: RepairPlan) => Promise<unknown>
  halt: () => Promise<unknown>
  resume: () => void
  isResuming: boolean
  resumeInDialog: () => Promise<unknown>
  name: (input: Arguments<'nameRollout'>['body']) => Promise<unknown>
  setLimit: (input: SafetyLimitInput) => Promise<unknown>
  /** Returns the id of the new rollout. */
  rollBack: (input: Arguments<'rollBackRollout'>['body']) => Promise<string>
}

/** What the user can do with a rollout; null without the permission to publish its contents. The stream shows the result. */
export function useRolloutChange(rollout: RolloutDetail): RolloutChange | null {
  const canChange = usePermission(...permissionsFor(rollout.kinds))
  const args = { params: { organizationId: useOrganization(), id: rollout.id } }
  const toast = useToast()
  const withToast = (title: string) => ({ onSuccess: ({ message }: { message: string }) => toast({ title, detail: message }) })
  const retry = useMutation('retryRollout', { ...withToast('Retry requested'), errorInPlace: true })
  const resume = useMutation('resumeRollout', withToast('Rollout resumed'))
  const resumeInDialog = useMutation('resumeRollout', { ...withToast('Rollout resumed'), errorInPlace: true })
  const setLimit = useMutation('setSafetyLimit', { ...withToast('Safety limits saved'), errorInPlace: true })
  const name = useMutation('nameRollout', { ...withToast('Name saved'), errorInPlace: true })
  const halt = useMutation('haltRollout', { ...withToast('Rollout halted'), errorInPlace: true })
  const rollBack = useMutation('rollBackRollout', { ...withToast('Rolled back'), errorInPlace: true })
  if (!canChange) return null
  return {
    retry: (expected) => retry.mutateAsync({ ...args, body: { expected } }),
    halt: () => halt.mutateAsync(args),
    resume: () => resume.mutate(args),
    isResuming: resume.isPending,
    resumeInDialog: () => resumeInDialog.mutateAsync(args),
    name: (body) => name.mutateAsync({ ...args, body }),
    setLimit: (body) => setLimit.mutateAsync({ ...args, body }),
    rollBack: async (body) => (await rollBack.mutateAsync({ ...args, body })).id,
  }
}
