export interface ExitCode {
  code: number
  meaning: string
  /** Whether it helps to start the program again with the same arguments: a supervisor does so then, and only then. */
  again: boolean
}

/** How the host agent ends, and later the command line. A code never changes its meaning. docs/agent-protocol.md explains each. */
export const exitCodes = {
  ok: { code: 0, meaning: 'Done, or stopped by a signal.', again: false },
  unexpected: { code: 1, meaning: 'Something unexpected.', again: true },
  usage: { code: 2, meaning: 'The command line, the location file or the licence file cannot be used.', again: false },
  refused: { code: 3, meaning: 'The server refuses it.', again: false },
  notEnrolled: { code: 4, meaning: 'This PC is not enrolled.', again: false },
  alreadyRunning: { code: 5, meaning: 'Another agent uses the state folder.', again: false },
  unavailable: { code: 6, meaning: 'The server did not answer.', again: true },
  stateFolder: { code: 7, meaning: 'The state folder cannot be used.', again: false },
} as const satisfies Record<string, ExitCode>

export type ExitReason = keyof typeof exitCodes
