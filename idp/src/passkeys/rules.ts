import type { Account } from '../storage.ts'

/** What the application says of an account's passkeys. `browser`: the hash of what the asking browser keeps. */
export interface PasskeyRules {
  /** Whether the API refuses the account without one. */
  isRequired(account: Account): Promise<boolean>
  /** Asks those who may confirm it; returns whom to ask in words, null where no manager is left to. */
  askRecovery(account: Account, browser: string): Promise<string | null>
  isRecoveryConfirmed(account: Account, browser: string): Promise<boolean>
  /** True for exactly one of several concurrent calls. */
  useRecovery(account: Account, browser: string): Promise<boolean>
  /** After a sign-in with a passkey. */
  cancelRecovery(account: Account): Promise<void>
}

export const noPasskeyRules: PasskeyRules = {
  isRequired: async () => false,
  askRecovery: async () => null,
  isRecoveryConfirmed: async () => false,
  useRecovery: async () => false,
  cancelRecovery: async () => {},
}
