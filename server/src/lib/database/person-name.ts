import { type RawBuilder, sql } from 'kysely'
import { orNull, text } from './rows.ts'

/** A person's name, or the e-mail address of one without; null where the join found no user. `user` is the name or alias of the table. */
export const personName = (user: string): RawBuilder<string | null> =>
  orNull(
    text(
      sql`coalesce(nullif(trim(concat_ws(' ', ${sql.ref(`${user}.first_name`)}, ${sql.ref(`${user}.last_name`)})), ''), ${sql.ref(`${user}.email`)})`,
    ),
  )
