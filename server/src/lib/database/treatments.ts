/**
 * Says where the rows of a table would lie on several machines. `distributed`: with their organization's, by its number. `reference`: whole on every machine. `local`: on one
 * machine, never joined with what is distributed.
 */
interface Treatment {
  kind: 'distributed' | 'reference' | 'local'
  reason: string
}

/** Has each table that a migration after 0067 makes. */
export const treatments: Readonly<Record<string, Treatment>> = {
  desk_record: {
    kind: 'distributed',
    reason: 'It is read and written with the readers and the library of its organization, and no statement crosses organizations.',
  },
}
