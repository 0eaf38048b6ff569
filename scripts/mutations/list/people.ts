import { type Mutation, of } from './mutation.ts'

/** Roles of members, and who joins by which invitation. */
export const people: readonly Mutation[] = [
  ...of('server/src/people/people.test.ts', [
    {
      file: 'server/src/lib/http/caller.ts',
      text: '...claimed.filter(isProviderWide)]',
      replacement: '...person.claims]',
      test: 'a role > [PPL-01] decides what a member may do in its organization, from the next call on; the token grants nothing there',
    },
    {
      file: 'server/src/people/grants.ts',
      text: 'if (areRolesReadOnly || !isMember)',
      replacement: 'if (organizationId > 0)',
      test: 'the last Manager > [PPL-03] two managers who demote each other at once: one stays',
    },
    {
      file: 'server/src/people/people.ts',
      text: 'if (amount === 1)',
      replacement: 'if (amount === 0)',
      test: 'the last Manager > [PPL-03] cannot be demoted or removed, and cannot leave',
    },
    {
      file: 'server/src/people/sql.ts',
      text: "    .where('built_in_role', '=', 'manager')\n",
      replacement: '',
      test: 'the last Manager > [PPL-03] cannot be demoted or removed, and cannot leave',
    },
    {
      file: 'server/src/people/sql.ts',
      text: ".where('id', '=', organizationId).forNoKeyUpdate()",
      replacement: ".where('id', '=', organizationId)",
      test: 'the last Manager > [PPL-03] all managers who leave at once: one stays',
    },
    {
      file: 'server/src/groups/groups.ts',
      text: "if (!caller.permissions.has('manage:people'))",
      replacement: "if (caller.userId === '')",
      test: 'members > [PPL-05] join another group only by an invitation, or with manage:people',
    },
    {
      file: 'server/src/people/invitations-sql.ts',
      text: "    .where('invited_by', '=', userId)\n",
      replacement: '',
      test: 'a member who is removed > [PPL-05] takes the invitations along that they sent',
    },
  ]),
  ...of('server/src/people/grants.test.ts', [
    {
      file: 'server/src/people/grants.ts',
      text: 'if (missing.length > 0) throw new Problem(403, `You cannot grant',
      replacement: 'if (missing.length > 99) throw new Problem(403, `You cannot grant',
      test: 'invites with the role > [PPL-06] works within what the actor may do themselves, for every pair of roles',
    },
    {
      file: 'server/src/people/grants.ts',
      text: 'if (missing.length > 0) throw new Problem(403, `You cannot change',
      replacement: 'if (missing.length > 99) throw new Problem(403, `You cannot change',
      test: 'removes a member who has the role > [PPL-06] works within what the actor may do themselves, for every pair of roles',
    },
    {
      file: 'server/src/people/roles.ts',
      text: '[...before.permissions, ...permissions]',
      replacement: 'permissions',
      test: 'empties a role of the same permissions > [PPL-06] works within what the actor may do themselves, for every pair of roles',
    },
  ]),
  ...of('server/src/people/roles.test.ts', [
    {
      file: 'contract/src/people/roles.ts',
      text: '  zones: z.optional(z.array(z.object({ id: z.string() }))),\n',
      replacement: '',
      test: '[PPL-06] of two who edit a role at once the later is refused: a permission that was taken does not come back',
    },
  ]),
  ...of('server/src/people/inviting.test.ts', [
    {
      file: 'server/src/people/invitations.ts',
      text: '  await checkInvitation(db, organizationId, sent.email)\n',
      replacement: '',
      test: 'inviting > an address is sent at most three an hour, by whatever organizations and however many at once',
    },
    {
      file: 'server/src/quotas/quotas.ts',
      text: 'toKey(`of ${organizationId}`)',
      replacement: 'toKey(`of ${email}`)',
      test: 'inviting > an organization sends at most 200 a day',
    },
  ]),
  ...of('server/src/people/invitations.test.ts', [
    {
      file: 'server/src/groups/groups.ts',
      text: 'if (isStaff(caller)) throw new Problem(409, "The vendor\'s staff belong',
      replacement: 'if (false) throw new Problem(409, "The vendor\'s staff belong',
      test: "an invitation > the vendor's staff join no customer",
    },
    {
      file: 'server/src/people/people.ts',
      text: 'if (!isSameAddress(invitation.email, caller.email))',
      replacement: "if (invitation.email === '')",
      test: 'an invitation > [PPL-05] works for no other address, verified or not',
    },
    {
      file: 'server/src/people/people.ts',
      text: 'if (!caller.emailVerified)',
      replacement: "if (caller.userId === '')",
      test: 'an invitation > [PPL-05] works for no account whose address is not verified, until it is',
    },
    {
      file: 'server/src/people/people.ts',
      text: 'if (invitation.accepted_by !== null)',
      replacement: "if (invitation.accepted_by === '')",
      test: 'an invitation > [PPL-05] is used once: opened again by the same person it joins nothing, by another account it is refused',
    },
    {
      file: 'server/src/people/people.ts',
      text: 'if (invitation.revoked_at !== null)',
      replacement: "if (invitation.email === '')",
      test: 'an invitation > [PPL-03] is refused once it is revoked, or has expired',
    },
    {
      file: 'server/src/people/people.ts',
      text: 'if (invitation.is_expired)',
      replacement: "if (invitation.email === '')",
      test: 'an invitation > [PPL-03] is refused once it is revoked, or has expired',
    },
    {
      file: 'server/src/people/people.ts',
      text: ' || invitation.group_id !== group.id',
      replacement: '',
      test: 'an invitation > [PPL-05] opens no other group, not even of the same organization, and nothing when it is made up',
    },
  ]),
  ...of('server/src/people/invitations.test.ts', [
    {
      file: 'server/src/people/people.ts',
      text: 'const isTheirs = caller.emailVerified && isSameAddress',
      replacement: "const isTheirs = caller.email !== '' || isSameAddress",
      test: 'an invitation > [PPL-05] is used once: opened again by the same person it joins nothing, by another account it is refused',
    },
  ]),
  ...of('server/src/registration/organization.test.ts', [
    {
      file: 'server/src/organizations/organizations.ts',
      text: 'emailVerified ? await findWhomToAsk(db, owner.id) : null',
      replacement: 'email ? await findWhomToAsk(db, owner.id) : null',
      test: '[REG-19] a domain that is owned is refused, and who has a verified address of it is told whom to ask',
    },
  ]),
  ...of('server/src/people/taken-back.test.ts', [
    {
      file: 'server/src/people/invitations-sql.ts',
      text: " || '{manage:people}'",
      replacement: '',
      test: 'open invitations are taken back which their inviter could not give by now > [PPL-06] when a role may not manage people any more: all of its members’, and nobody else’s',
    },
    {
      file: 'server/src/people/invitations-sql.ts',
      text: "@> (${selectedPermissions('invitation', 'given')} ||",
      replacement: "@> ('{}'::text[] ||",
      test: 'open invitations are taken back which their inviter could not give by now > [PPL-06] when the role that is given gets more than they have',
    },
    {
      file: 'server/src/people/people.ts',
      text: '  await revokeUngrantable(db, organizationId)\n  const change',
      replacement: '  const change',
      test: 'open invitations are taken back which their inviter could not give by now > [PPL-06] when they get another role that has less',
    },
  ]),
  ...of('server/src/people/active-organization.test.ts', [
    {
      file: 'server/src/lib/http/caller.ts',
      text: 'if (!own) throw notFound()\n  return own.id',
      replacement: 'return (own ?? organizations[0])?.id',
      test: '[PPL-02] a header that names an unknown or a foreign organization is refused alike; a path counts before it',
    },
  ]),
]
