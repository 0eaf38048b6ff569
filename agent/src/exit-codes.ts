/** Explained in docs/agent-protocol.md. Codes never change their meaning. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  notEnrolled: 4,
  alreadyRunning: 5,
  unavailable: 6,
} as const

export class Stop extends Error {
  readonly reason: keyof typeof exitCodes
  readonly exitCode: number

  constructor(reason: keyof typeof exitCodes, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
    this.exitCode = exitCodes[reason]
  }
}
