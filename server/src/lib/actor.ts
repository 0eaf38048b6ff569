import type { Caller } from './http/caller.ts'

/** Who makes a change, for the audit log. `caller` is null where the server itself does. */
export interface Actor<Who extends Caller = Caller> {
  caller: Who
  address: string | null
  requestId: string | null
}

/** The actor of what no call causes. */
export const theServer: Actor<null> = { caller: null, address: null, requestId: null }
