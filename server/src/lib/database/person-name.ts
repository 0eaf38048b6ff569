import { type RawBuilder, sql } from 'kysely'

/** A person's name, or the e-mail address of one without; null where the join found no user. `user` is the name or alias of the table. */
export const personName = (user: string): RawBuilder<string | null> =>
  sql<
    string | null
  >`coalesce(nullif(trim(concat_ws(' ', ${sql.ref(`${user}.first_name`)}, ${sql.ref(`${user}.last_name`)})), ''), ${sql.ref(`${user}.email`)})`
