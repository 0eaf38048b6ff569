import { type Mutation, of } from './mutation.ts'

/** How long access lasts, and who ends it. */
export const sessions: readonly Mutation[] = [
  ...of('idp/src/passkeys/confirmation.test.ts', [
    {
      file: 'idp/src/passkeys/recent.ts',
      text: '!session.past(mostAge)',
      replacement: '!session.past(mostAge * 2)',
      test: '[SES-05 MAY-02] 5 minutes after the sign-in, passkeys are added and removed only after the password, for 5 minutes more',
    },
    {
      file: 'idp/src/passkeys/confirmation.ts',
      text: 'used?.account.id === account.id',
      replacement: 'used !== undefined',
      test: '[SES-05] the owner may confirm with one of their passkeys, and with nobody else’s',
    },
    {
      file: 'idp/src/passkeys/manage.ts',
      text: "accepts: (factor) => factor !== 'password' || !isRequired,",
      replacement: 'accepts: () => true,',
      test: '[SES-05] where a passkey is required, the password confirms nothing',
    },
    {
      file: 'idp/src/passkeys/sign-in.ts',
      text: 'if (!(await isRecent(',
      replacement: "if (ctx.method === '' && !(await isRecent(",
      test: '[SES-05] on the way in, an old sign-in adds a first passkey only after the password',
    },
    {
      file: 'idp/src/sign-in/protection.ts',
      text: '  notices.send(ctx, notice, account)\n',
      replacement: '',
      test: '[SES-05] a mail tells the owner of each passkey that is added or removed, and of a new password',
    },
  ]),
  ...of('idp/src/passkeys/confirmation.test.ts', [
    {
      file: 'idp/src/passkeys/manage.ts',
      text: 'factor.passkey !== id',
      replacement: 'true',
      test: '[MAY-02] a passkey is removed by a factor that remains: neither by itself, nor by a link that somebody sends',
    },
    {
      file: 'idp/src/sign-in/change-password.ts',
      text: "accepts: (factor) => factor !== 'password' }",
      replacement: 'accepts: () => true }',
      test: '[MAY-02] an account with a passkey changes its password after a passkey of the last 5 minutes, beside the present password',
    },
  ]),
  ...of('idp/src/sign-in/foreign-forms.test.ts', [
    {
      file: 'idp/src/sign-in/browser.ts',
      text: 'if (!isForeign(ctx)) ctx.cookies.set(',
      replacement: 'ctx.cookies.set(',
      test: '[MAY-03] who is signed in stays so, and so does the form they have open',
    },
  ]),
  ...of('server/src/identity/protection.test.ts', [
    {
      file: 'server/src/identity/provider-sql.ts',
      text: "where model = 'Interaction' and payload",
      replacement: "where model = '' and payload",
      test: 'a passkey that is > [MAY-02] removed takes every other session along',
    },
    {
      file: 'server/src/identity/provider-sql.ts',
      text: "      and coalesce(payload ->> 'grantId', '') <> all(${grants}::text[])`.execute(db)",
      replacement: '`.execute(db)',
      test: 'a passkey that is > [MAY-02] removed takes every other session along',
    },
  ]),
  ...of('server/src/library/deleted.test.ts', [
    {
      file: 'server/src/library/sql.ts',
      text: 'and e.deleted_at is null\n  left join',
      replacement: '\n  left join',
      test: '[MAY-01] a deleted entry is gone everywhere, and comes back with all its versions',
    },
    {
      file: 'server/src/library/library.ts',
      text: 'mayChangeAll(caller) ? null : caller.userId',
      replacement: 'null',
      test: '[MAY-01] whoever may delete it may bring it back, and sees it among the deleted',
    },
  ]),
  ...of('server/src/writes-of-roles.test.ts', [
    {
      file: 'server/src/library/library.ts',
      text: 'maker === caller.userId || mayChangeAll(caller)',
      replacement: "maker === caller.userId || caller.permissions.has('manage:cfg')",
      test: '[MAY-01] updateLibraryEntry of what others made needs manage:cfg-lib, of their own nothing',
    },
  ]),
  ...of('server/src/identity/sessions.test.ts', [
    {
      file: 'server/src/identity/provider-sql.ts',
      text: "    .where('blocked', '=', false)\n",
      replacement: '',
      test: 'access ends > [SES-01] after a block every server refuses the old access token',
    },
    {
      file: 'server/src/identity/sessions.ts',
      text: 'claims.permissions.filter((permission) => account.permissions.includes(permission))',
      replacement: 'claims.permissions',
      test: 'access ends > [SES-01] provider-wide permissions that are taken away are gone from the old token; those that are given are not in it',
    },
    {
      file: 'server/src/lib/http/router.ts',
      text: 'return isDeepStrictEqual([request.caller, request.organization], [caller, organization])',
      replacement: 'return caller !== undefined || isDeepStrictEqual(organization, null)',
      test: 'access ends > [SES-01] what a role no longer permits is refused, and streams are opened anew',
    },
    {
      file: 'server/src/lib/http/send-events.ts',
      text: 'catch(() => false)',
      replacement: 'catch(() => true)',
      test: 'access ends > [SES-01] an event stream ends with the membership',
    },
    {
      file: 'server/src/identity/tokens.ts',
      text: 'return !isEmbedded && ',
      replacement: 'return ',
      test: 'a token of the embedded provider that is no access token is refused',
    },
  ]),
  ...of('server/src/identity/late-bodies.test.ts', [
    {
      file: 'server/src/lib/http/router.ts',
      text: 'if (elapsedTime <= recheckMs) return',
      replacement: 'if (elapsedTime <= 60 * recheckMs) return',
      test: 'what a call may do is decided again once its body is there > [SES-01] nor does a JSON body that took as long do anything',
    },
    {
      file: 'server/src/identity/tokens.ts',
      text: 'currentDate: at,',
      replacement: '',
      test: 'what a call may do is decided again once its body is there > a token that expires while its body comes was good when the call began, and for no other call',
    },
  ]),
  ...of('server/src/identity/back-channel-logout.test.ts', [
    {
      file: 'server/src/identity/sql.ts',
      text: 'sid = any(${sids}::text[])',
      replacement: "sid = ''",
      test: 'a hosted provider whose access tokens name their session > [SES-01] may name the session alone, which ends, and the person’s other goes on',
    },
    {
      file: 'server/src/identity/sessions.ts',
      text: 'end.subject === subject && session.issuedAt <= end.ended_at',
      replacement: 'end.subject === subject',
      test: 'a logout token > leaves what began after it',
    },
    {
      file: 'server/src/identity/tokens.ts',
      text: 'nonce: z.optional(z.undefined())',
      replacement: 'nonce: z.optional(z.string())',
      test: 'a logout token > [SES-01] with a nonce ends nothing',
    },
    {
      file: 'server/src/identity/tokens.ts',
      text: 'audience: clientId,',
      replacement: '',
      test: 'a logout token > [SES-01] for another client ends nothing',
    },
  ]),
  ...of('idp/src/sign-in/refresh.test.ts', [
    {
      file: 'idp/src/refresh-tokens.ts',
      text: ' || (await adapter.find(toSuccessor(id)))?.consumed',
      replacement: '',
      test: '[SES-10] the same refresh token ends its family once its successor was used',
    },
    {
      file: 'idp/src/refresh-tokens.ts',
      text: ' && consumedBy === identifyClient(trustProxy)',
      replacement: ' && consumedBy !== undefined',
      test: '[SES-10] the same refresh token ends its family from another address',
    },
  ]),
  ...of('server/src/identity/guesses.test.ts', [
    {
      file: 'idp/src/sign-in/check-password.ts',
      text: 'account && (await browsers.find(ctx, account))',
      replacement: 'undefined as string | undefined',
      test: '[SES-03] the owner gets in from a browser that signed in before, at any server and at the address of the guesser',
    },
    {
      file: 'idp/src/sign-in/known-browsers.ts',
      text: 'if (former) await storage.deleteRecord(model, hash(former))',
      replacement: '',
      test: '[SES-03] a browser is known for its own accounts, with the cookie of its newest sign-in, until the password is another',
    },
    {
      file: 'server/src/quotas/sql.ts',
      text: ' or idp_attempt.amount < ${limit}',
      replacement: ' or idp_attempt.amount <= ${limit}',
      test: '[SES-03] of 30 guesses at once at two servers, exactly 10 are looked at, wherever they come from',
    },
  ]),
  ...of('server/src/identity/security-events.test.ts', [
    {
      file: 'idp/src/sign-in/check-password.ts',
      text: 'if (attempt.left === 0) void events',
      replacement: 'void events',
      test: '[SES-06] sign-ins, good and bad, and a lock-out are in the log; sign-ins and lock-outs in the audit log',
    },
  ]),
  ...of('idp/src/passkeys/passkeys.test.ts', [
    {
      file: 'idp/src/sign-in/login.ts',
      text: 'prompt.reasons.every((reason) => reason === passkeyRequired)',
      replacement: 'prompt.reasons.includes(passkeyRequired)',
      test: '[SES-05] a sign-in that is too long ago adds no passkey: it begins with the password',
    },
    {
      file: 'idp/src/passkeys/ceremonies.ts',
      text: ' && record.browser === hash(guard.createProof(ctx))',
      replacement: '',
      test: '[SES-05] a challenge is for one use, and for the browser that it was made for',
    },
  ]),
  ...of('server/src/people/passkeys.test.ts', [
    {
      file: 'server/src/lib/http/caller.ts',
      text: 'if (worked) return worked.id',
      replacement: 'if (worked && organizations.length === 0) return worked.id',
      test: '[SES-05] the registry of readers asks the organization in its path, whichever the header names',
    },
    {
      file: 'server/src/people/passkeys.ts',
      text: 'if (row.user_id === ownId) throw',
      replacement: "if (row.user_id === '') throw",
      test: '[SES-05] a recovery is confirmed by another manager, not by its person, nor by who may do less',
    },
  ]),
  ...of('server/src/identity/passkeys.test.ts', [
    {
      file: 'server/src/identity/passkeys-sql.ts',
      text: '(keepsLast && own.length === 1)',
      replacement: 'keepsLast === undefined',
      test: '[SES-05] two servers that remove the last passkeys at once leave one',
    },
  ]),
  ...of('idp/src/sign-in/session.test.ts', [
    {
      file: 'idp/src/logout.ts',
      text: '!isConfirmed && !(await',
      replacement: "!isConfirmed && clientId === '' && !(await",
      test: 'signing out > a link from another page signs nobody out: it asks, and only its own form does',
    },
  ]),
]
