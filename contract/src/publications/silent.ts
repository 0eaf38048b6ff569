import { checkInMinutes } from '../hosts.ts'

/**
 * A host PC is silent when its event stream has been closed for `streamClosedSeconds` without a check-in since, or when it has missed two
 * check-ins (RIT-05). Time in which the portal took no check-ins does not count, and for one interval after it no host PC is silent.
 */
export const silentAfter = { streamClosedSeconds: 90, checkedInMinutes: 2 * checkInMinutes, outageMinutes: checkInMinutes } as const
