import { useState } from 'react'
import { useSearchParams } from 'react-router'

/**
 * What `?edit=` names: `new`, a record, or null. A record stays as it was found, so that the edit outlasts its deletion by another user.
 * Undefined until the list is loaded, and where the list does not have it.
 */
export function useEdited<Row>(rows: readonly Row[] | undefined, id: (row: Row) => number | string) {
  const edited = useSearchParams()[0].get('edit')
  const [found, setFound] = useState<{ edited: string | null; record: Row | undefined }>({ edited: null, record: undefined })
  const listed = rows?.find((row) => String(id(row)) === edited)
  const record = found.edited === edited && found.record !== undefined ? found.record : listed
  if (found.edited !== edited || found.record !== record) setFound({ edited, record })
  return { edited, isNew: edited === 'new', record }
}
