import type { Account } from '../storage.ts'
import { type Context, getClientAddress } from './browser.ts'

/** Events of accounts, for those who watch over them (SES-06). `lockOut`: an account, a browser or an address has no attempts left. */
export type SecurityEventKind =
  | 'signIn'
  | 'signInRefused'
  | 'lockOut'
  | 'signOut'
  | 'signUp'
  | 'emailConfirmed'
  | 'resetRequested'
  | 'passwordReset'
  | 'passwordChanged'
  | 'refreshTokenReused'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeyRefused'
  | 'recoveryRequested'
  | 'recoveryUsed'

/** `account`: undefined for an unknown e-mail address, which events do not name. */
export interface SecurityEvent {
  kind: SecurityEventKind
  account: Pick<Account, 'id' | 'email'> | undefined
  reason: string | undefined
  address: string
  requestId: string
}

interface Details {
  account?: Pick<Account, 'id' | 'email'> | undefined
  reason?: string
}

export function createSecurityLog(trustProxy: number, onEvent: (event: SecurityEvent) => Promise<void> = async () => {}) {
  return {
    record(ctx: Pick<Context, 'req'>, kind: SecurityEventKind, { account, reason }: Details): Promise<void> {
      const requestId = String(ctx.req.headers['x-request-id'] ?? '')
      return onEvent({
        kind,
        account: account && { id: account.id, email: account.email },
        reason,
        address: getClientAddress(ctx.req, trustProxy),
        requestId,
      })
    },
  }
}

export type SecurityLog = ReturnType<typeof createSecurityLog>
