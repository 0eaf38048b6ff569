export interface ExitCode {
  code: number
  /** Whether it helps to start the program again with the same arguments: a supervisor does so then, and only then. */
  again: boolean
}

/** How the host agent ends, and later the command line. A code never changes its meaning, which docs/agent-protocol.md explains. */
export const exitCodes = {
  ok: { code: 0, again: false },
  unexpected: { code: 1, again: true },
  usage: { code: 2, again: false },
  refused: { code: 3, again: false },
  notEnrolled: { code: 4, again: false },
  alreadyRunning: { code: 5, again: false },
  unavailable: { code: 6, again: true },
  stateFolder: { code: 7, again: false },
  otherPc: { code: 8, again: false },
  nativePart: { code: 9, again: false },
  disk: { code: 20, again: true },
  service: { code: 21, again: false },
} as const satisfies Record<string, ExitCode>

export type ExitReason = keyof typeof exitCodes

/** A supervisor leaves the agent down after these. */
export const finalExitCodes: readonly number[] = Object.values(exitCodes)
  .filter(({ code, again }) => code !== exitCodes.ok.code && !again)
  .map(({ code }) => code)
