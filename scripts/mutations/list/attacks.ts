import { type Mutation, of } from './mutation.ts'

const ended = (act: string) => `access ends > [SES-01] after ${act} every server refuses the old access token`

/** The attacks of docs/security/threat-model.md: each succeeds once what stops it is taken out. Those on outcomes and revoked licences are in other lists; a second account is stopped by three things. */
export const attacks: readonly Mutation[] = [
  ...of('server/src/lib/http/json-limits.test.ts', [
    {
      file: 'server/src/lib/http/json-limits.ts',
      text: 'if (depth > maxDepth) return',
      replacement: 'if (depth < 0) return',
      test: '[LMT-02] JSON of 32 levels is read, of 33 refused',
    },
  ]),
  ...of('server/src/licences/numbers.test.ts', [
    {
      file: 'contract/src/licences/licences.ts',
      text: "path: `${base}/create`,\n    access: organization('manage:licences'),",
      replacement: 'path: `${base}/create`,\n    access: organization(),',
      test: '[PPL-06 PPL-07] a member without permissions issues no licence, and enrolls no host PC with what is to be seen of another',
    },
  ]),
  ...of('server/src/lib/http/gate.test.ts', [
    {
      file: 'server/src/lib/http/gate.ts',
      text: 'mostCrossingLists] = [10, 4]',
      replacement: 'mostCrossingLists] = [20, 4]',
      test: 'whole lists of all members together leave connections to other calls',
    },
  ]),
  ...of('server/src/lib/http/gate.test.ts', [
    {
      file: 'server/src/lib/http/gate.ts',
      text: 'third(half(options.atOnce))]',
      replacement: 'options.atOnce]',
      test: '[SCL-10 FAI-02] searches of an account, of its organization, and of one of the staff leave connections to the others, and run on where nobody waits',
    },
  ]),
  ...of('server/src/quotas/storage.test.ts', [
    {
      file: 'server/src/quotas/storage.ts',
      text: 'if (!hasFile && !content.some(isGrowing)) return',
      replacement: 'return',
      test: '[FAI-05] of 64 that two accounts of an organization save at once so many fit in its quota',
    },
  ]),
  ...of('server/src/lib/http/addresses.test.ts', [
    {
      file: 'server/src/lib/http/http.ts',
      text: 'trustProxy: (_address, hop) => hop < settings.trustProxy,',
      replacement: 'trustProxy: settings.trustProxy > 0,',
      test: '[LMT-06] behind proxies the address that the outermost has seen counts, whatever its caller invents',
    },
  ]),
  ...of('server/src/main.test.ts', [
    {
      file: 'server/src/main.ts',
      text: 'if (settings.production) await refuseDemo(database)',
      replacement: 'if (settings.demo) await refuseDemo(database)',
      test: '[SES-04] production does not start on a database of the demo until its accounts and licences are removed',
    },
  ]),
  ...of('server/src/identity/sessions.test.ts', [
    {
      file: 'server/src/identity/sessions.ts',
      text: 'if (!account) throw ended()',
      replacement: 'if (!account) return claims',
      test: ended('a sign-out'),
    },
    {
      file: 'server/src/identity/provider-storage.ts',
      text: 'if (isChanged) await deleteRecordsByAccount',
      replacement: 'if (!isChanged) await deleteRecordsByAccount',
      test: ended('a reset of the password'),
    },
    {
      file: 'server/src/identity/provider-sql.ts',
      text: "    .where('expires_at', '>', instant(sql`now()`))\n",
      replacement: '',
      test: 'access ends > the access token of a sign-in that is too long ago is refused before it expires',
    },
  ]),
  ...of('server/src/people/people.test.ts', [
    {
      file: 'server/src/people/people.ts',
      text: 'await deleteMember(db, { organization_id: organizationId, user_id: userId })',
      replacement: 'await Promise.resolve(userId)',
      test: 'a member who is removed > [PPL-03] sees nothing of the organization any more, and is in nobody’s list; the audit log says who did it',
    },
  ]),
  ...of('server/src/quotas/quotas.test.ts', [
    {
      file: 'server/src/quotas/quotas.ts',
      text: 'if (amount > newReadersPerHour) throw',
      replacement: 'if (amount < 0) throw',
      test: '[LMT-05] so many readers of a host PC may be new within an hour',
    },
    {
      file: 'server/src/quotas/quotas.ts',
      text: 'if (amount > outcomesPerMinute)',
      replacement: 'if (amount < 0)',
      test: '[LMT-05] a host PC reports so many outcomes in a minute',
    },
  ]),
  ...of('server/src/identity/tokens.test.ts', [
    {
      file: 'server/src/identity/tokens.ts',
      text: 'if (named !== issuer)',
      replacement: "if (named === '')",
      test: 'a provider whose documents name another issuer stops the start',
    },
  ]),
  ...of('server/src/identity/signing-keys.test.ts', [
    {
      file: 'idp/src/signing-keys.ts',
      text: 'const leadTime = 60',
      replacement: 'const leadTime = 0',
      test: 'a new signing key is published before it signs, and what the old one signed is taken until it expires',
    },
    {
      file: 'idp/src/signing-keys.ts',
      text: 'leadTime + tokenLifetime + clockTolerance',
      replacement: 'leadTime',
      test: 'a new signing key is published before it signs, and what the old one signed is taken until it expires',
    },
    {
      file: 'idp/src/signing-keys.ts',
      text: 'all: toJwks(others)',
      replacement: 'all: toJwks([])',
      test: 'a new signing key is published before it signs, and what the old one signed is taken until it expires',
    },
    {
      file: 'server/src/identity/provider-sql.ts',
      text: 'next.number > idp_key.number and ',
      replacement: '',
      test: 'a new signing key is published before it signs, and what the old one signed is taken until it expires',
    },
    {
      file: 'server/src/identity/provider-sql.ts',
      text: "  await db.deleteFrom('idp_record').execute()\n",
      replacement: '',
      test: 'after a stolen key nothing that it signed is taken, and everyone signs in again',
    },
  ]),
  ...of('idp/src/sign-in/longest-sign-in.test.ts', [
    {
      file: 'idp/src/configuration.ts',
      text: '  Object.assign(grant, { exp })\n',
      replacement: '',
      test: 'a sign-in ends after 30 days, however often it is renewed and used meanwhile',
    },
    {
      file: 'idp/src/configuration.ts',
      text: "  policy.get('login')?.checks.add(ended)\n",
      replacement: '',
      test: 'a sign-in ends after 30 days, however often it is renewed and used meanwhile',
    },
  ]),
]
