import * as z from 'zod/mini'
import { endpoint, organization } from '../http/endpoint.ts'
import { field } from '../text/fields.ts'
import { Uuid } from '../text/text.ts'

/** Whether calls of an organization's members must come from a sign-in with a passkey. */
export const SignInRule = z.object({ requiresPasskeys: z.boolean() })
export type SignInRule = z.infer<typeof SignInRule>

/**
 * A request of a member who lost their passkeys. After it is confirmed, the browser that asked can add a new passkey until `expiresAt`.
 * `address`, `browser`: where the request came from.
 */
export const Recovery = z.object({
  recoveryId: z.string(),
  name: z.string(),
  email: z.string(),
  requestedAt: z.iso.datetime(),
  address: z.string(),
  browser: z.string(),
  expiresAt: z.iso.datetime(),
  isConfirmed: z.boolean(),
  isOwn: z.boolean(),
})
export type Recovery = z.infer<typeof Recovery>

export const RecoveryConfirmation = z.object({
  code: field(
    z.pipe(
      z.string().check(z.overwrite((text) => text.replace(/\s/g, ''))),
      z.string().check(z.regex(/^\d{6}$/, 'must be the 6 digits that the member reads to you')),
    ),
    { label: 'Code', hint: 'The 6 digits that the member reads to you.' },
  ),
})

/** The most wrong codes for one request. The last one ends it. */
export const mostWrongCodes = 5

/** Hours for which a recovery can be confirmed; a confirmed one can be used for as long again. */
export const recoveryHours = 24

const base = '/api/codedm/organization/{organizationId}/people'
const managers = organization('manage:people')
const params = z.object({ recoveryId: Uuid })

export const passkeyCalls = {
  getSignInRule: endpoint({
    method: 'GET',
    path: `${base}/sign-in`,
    access: managers,
    shows: ['people'],
    summary: 'Whether members must sign in with a passkey',
    response: SignInRule,
  }),
  setSignInRule: endpoint({
    method: 'PUT',
    path: `${base}/sign-in`,
    access: managers,
    changes: ['people'],
    audit: 'setSignInRule',
    summary: 'Set whether members must sign in with a passkey; requiring it needs a caller who did',
    body: SignInRule,
    response: SignInRule,
  }),
  listRecoveries: endpoint({
    method: 'GET',
    path: `${base}/recoveries`,
    access: managers,
    shows: ['people'],
    summary: 'Members who lost their passkeys and ask for a recovery, oldest first; the first 100',
    response: z.array(Recovery),
  }),
  confirmRecovery: endpoint({
    method: 'POST',
    path: `${base}/recoveries/{recoveryId}/confirm`,
    access: managers,
    changes: ['people'],
    audit: 'confirmRecovery',
    summary: 'Confirm that it is the member who asks for a recovery, with the code that they tell; not one’s own; their other requests end',
    params,
    body: RecoveryConfirmation,
    response: Recovery,
  }),
  refuseRecovery: endpoint({
    method: 'DELETE',
    path: `${base}/recoveries/{recoveryId}`,
    access: managers,
    changes: ['people'],
    audit: 'refuseRecovery',
    summary: 'Refuse a recovery, also one that is confirmed and not used yet',
    params,
  }),
}
