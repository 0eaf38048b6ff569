import type { Account } from '../storage.ts'

/** `browser`: the hash of what the asking browser keeps. `code`: of 6 digits, for the manager to type. `agent`: the browser in words. */
export interface RecoveryRequest {
  browser: string
  code: string
  address: string
  agent: string
}

export type AskedRecovery = { managers: string } | { refused: 'no manager' } | { refused: 'too many'; open: number }

/** What the application says of an account's passkeys. */
export interface PasskeyRules {
  /** Whether the API refuses the account without one. */
  isRequired(account: Account): Promise<boolean>
  /** Asks those who may confirm it; returns whom to ask in words, or why it cannot be asked for: no manager is left to, or so many are open. */
  askRecovery(account: Account, request: RecoveryRequest): Promise<AskedRecovery>
  isRecoveryConfirmed(account: Account, browser: string): Promise<boolean>
  /** True for exactly one of several concurrent calls. */
  useRecovery(account: Account, browser: string): Promise<boolean>
  /** After a sign-in with a passkey. */
  cancelRecovery(account: Account): Promise<void>
}

export const noPasskeyRules: PasskeyRules = {
  isRequired: async () => false,
  askRecovery: async () => ({ refused: 'no manager' }),
  isRecoveryConfirmed: async () => false,
  useRecovery: async () => false,
  cancelRecovery: async () => {},
}
