import { checkInMinutes } from '../hosts.ts'

/**
 * When a host PC is silent (RIT-05): its event stream has been closed for `streamClosedSeconds` without a check-in since, or its last check-in
 * is `checkedInMinutes` ago, so that it has missed two. Time in which the portal took no check-ins does not count, and for `outageMinutes`
 * after it no host PC is silent.
 */
export const silentAfter = { streamClosedSeconds: 90, checkedInMinutes: 2 * checkInMinutes, outageMinutes: checkInMinutes } as const
