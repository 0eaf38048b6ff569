import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { publishError } from './publish-error.ts'
import { type Attempt, unpublished, type WizardState } from './wizard.ts'

type Outcome = NonNullable<Attempt['outcome']>

/** The Idempotency-Key of each model to send: the one it has, else a new one. */
export function keysFor(
  devices: readonly UpdateModel[],
  attempts: WizardState['attempts'],
  newKey: () => string,
): Partial<Record<UpdateModel, string>> {
  return Object.fromEntries(devices.map((device) => [device, attempts[device]?.key ?? newKey()]))
}

/**
 * Sends all models at once and waits until each is settled on its own; `settled` hears of each as soon as it is (spec §4).
 * A failure that is no Error is thrown again, after all others are settled.
 * @returns whether all were published
 */
export async function publishAll(
  devices: readonly UpdateModel[],
  send: (device: UpdateModel) => Promise<unknown>,
  settled: (device: UpdateModel, outcome: Outcome) => void,
): Promise<boolean> {
  const results = await Promise.allSettled(
    devices.map(async (device): Promise<boolean> => {
      let outcome: Outcome
      try {
        await send(device)
        outcome = { published: true }
      } catch (failure) {
        outcome = { published: false, message: publishError(failure) }
      }
      settled(device, outcome)
      return outcome.published
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.every((result) => result.status === 'fulfilled' && result.value)
}

/** What failed, a sentence per message with the models it concerns; those being sent again are left out. */
export function failures(state: WizardState): { devices: UpdateModel[]; message: string }[] {
  const byMessage = new Map<string, UpdateModel[]>()
  for (const device of unpublished(state)) {
    const outcome = state.attempts[device]?.outcome
    if (outcome?.published === false) byMessage.set(outcome.message, [...(byMessage.get(outcome.message) ?? []), device])
  }
  return [...byMessage].map(([message, devices]) => ({ devices, message }))
}
