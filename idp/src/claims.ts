import type { Account } from './storage.ts'

export function toProfileClaims(account: Account) {
  const name = account.name || account.email
  return {
    sub: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    name,
    nickname: account.email.split('@')[0] ?? account.email,
    picture: drawInitials(name),
  }
}

/** The claims of an access token. `grant`: identifies the sign-in. */
export function toTokenClaims(account: Account, grantId: string | undefined) {
  const { email, email_verified, name } = toProfileClaims(account)
  return { permissions: account.permissions, email, email_verified, name, grant: grantId }
}

function drawInitials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#20242A"/>` +
    `<text x="20" y="26" fill="#F9FAFB" font-family="sans-serif" font-size="16" text-anchor="middle">${initials}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
