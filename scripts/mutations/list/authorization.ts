import { type Mutation, of } from './mutation.ts'

/** Who may make a call. */
export const authorization: readonly Mutation[] = [
  ...of('server/src/access.test.ts', [
    {
      file: 'server/src/lib/http/router.ts',
      text: 'preParsing: async (request, reply, payload) =>',
      replacement: 'preValidation: async (request: FastifyRequest, reply: FastifyReply, payload?: undefined) =>',
      test: 'createZone > [PER-18] refuses an unknown caller before it reads the body',
    },
    {
      file: 'server/src/lib/http/caller.ts',
      text: "has('global:access:organizations')",
      replacement: "has('global:access:analytics')",
      test: "listZones > [PER-20] lets the vendor's staff in, and tells them which organization does not exist",
    },
    {
      file: 'contract/src/publications/publications.ts',
      text: "/file`,\n    access: organization('manage:cfg'),",
      replacement: '/file`,\n    access: organization(),',
      test: 'publishCodeRules > [PER-10] refuses a member without manage:cfg',
    },
    {
      file: 'contract/src/publications/publications.ts',
      text: "access: organization('manage:cfg'),\n    limitedRole: 'zones',\n    changes: ['devices'],",
      replacement: "access: organization(),\n    limitedRole: 'zones',\n    changes: ['devices'],",
      test: 'reapplyConfiguration > refuses a member without manage:cfg',
    },
    {
      file: 'contract/src/zones.ts',
      text: "access: organization('manage:firmware'),\n    limitedRole: 'zones',\n    changes: ['devices', 'rollouts', 'zones'],",
      replacement: "access: organization(),\n    limitedRole: 'zones',\n    changes: ['devices', 'rollouts', 'zones'],",
      test: 'deleteZone > [PER-12] refuses a member without manage:firmware',
    },
    {
      file: 'contract/src/zones.ts',
      text: "/host/{host}`,\n    access: organization('manage:firmware'),",
      replacement: "/host/{host}`,\n    access: organization('manage:cfg'),",
      test: 'removeHost > refuses a member without manage:firmware',
    },
    {
      file: 'contract/src/firmware/firmware.ts',
      text: "/version`,\n    access: organization('manage:firmware'),",
      replacement: "/version`,\n    access: organization('manage:cfg'),",
      test: 'publishFirmwareVersion > [PER-11] refuses a member without manage:firmware',
    },
    {
      file: 'contract/src/firmware/firmware.ts',
      text: "/file`,\n    access: organization('manage:firmware'),",
      replacement: '/file`,\n    access: organization(),',
      test: 'publishFirmwareFile > [PER-11] refuses a member without manage:firmware',
    },
    {
      file: 'contract/src/firmware/firmware.ts',
      text: "access: organization('manage:firmware'),\n    limitedRole: 'zones',\n    changes: ['devices'],",
      replacement: "access: organization(),\n    limitedRole: 'zones',\n    changes: ['devices'],",
      test: 'reapplyFirmware > refuses a member without manage:firmware',
    },
    {
      file: 'contract/src/groups.ts',
      text: "access: provider('global:access:organizations'),",
      replacement: "access: 'self',",
      test: 'deleteGroup > [PER-14] refuses a member without global:access:organizations',
    },
    {
      file: 'contract/src/cases/cases.ts',
      text: "access: provider('global:access:organizations'),",
      replacement: "access: 'self',",
      test: 'listAllCases > [API-CRM-02] refuses a member without global:access:organizations',
    },
    {
      file: 'contract/src/devices/devices.ts',
      text: 'path: base,\n    access: organization(),',
      replacement: "path: base,\n    access: organization('access:device-dashboard'),",
      test: 'listDevices > [PER-21] lets in a member with no permission',
    },
    {
      file: 'contract/src/hosts.ts',
      text: "/api/agent/outcomes',\n    access: 'agent',",
      replacement: "/api/agent/outcomes',\n    access: 'licence',",
      test: 'reportOutcomes > [PER-18] refuses a licence',
    },
    {
      file: 'server/src/organizations/organizations.ts',
      text: '  if (!organization) throw notFound()\n',
      replacement: '',
      test: "listZones > [PER-20] lets the vendor's staff in, and tells them which organization does not exist",
    },
    {
      file: 'server/src/organizations/organizations.ts',
      text: '(isStaff(person) ? await findOrganization(db, publicId) : undefined)',
      replacement: '(await findOrganization(db, publicId))',
      test: 'listZones > [PER-20] answers another organization as one that does not exist',
    },
    {
      file: 'contract/src/graphs.ts',
      text: "provider('global:access:analytics')",
      replacement: "'self'",
      test: 'getGlobalDevicesByTime > [PER-17] refuses a member without global:access:analytics',
    },
    {
      file: 'contract/src/publications/publications.ts',
      text: "/cfg`,\n    access: organization('manage:cfg'),",
      replacement: '/cfg`,\n    access: organization(),',
      test: 'publishCfg > [PER-10] refuses a member without manage:cfg',
    },
    {
      file: 'contract/src/zones.ts',
      text: "/location/{location}`,\n    access: organization('manage:firmware'),\n    changes: ['zones'],\n    audit: 'ZoneCreate',",
      replacement: "/location/{location}`,\n    access: organization(),\n    changes: ['zones'],\n    audit: 'ZoneCreate',",
      test: 'createZone > [PER-12] refuses a member without manage:firmware',
    },
    {
      file: 'contract/src/devices/devices.ts',
      text: "organization(),\n    limitedRole: 'zones',\n    shows: ['devices'],\n    summary: 'How many readers there are,",
      replacement:
        "organization('access:device-dashboard'),\n    limitedRole: 'zones',\n    shows: ['devices'],\n    summary: 'How many readers there are,",
      test: 'getDeviceTotals > [PER-21] lets in a member with no permission',
    },
    {
      file: 'server/src/organizations/organizations.ts',
      text: 'organization.publicId === publicId',
      replacement: 'person.organizations.length > 0',
      test: 'listZones > [PER-20] answers another organization as one that does not exist',
    },
    {
      file: 'server/src/lib/http/caller.ts',
      text: '!person.permissions.has(permission)',
      replacement: 'person.permissions.size === 0',
      test: 'createZone > [PER-12] refuses a member without manage:firmware',
    },
  ]),
  ...of('server/src/hosts/enrollment.test.ts', [
    {
      file: 'server/src/identity/identity.ts',
      text: 'host.revokedAt !== null || ',
      replacement: '',
      test: 'every call of a removed host says that it was removed',
    },
  ]),
  ...of('server/src/identity/tokens.test.ts', [
    {
      file: 'server/src/identity/tokens.ts',
      text: 'issuer,\n          audience,\n          algorithms,',
      replacement: 'audience,\n          algorithms,',
      test: '[PER-19] refuses a token of another issuer',
    },
    {
      file: 'server/src/identity/tokens.ts',
      text: "requiredClaims: ['exp', 'sub']",
      replacement: "requiredClaims: ['sub']",
      test: '[PER-19] refuses a token of no expiry',
    },
    {
      file: 'server/src/identity/tokens.ts',
      text: 'z.minLength(1), z.maxLength(255)',
      replacement: 'z.maxLength(255)',
      test: '[PER-19] refuses a token of an empty subject',
    },
    {
      file: 'server/src/users/sql.ts',
      text: 'order by joined_at, public_id',
      replacement: 'order by public_id',
      test: '[PER-01] the first organization is the one joined first',
    },
    {
      file: 'server/src/identity/tokens.ts',
      text: 'issuer,\n          audience,\n          algorithms,',
      replacement: 'issuer,\n          algorithms,',
      test: '[PER-19] refuses a token of another audience',
    },
  ]),
  ...of('server/src/lib/http/idempotency.test.ts', [
    {
      file: 'server/src/lib/http/caller.ts',
      text: '? `user ${caller.userId}`',
      replacement: "? 'user'",
      test: "[PUB-10] a key is its caller's: a colleague may use the same",
    },
    {
      file: 'server/src/lib/http/idempotency.ts',
      text: 'stored && request !== hash',
      replacement: "stored && request === ''",
      test: '[PUB-10] same key, another body or another address: refused in words',
    },
    {
      file: 'server/src/lib/http/idempotency-sql.ts',
      text: ".where('caller', '=', caller)",
      replacement: '',
      test: "[PUB-10] a key is its caller's: a colleague may use the same",
    },
    {
      file: 'server/src/lib/http/idempotency-sql.ts',
      text: "interval '24 hours'",
      replacement: "interval '25 hours'",
      test: 'a reply is stored for 24 hours, swept or not',
    },
    {
      file: 'server/src/lib/http/choose-databases.ts',
      text: 'headers[organizationHeader] === undefined ? undefined : ',
      replacement: '',
      test: 'who has no organization yet gets their first answer again, also once the call has given them one',
    },
  ]),
  ...of('server/src/lib/http/if-match.test.ts', [
    {
      file: 'server/src/lib/http/if-match.ts',
      text: 'tags && !tags.includes(await computeEtag(etag, current))',
      replacement: 'tags && tags.length > 1',
      test: 'updateAd > what is based on an older record is refused, and what was written since stays',
    },
  ]),
  ...of('server/src/scanner-app-users/scanner-app-users.test.ts', [
    {
      file: 'server/src/scanner-app-users/routes.ts',
      text: 'if (!isStaff(caller) && address !== normalizeAddress(caller.email)) throw notFound',
      replacement: 'if (false) throw notFound',
      test: 'a user cannot read or write another user, or learn whether they use the app',
    },
    {
      file: 'server/src/scanner-app-users/routes.ts',
      text: '!isStaff(caller) && !caller.emailVerified',
      replacement: 'false',
      test: 'an address that is not verified gives no access',
    },
  ]),
  ...of('server/src/users/profile.test.ts', [
    {
      file: 'server/src/users/sql.ts',
      text: "    .set({ id: userId, ...profile })\n    .where('id', '=', userId)",
      replacement: '    .set({ ...profile })',
      test: '[API-USR-02 ENT-17] changes what is given, and leaves the rest',
    },
  ]),
  ...of('server/src/users/verification.test.ts', [
    {
      file: 'server/src/users/users.ts',
      text: 'unverified: 60 }',
      replacement: 'unverified: 86_400 }',
      test: '[REG-19] where tokens lack the address, the provider is asked again after a minute until it is verified, then once a day',
    },
  ]),
]
