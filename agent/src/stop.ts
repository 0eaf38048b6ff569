import { type ExitReason, exitCodes } from '@lectern/contract/exit-codes.ts'

/** Ends the agent with a sentence for the person at the PC, and with the code of `reason`. */
export class Stop extends Error {
  readonly reason: ExitReason

  constructor(reason: ExitReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }

  get exitCode(): number {
    return exitCodes[this.reason].code
  }
}
