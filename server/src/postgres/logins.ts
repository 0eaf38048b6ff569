// Roles of a server, which own nothing.
export const logins = { server: 'lectern_server', crossing: 'lectern_crossing', identity: 'lectern_identity' } as const

const lock = 7_239_146_013

// SQL that creates the roles where they are missing. Several openers may send it at once.
// @param password of the cluster's owner, where it asks for one
export const makeLogins = (password: string | undefined): string => `
  do $$ begin
    perform pg_advisory_xact_lock(${lock});
    ${Object.values(logins)
      .map((login) => `if not exists (select from pg_roles where rolname = '${login}') then create role ${login} login; end if;`)
      .join('\n    ')}
    ${
      password === undefined
        ? ''
        : Object.values(logins)
            .map((login) => `alter role ${login} password '${password}';`)
            .join('\n    ')
    }
  end $$`
