import pg from 'pg'
import { lockMigrations } from './migrate.ts'

// The names of three roles (decisions 51, 77). `server` sees rows of the organization that its transaction names, `crossing` all rows,
// `identity` only the identity provider's tables.
export interface Logins {
  server: string
  crossing: string
  identity: string
}

/** Accounts with their hashes, signing keys, sessions and links, mails, passkeys and recoveries. */
const secretTables = ['idp_account', 'idp_key', 'idp_record', 'idp_message', 'idp_passkey', 'passkey_recovery']
/** Tables that the identity provider uses too: counts of attempts, and sessions that a hosted provider has ended. */
const sharedTables = ['idp_attempt', 'ended_session']

const role = pg.escapeIdentifier
const literal = pg.escapeLiteral

const names = (tables: readonly string[]) => `array[${tables.map(literal).join()}]`

export const organizationVariable = 'lectern.organization'
/** The setting with the verified e-mail address of the caller. */
export const addressVariable = 'lectern.address'

// After a transaction the setting is an empty text, not null.
const organizationOfTransaction = `nullif(current_setting('${organizationVariable}', true), '')::integer`

// Stored replies of calls without an organization have organization 0. Callers without an organization find them by key.
const withoutOrganization: readonly string[] = ['idempotency_key']
const shown = (table: string) =>
  withoutOrganization.includes(table) ? `coalesce(${organizationOfTransaction}, 0)` : organizationOfTransaction

/** Tables whose rows belong to a person, with the column of the owner's address in small letters. */
const ofPeople: Readonly<Record<string, string>> = { support_case: 'lower(contact_email)', scanner_app_user: 'address' }
const addressOfTransaction = `lower(nullif(current_setting('${addressVariable}', true), ''))`

// SQL: the tables that belong to organizations or persons, and what each of them lacks.
const owned = ({ crossing, identity }: Logins) => `
  select own.oid::regclass::text as name, not (relrowsecurity and relforcerowsecurity) as is_open,
    not exists (select from pg_policy where polrelid = own.oid and polname = case when own.relname = any(${names(Object.keys(ofPeople))})
      then 'person' else 'organization' end) as lacks_owner,
    not exists (select from pg_policy where polrelid = own.oid and polname = 'crossing' and
      cardinality(polroles) = 2
      and polroles @> array[relowner, (select oid from pg_roles where rolname = case when own.relname = any(${names(secretTables)})
        then ${literal(identity)} else ${literal(crossing)} end)]) as lacks_crossing
  from pg_class own
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and (relname = any(${names(Object.keys(ofPeople))})
    or exists (select from pg_attribute where attrelid = own.oid and attname = 'organization_id' and not attisdropped))`

const ownerPolicy = (table: string): string => {
  const address = ofPeople[table]
  // A caller without an organization may add to the vendor's log, which is of organization 0, and reads nothing.
  return address === undefined
    ? `create policy organization on ${table} using (organization_id = ${shown(table)})
         with check (organization_id = coalesce(${organizationOfTransaction}, 0))`
    : `create policy person on ${table} using (${address} = ${addressOfTransaction})`
}

const isGranted = (login: string) => `
  has_schema_privilege(${literal(login)}, 'public', 'usage') and not exists (
    select from pg_class own where relnamespace = 'public'::regnamespace and case relkind
      when 'r' then not (has_table_privilege(${literal(login)}, own.oid, 'select') and has_table_privilege(${literal(login)}, own.oid, 'insert')
        and has_table_privilege(${literal(login)}, own.oid, 'update') and has_table_privilege(${literal(login)}, own.oid, 'delete'))
        and relname <> all(${names(['migration', ...secretTables])}) or relname = any(${names(secretTables)})
          and has_table_privilege(${literal(login)}, own.oid, 'select, insert, update, delete')
      when 'S' then not has_sequence_privilege(${literal(login)}, own.oid, 'update') else false end)`

const grant = (login: string) => `
  grant usage on schema public to ${role(login)};
  grant select, insert, update, delete on all tables in schema public to ${role(login)};
  revoke insert, update, delete on migration from ${role(login)};
  revoke all on ${secretTables.join(', ')} from ${role(login)};
  grant usage, update on all sequences in schema public to ${role(login)};
  alter default privileges in schema public grant select, insert, update, delete on tables to ${role(login)};
  alter default privileges in schema public grant usage, update on sequences to ${role(login)}`

const isIdentityGranted = (login: string) => `
  has_schema_privilege(${literal(login)}, 'public', 'usage') and not exists (
    select from pg_class own where relnamespace = 'public'::regnamespace and relname = any(${names([...secretTables, ...sharedTables])})
      and not (has_table_privilege(${literal(login)}, own.oid, 'select') and has_table_privilege(${literal(login)}, own.oid, 'insert')
        and has_table_privilege(${literal(login)}, own.oid, 'update') and has_table_privilege(${literal(login)}, own.oid, 'delete')))`

const grantIdentity = (login: string) => `
  grant usage on schema public to ${role(login)};
  grant select, insert, update, delete on ${[...secretTables, ...sharedTables].join(', ')} to ${role(login)}`

// Under row security a condition reaches an index only if its functions are leakproof; without that a search would read all rows of an
// organization. These functions reveal nothing of their arguments but the result. Only a superuser can mark them.
const functions = ['textlike(text, text)', 'lower(text)', ...['eq', 'lt', 'le', 'gt', 'ge'].map((name) => `enum_${name}(anyenum, anyenum)`)]
const letSearch = `
  do $$ begin
    if (select rolsuper from pg_roles where rolname = current_user) and exists (
      select from pg_proc where not proleakproof and oid = any(array[${functions.map((name) => `'pg_catalog.${name}'::regprocedure`).join()}])) then
      ${functions.map((name) => `alter function pg_catalog.${name} leakproof;`).join('\n      ')}
    end if;
  end $$`

// Gives the roles their rights, and each table that belongs to an organization or a person its policies. The owner runs it after
// migrations, so no new table is forgotten. Where nothing is missing, it changes nothing and waits for no lock.
export async function secureTables(pool: pg.Pool, logins: Logins): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await lockMigrations(client)
    await client.query(letSearch)
    for (const login of [logins.server, logins.crossing]) {
      const { rows } = await client.query<{ granted: boolean }>(`select ${isGranted(login)} as granted`)
      if (!rows[0]?.granted) await client.query(grant(login))
    }
    const identity = await client.query<{ granted: boolean }>(`select ${isIdentityGranted(logins.identity)} as granted`)
    if (!identity.rows[0]?.granted) await client.query(grantIdentity(logins.identity))
    const { rows } = await client.query<{ name: string; is_open: boolean; lacks_owner: boolean; lacks_crossing: boolean }>(owned(logins))
    for (const { name, is_open, lacks_owner, lacks_crossing } of rows) {
      if (lacks_owner) await client.query(ownerPolicy(name))
      // The owner's role too needs it for migrations and backups, as policies hold for it as well.
      if (lacks_crossing)
        await client.query(
          `drop policy if exists crossing on ${name};
           create policy crossing on ${name} to current_user, ${role(secretTables.includes(name) ? logins.identity : logins.crossing)} using (true)`,
        )
      if (is_open) await client.query(`alter table ${name} enable row level security, force row level security`)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const howTo = 'docs/operations.md says how to set up the roles of an external database.'

// SQL: the faults of a role; a role of the server must have none.
const describeLogin = `
  select current_user as name, rolsuper or rolcreaterole as is_superuser, rolbypassrls as bypasses,
    exists (select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(current_user, relowner, 'member')) as owns,
    exists (select from pg_policy where polname = 'crossing' and exists (
      select from unnest(polroles) as crossing where pg_has_role(current_user, crossing, 'member'))) as crosses,
    exists (select from pg_class where relnamespace = 'public'::regnamespace and relname = any(${names(secretTables)})
      and has_table_privilege(current_user, oid, 'select')) as reads_secrets,
    exists (select from pg_class where relnamespace = 'public'::regnamespace and relname = 'organization'
      and has_table_privilege(current_user, oid, 'select')) as reads_more
  from pg_roles where rolname = current_user`

type Setting = 'DATABASE_URL' | 'CROSSING_DATABASE_URL' | 'IDENTITY_DATABASE_URL'
type Fact = 'is_superuser' | 'bypasses' | 'owns' | 'crosses' | 'reads_secrets' | 'reads_more'

const everyRole: readonly Setting[] = ['DATABASE_URL', 'CROSSING_DATABASE_URL', 'IDENTITY_DATABASE_URL']

/** What a role must not be, worst first, with the settings whose role it must not be. */
const faults: readonly [fact: Fact, of: readonly Setting[], sentence: string][] = [
  ['is_superuser', everyRole, 'is a superuser or makes roles'],
  ['bypasses', everyRole, 'bypasses row security'],
  ['owns', everyRole, 'owns the tables, or is a member of a role that does'],
  ['crosses', ['DATABASE_URL'], 'sees the rows of all organizations'],
  ['reads_secrets', ['DATABASE_URL', 'CROSSING_DATABASE_URL'], 'reads what the identity provider keeps'],
  ['reads_more', ['IDENTITY_DATABASE_URL'], 'reads more than what the identity provider keeps'],
]

// Throws an Error with a sentence where a role of the server may do more than it must.
export async function checkLogin(pool: pg.Pool, setting: Setting): Promise<void> {
  const { rows } = await pool.query<Record<Fact, boolean> & { name: string }>(describeLogin)
  const found = rows[0]!
  const fault = faults.find(([fact, of]) => found[fact] && of.includes(setting))
  if (fault)
    throw new Error(`${setting}: its role ${found.name} ${fault[2]}. It must own nothing, as MIGRATION_DATABASE_URL is the owner. ${howTo}`)
  if (setting !== 'DATABASE_URL' && !found.crosses)
    throw new Error(`${setting}: its role ${found.name} was not given access. Start with MIGRATION_DATABASE_URL. ${howTo}`)
}

// Returns the role of a connection string, which may leave it to a default.
export async function findLogin(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>('select current_user as name')
  return rows[0]!.name
}
