/** How `lectern-agent` ends. The numbers are documented in docs/agent-protocol.md and never change their meaning. */
export const exitCodes = {
  ok: 0,
  /** Something nobody foresaw; the message says what. */
  unexpected: 1,
  /** The command line, the location file or the state folder cannot be used as given. */
  usage: 2,
  /** The server refuses for good: licence and zone do not match, the credential was revoked, the zone is gone. */
  refused: 3,
  notEnrolled: 4,
  /** Another agent works on the same state folder. */
  alreadyRunning: 5,
  /** The server did not answer; only `enroll` ends so, `run` keeps trying. */
  unavailable: 6,
} as const

/** Ends the program with a sentence for the person at the host PC. */
export class Stop extends Error {
  readonly exitCode: number

  constructor(reason: keyof typeof exitCodes, message: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCodes[reason]
  }
}
