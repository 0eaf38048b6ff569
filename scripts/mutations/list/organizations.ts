import { type Mutation, of } from './mutation.ts'

/** What people of one organization see and change of another, and who joins which. */
export const organizations: readonly Mutation[] = [
  ...of('server/src/cases/cases.test.ts', [
    {
      file: 'server/src/cases/cases.ts',
      text: 'if (isStaff(caller)) return listCases(desk, cleanFilter, page)',
      replacement: "if (isStaff(caller) || getVerifiedAddress(caller) !== '') return listCases(desk, cleanFilter, page)",
      test: '[CRM-02] stored in the Salesforce > another person’s cases are as unknown ones: in the list, shown, changed and deleted',
    },
    {
      file: 'server/src/cases/cases.ts',
      text: '!found || (own !== undefined && !isSameAddress(found.contactEmail, own))',
      replacement: '!found',
      test: '[CRM-02] stored in the Salesforce > another person’s cases are as unknown ones: in the list, shown, changed and deleted',
    },
    {
      file: 'server/src/cases/cases.ts',
      text: '  if (!emailVerified)\n',
      replacement: '  if (false)\n',
      test: '[CRM-02] stored in the database > an address that is not verified opens no cases',
    },
    {
      file: 'server/src/cases/cases.ts',
      text: 'status !== undefined && !isStaff(caller) && ',
      replacement: 'status === undefined && ',
      test: '[CRM-02] stored in the database > an address that is not verified opens no cases',
    },
    {
      file: 'server/src/cases/cases.ts',
      text: 'isStaff(caller) || (caller.emailVerified && isSameAddress(caller.email, address))',
      replacement: 'true',
      test: '[CRM-02] stored in the database > [API-CRM-04] returns whom the desk knows by one’s own address, and nothing about strangers',
    },
    {
      file: 'server/src/cases/sql.ts',
      text: "sql`lower(contact_email)`, '=', lower(contactEmail)",
      replacement: "'contact_email', '=', contactEmail",
      test: '[CRM-02] stored in the database > [MAY-05 INP-02] one’s own address is one’s own in either form of its domain and in any capitals',
    },
    {
      file: 'server/src/cases/sql.ts',
      text: 'if (status !== undefined) cases =',
      replacement: 'if (status === undefined) cases =',
      test: '[CRM-02] stored in the database > lists by status and by what is searched for; wildcards and quotes mean themselves',
    },
  ]),
  ...of('server/src/groups/delete-group.test.ts', [
    {
      file: 'server/src/groups/groups.ts',
      text: 'replacementId === id || !ids.includes(replacementId)',
      replacement: 'replacementId === id',
      test: '[VAL-02 ADM-09] the replacement is another group of the same organization',
    },
    {
      file: 'server/src/groups/groups.ts',
      text: 'if (ids.length === 1)',
      replacement: 'if (ids.length === 0)',
      test: '[ADM-10] the last group of an organization cannot be deleted, and the problem names the reason',
    },
    {
      file: 'server/src/groups/sql.ts',
      text: ".where('organization_id', '=', organizationId).where('group_id', '=', from)",
      replacement: ".where('organization_id', '=', organizationId)",
      test: '[API-GRP-04 ADM-09] its members and their products move to the replacement, which keeps its own',
    },
  ]),
  ...of('server/src/groups/groups.test.ts', [
    {
      file: 'server/src/groups/sql.ts',
      text: "scope !== 'all', (query) => query.where(isOfAny",
      replacement: 'false, (query) => query.where(isOfAny',
      test: '[PPL-05] without an invitation nobody joins a group of another organization, whatever they may do in their own',
    },
    {
      file: 'server/src/lib/http/caller.ts',
      text: "isStaff(person) ? 'all' : person.organizations.slice(0, 1).map(({ id }) => id)",
      replacement: "'all'",
      test: '[PPL-05] without an invitation nobody joins a group of another organization, whatever they may do in their own',
    },
    {
      file: 'contract/src/groups.ts',
      text: "oneOf('manage:people', 'global:access:organizations')",
      replacement: "'self'",
      test: '[API-GRP-05 PER-14 MAY-01] any group is renamed by who manages people, and by staff, not by its members alone',
    },
    {
      file: 'server/src/groups/sql.ts',
      text: "    .where('group_id', '=', group.group_id)\n    .where(sql<SqlBool>`product_id",
      replacement: '    .where(sql<SqlBool>`product_id',
      test: '[API-GRP-06] replaces the products of the group, each once',
    },
  ]),
  ...of('server/src/organizations/directory.test.ts', [
    {
      file: 'server/src/organizations/sql.ts',
      text: 'limit(shownGroups + 1)',
      replacement: 'limit(shownGroups)',
      test: 'an entry shows how many members each group has, at most twelve groups, and whether there are more',
    },
  ]),
  ...of('server/src/organizations/organization.test.ts', [
    {
      file: 'server/src/groups/sql.ts',
      text: ".whereRef('member.group_id', '=', 'group.id')",
      replacement: '',
      test: '[API-ORG-02 ENT-03 ENT-04 ENT-05] an organization with its groups, their products and members; of members their name and address only',
    },
    {
      file: 'server/src/organizations/sql.ts',
      text: "    .where('organization_id', '=', organizationId)\n    .orderBy(sql`lower(last_name)`)",
      replacement: '    .orderBy(sql`lower(last_name)`)',
      test: '[API-ORG-03 ENT-05] the users of an organization by name, and no others',
    },
  ]),
  ...of('server/src/organizations/whole-list.test.ts', [
    {
      file: 'server/src/organizations/sql.ts',
      text: '(search_text, public_id) > (',
      replacement: '(search_text, public_id) >= (',
      test: 'the list is whole, in more batches than one, compressed or not',
    },
  ]),
  ...of('server/src/registration/organization.test.ts', [
    {
      file: 'server/src/registration/registration.ts',
      text: 'if (isStaff(caller)) throw',
      replacement: 'if (false) throw',
      test: "a member cannot register a second organization, and the vendor's staff cannot register one",
    },
    {
      file: 'server/src/registration/registration.ts',
      text: '(await lockMemberships(db, caller.userId)).length > 0',
      replacement: 'false',
      test: "a member cannot register a second organization, and the vendor's staff cannot register one",
    },
  ]),
  ...of('server/src/registration/tasks.test.ts', [
    {
      file: 'server/src/organizations/organizations.ts',
      text: 'person.emailVerified ? findCompanyDomain(person.email) : null',
      replacement: 'findCompanyDomain(person.email)',
      test: '[REG-19] an unverified address must join as well, and owns no domain',
    },
    {
      file: 'server/src/organizations/organizations.ts',
      text: "domain === '' || publicMailDomains.has(domain)",
      replacement: "domain === ''",
      test: '[REG-19] gmail.com has no owner',
    },
  ]),
  ...of('server/src/users/verification.test.ts', [
    {
      file: 'server/src/organizations/sql.ts',
      text: "    .where('email_domain', 'is', null)\n",
      replacement: '',
      test: '[REG-19] an organization keeps its domain when its founder changes theirs',
    },
    {
      file: 'server/src/organizations/sql.ts',
      text: ".where('registered_by', '=', registeredBy)",
      replacement: '',
      test: '[REG-19] a domain that is owned by then stays with its owner, and the late one is still let in',
    },
  ]),
]
