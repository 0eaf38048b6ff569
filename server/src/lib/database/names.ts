import { type RawBuilder, sql } from 'kysely'
import { orNull, text } from './rows.ts'

/** A person's name, or the e-mail address of one without; null where the join found no user. `user` is the name or alias of the table. */
export const personName = (user: string): RawBuilder<string | null> =>
  orNull(
    text(
      sql`coalesce(nullif(trim(concat_ws(' ', ${sql.ref(`${user}.first_name`)}, ${sql.ref(`${user}.last_name`)})), ''), ${sql.ref(`${user}.email`)})`,
    ),
  )

/** SQL: the condition in the form that the indexes of trigrams have. `pattern`: from `containsPattern`. */
export const isLike = (column: RawBuilder<unknown>, pattern: string) =>
  sql<boolean>`lower(${column} collate "default") like lower(${pattern})`

/** SQL: the contract's `configurationLabel`, for a table or alias with a publication's columns of content. */
export const configurationLabel = (table: string) =>
  sql`coalesce(${sql.ref(`${table}.file_name`)}, 'CFG ' || left(${sql.ref(`${table}.content_hash`)}, 8))`

/** SQL: the contract's `contentLabel`, for such a table or alias. */
export const contentLabel = (table: string) =>
  sql`case when ${sql.ref(`${table}.content`)} = 'firmware'
    then coalesce(${sql.ref(`${table}.version`)}, ${sql.ref(`${table}.file_name`)}, left(${sql.ref(`${table}.content_hash`)}, 8))
    else ${configurationLabel(table)} end`
