import type { Account } from '../storage.ts'

/**
 * `browser`: the hash of the secret that the asking browser keeps. `code`: 6 digits that the manager types. `agent`: the browser, in words.
 */
export interface RecoveryRequest {
  browser: string
  code: string
  address: string
  agent: string
}

export type AskedRecovery = { managers: string } | { refused: 'no manager' } | { refused: 'too many'; open: number }

/** What the application demands of an account's passkeys. */
export interface PasskeyRules {
  /** Whether the API refuses the account without a passkey. */
  isRequired(account: Account): Promise<boolean>
  /**
   * Asks the people who may confirm it. Returns whom to ask, in words, or why it cannot be asked: no manager is left for it, or too many
   * requests are open.
   */
  askRecovery(account: Account, request: RecoveryRequest): Promise<AskedRecovery>
  isRecoveryConfirmed(account: Account, browser: string): Promise<boolean>
  /** Returns true for exactly one of several concurrent calls. */
  useRecovery(account: Account, browser: string): Promise<boolean>
  /** Called after a sign-in with a passkey. */
  cancelRecovery(account: Account): Promise<void>
}

export const noPasskeyRules: PasskeyRules = {
  isRequired: async () => false,
  askRecovery: async () => ({ refused: 'no manager' }),
  isRecoveryConfirmed: async () => false,
  useRecovery: async () => false,
  cancelRecovery: async () => {},
}
