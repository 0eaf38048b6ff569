import { createHash, randomBytes } from 'node:crypto'
import type { Account, Storage } from '../storage.ts'
import { type Context, toCookieName } from './browser.ts'

const model = 'Browser'
// Seconds.
const knownFor = 180 * 24 * 3600
// A PC of a ward has many accounts. Each takes about 50 bytes in every request.
const mostAccounts = 10

/**
 * Browsers in which an account has signed in (SES-03, decision 0049). A signed cookie has a secret for each of its accounts, renewed at
 * each sign-in; only hashes are stored. Signing an account out everywhere also forgets its browsers.
 */
export function createKnownBrowsers(storage: Storage) {
  const read = (ctx: Context): Map<string, string> => {
    const cookie = ctx.cookies.get(toCookieName(ctx, 'idp_browser'), { signed: true }) ?? ''
    return new Map(cookie.split('~').flatMap((entry) => (/^[\w-]+\.[\w-]+$/.test(entry) ? [entry.split('.') as [string, string]] : [])))
  }

  return {
    /** Returns the browser's name; undefined where the account never signed in there. */
    async find(ctx: Context, account: Account): Promise<string | undefined> {
      const secret = read(ctx).get(toTag(account))
      const record = secret && (await storage.findRecord(model, hash(secret)))
      return record && record.accountId === account.id && Number(record.exp) > Date.now() / 1000 ? hash(secret) : undefined
    },

    async remember(ctx: Context, account: Account): Promise<void> {
      const entries = read(ctx)
      const [tag, secret] = [toTag(account), randomBytes(24).toString('base64url')]
      const former = entries.get(tag)
      if (former) await storage.deleteRecord(model, hash(former))
      await storage.upsertRecord(model, hash(secret), { accountId: account.id, exp: Math.floor(Date.now() / 1000) + knownFor }, knownFor)
      entries.delete(tag)
      const newest = [[tag, secret], ...entries].slice(0, mostAccounts)
      const value = newest.map((entry) => entry.join('.')).join('~')
      ctx.cookies.set(toCookieName(ctx, 'idp_browser'), value, {
        signed: true,
        httpOnly: true,
        sameSite: 'lax',
        path: '/',
        maxAge: knownFor * 1000,
      })
    },
  }
}

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>

const toTag = ({ id }: Account): string => hash(id).slice(0, 8)

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
