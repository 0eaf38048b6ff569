import { type Mutation, of } from './mutation.ts'

/** Lists of readers, licences, configurations and ads, and the counts of graphs. */
export const records: readonly Mutation[] = [
  ...of('server/src/access.test.ts', [
    {
      file: 'contract/src/licences/licences.ts',
      text: "/generate`,\n    access: organization('manage:licences'),",
      replacement: "/generate`,\n    access: 'self',",
      test: 'generateLicence > [PER-20] answers another organization as one that does not exist',
    },
    {
      file: 'contract/src/licences/licences.ts',
      text: "/create`,\n    access: organization('manage:licences'),",
      replacement: '/create`,\n    access: organization(),',
      test: 'createLicence > [PPL-07] refuses a member without manage:licences',
    },
    {
      file: 'contract/src/licences/licences.ts',
      text: "/{id}/revoke`,\n    access: organization('manage:licences'),",
      replacement: '/{id}/revoke`,\n    access: organization(),',
      test: 'revokeLicence > [PPL-07] refuses a member without manage:licences',
    },
  ]),
  ...of('server/src/ads/ads.test.ts', [
    {
      file: 'server/src/ads/sql.ts',
      text: 'between start_date and end_date',
      replacement: '>= start_date',
      test: '[API-ADS-01] customers see what is published and within its days, the newest first; staff see every ad',
    },
    {
      file: 'server/src/ads/sql.ts',
      text: "query.where('status', '=', 1).where(",
      replacement: 'query.where(',
      test: '[API-ADS-01] customers see what is published and within its days, the newest first; staff see every ad',
    },
  ]),
  ...of('server/src/cases/cases.test.ts', [
    {
      file: 'server/src/lib/like.ts',
      text: 'replace(/[\\\\%_]/g',
      replacement: 'replace(/[\\\\%]/g',
      test: '[CRM-02] stored in the database > lists by status and by what is searched for; wildcards and quotes mean themselves',
    },
  ]),
  ...of('server/src/devices/list.test.ts', [
    {
      file: 'server/src/lib/like.ts',
      text: 'replace(/[\\\\%_]/g',
      replacement: 'replace(/[\\\\_]/g',
      test: '[API-DEV-02] a search ignores case, its wildcards are characters, and readers without a value come last',
    },
  ]),
  ...of('server/src/graphs/graphs.test.ts', [
    {
      file: 'server/src/graphs/sql.ts',
      text: 'select ${columns} from ${table} where organization_id = 0 and',
      replacement: 'select ${columns} from ${table} where',
      test: '[API-GRA-01 API-GRA-02 API-GRA-03 API-GRA-04 API-GRA-05 API-GRA-06 API-GRA-07 API-GRA-08 API-GRA-09 API-GRA-10] every graph is what counting all reports finds, whatever comes late, twice, out of order or at once',
    },
    {
      file: 'server/src/graphs/sql.ts',
      text: 'where d.device_id is null or d.model is distinct from r.model or not',
      replacement: 'where d.device_id is null or not',
      test: '[API-GRA-01 API-GRA-02 API-GRA-03 API-GRA-04 API-GRA-05 API-GRA-06 API-GRA-07 API-GRA-08 API-GRA-09 API-GRA-10] every graph is what counting all reports finds, whatever comes late, twice, out of order or at once',
    },
    {
      file: 'server/src/graphs/sql.ts',
      text: 'u.used_on is null or u.used_on < excluded.used_on',
      replacement: 'true',
      test: 'what outlives its year is taken off before the sweep has seen it, and the sweep forgets it',
    },
  ]),
  ...of('server/src/legacy-configs/legacy-configs.test.ts', [
    {
      file: 'server/src/legacy-configs/sql.ts',
      text: "scope !== 'all', (query) => query.where(isOfAny(scope)))\n    .orderBy(",
      replacement: 'false, (query) => query.where(isOfAny(scope)))\n    .orderBy(',
      test: 'another organization > neither sees, changes nor deletes it',
    },
    {
      file: 'server/src/legacy-configs/sql.ts',
      text: "    .set({ collection, ...changes })\n    .where('id', '=', id)\n    .where('collection', '=', collection)",
      replacement: "    .set({ collection, ...changes })\n    .where('id', '=', id)",
      test: 'a config > [API-LEG-06] is changed in its collection, and what is absent stays',
    },
    {
      file: 'server/src/legacy-configs/sql.ts',
      text: ".where('company_id', '=', companyId)",
      replacement: '',
      test: 'a config > [API-LEG-03] is listed by its company’s number',
    },
    {
      file: 'server/src/legacy-configs/sql.ts',
      text: "    .deleteFrom('config')\n    .where('id', '=', id)",
      replacement: "    .deleteFrom('config')",
      test: 'a config > [API-LEG-07] is deleted from its collection, once',
    },
  ]),
  ...of('server/src/library/library.test.ts', [
    {
      file: 'server/src/library/sql.ts',
      text: "    .where('organization_id', '=', organizationId)\n    .where('device', '=', device)",
      replacement: "    .where('device', '=', device)",
      test: 'the library > is its organization’s own',
    },
  ]),
  ...of('server/src/licences/licences.test.ts', [
    {
      file: 'server/src/licences/sql.ts',
      text: "...issuing])\n    .where('organization_id', '=', organizationId)\n",
      replacement: '...issuing])\n',
      test: "another organization's licence is one that does not exist",
    },
    {
      file: 'server/src/licences/sql.ts',
      text: "conflict.column('licence_number').doNothing()",
      replacement: "conflict.column('licence_number').doUpdateSet(licence)",
      test: 'a number is taken once, whoever has it',
    },
    {
      file: 'server/src/licences/licences.ts',
      text: 'if (missing) throw refused',
      replacement: 'if (false) throw refused',
      test: '[LIC-02] a type that needs a purchase order refuses undefined, at the field',
    },
    {
      file: 'server/src/licences/licences.ts',
      text: 'call.body.licenseId ?? organization.licence_type_id',
      replacement: 'organization.licence_type_id',
      test: '[API-LIC-04 LIC-03] a generated licence has a file that the published key verifies, also when it is read again',
    },
  ]),
  ...of('server/src/licences/revocation.test.ts', [
    {
      file: 'server/src/licences/licences.ts',
      text: 'if (licence.revoked_at)',
      replacement: 'if (false as boolean)',
      test: '[PPL-07] after its revocation a licence enrolls nobody, by its number or its file, and is told so by name',
    },
    {
      file: 'server/src/licences/licences.ts',
      text: 'selectLicence(db, organizationId, licenceId).forShare()',
      replacement: 'selectLicence(db, organizationId, licenceId)',
      test: '[PPL-07] host PCs that were left are removed later; a host PC that enrolls at the same moment is refused or removed',
    },
    {
      file: 'server/src/licences/licences.ts',
      text: "const missing = removeHosts && findMissingPermission(actor.caller, ['manage:firmware'])",
      replacement: 'const missing = false as boolean',
      test: '[PPL-06 PPL-07] who may not remove host PCs removes none by revoking their licence',
    },
    {
      file: 'server/src/zones/sql.ts',
      text: 'and licence_id = ${licenceId} and revoked_at is null',
      replacement: 'and revoked_at is null',
      test: '[PPL-07] its host PCs are removed with it, all or none: each is refused from then on, and the audit log has each',
    },
    {
      file: 'server/src/zones/sql.ts',
      text: 'and licence_id = ${licenceId} and revoked_at is null',
      replacement: 'and licence_id = ${licenceId}',
      test: '[PPL-07] its host PCs are removed with it, all or none: each is refused from then on, and the audit log has each',
    },
  ]),
  ...of('server/src/licences/numbers.test.ts', [
    {
      file: 'server/src/licences/licences.ts',
      text: 'licenseNumber: showsNumbers ? row.licence_number : shortenLicenceNumber(row.licence_number)',
      replacement: 'licenseNumber: row.licence_number',
      test: '[PPL-06 PPL-07] a member without permissions issues no licence, and enrolls no host PC with what is to be seen of another',
    },
    {
      file: 'server/src/licences/licences.ts',
      text: 'file === null || !showsNumbers ? null',
      replacement: 'file === null ? null',
      test: '[PPL-06 PPL-07] a member without permissions issues no licence, and enrolls no host PC with what is to be seen of another',
    },
    {
      file: 'server/src/licences/licences.ts',
      text: 'target: shortenLicenceNumber(licenseNumber)',
      replacement: 'target: licenseNumber',
      test: '[PPL-06 PPL-07] a member without permissions issues no licence, and enrolls no host PC with what is to be seen of another',
    },
    {
      file: 'server/src/licences/sql.ts',
      text: '...(showsNumbers ? [] : patterns',
      replacement: '...(true ? [] : patterns',
      test: '[PPL-07] a search finds only what is shown: no number is guessed letter by letter',
    },
  ]),
  ...of('server/src/licences/list.test.ts', [
    {
      file: 'server/src/lib/like.ts',
      text: '`%${text.',
      replacement: '`${text.',
      test: '[API-LIC-01 LIC-01 ENT-21] under any filter and sort the pages are what one finds one by one',
    },
    {
      file: 'server/src/licences/sql.ts',
      text: "timestamptz + interval '1 day'",
      replacement: 'timestamptz',
      test: '[API-LIC-01 LIC-01 ENT-21] under any filter and sort the pages are what one finds one by one',
    },
    {
      file: 'server/src/licences/sql.ts',
      text: 'backwards ? sql`nulls first` : sql`nulls last`',
      replacement: 'sql`nulls last`',
      test: '[API-LIC-01 LIC-01 ENT-21] under any filter and sort the pages are what one finds one by one',
    },
    {
      file: 'server/src/licences/sql.ts',
      text: 'offset(backwards ? fromEnd : page.offset)',
      replacement: 'offset(page.offset)',
      test: '[API-LIC-01 LIC-01 ENT-21] under any filter and sort the pages are what one finds one by one',
    },
  ]),
  ...of('server/src/readers/readers.test.ts', [
    {
      file: 'server/src/organizations/organizations.ts',
      text: '(organization) => organization.publicId === publicId',
      replacement: '() => true',
      test: 'another organization > [API-RDR-01] neither lists, sees, changes nor deletes it, and learns nothing',
    },
    {
      file: 'server/src/readers/sql.ts',
      text: 'greatest(reader.last_activity_at, ',
      replacement: 'coalesce(reader.last_activity_at, ',
      test: 'activity > [API-RDR-01] a host PC that reports a serial number is its activity, unless the stored activity is later',
    },
    {
      file: 'server/src/readers/sql.ts',
      text: "join.onRef('device.organization_id', '=', 'reader.organization_id').onRef(",
      replacement: 'join.onRef(',
      test: "activity > another organization's reader of the same serial number is another reader",
    },
    {
      file: 'server/src/readers/sql.ts',
      text: 'rows.offset(page.offset).limit(page.size)',
      replacement: 'rows.limit(page.size)',
      test: '[API-RDR-01] under any status, text and paging the list is what one finds one by one',
    },
    {
      file: 'server/src/readers/sql.ts',
      text: "readers.orderBy('serial_number').offset(page.offset)",
      replacement: 'readers.offset(page.offset)',
      test: '[API-RDR-01] under any status, text and paging the list is what one finds one by one',
    },
    {
      file: 'server/src/readers/sql.ts',
      text: "conflict.columns(['organization_id', 'serial_number']).doNothing()",
      replacement: "conflict.columns(['organization_id', 'serial_number']).doUpdateSet(reader)",
      test: 'a reader > is registered once in an organization, and in another one too',
    },
  ]),
]
