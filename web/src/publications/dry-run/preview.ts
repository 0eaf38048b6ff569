import type { Preview } from '@lectern/contract/publications/preview.ts'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { useApi } from '../../lib/api/api.ts'
import { type Piece, pieceName } from '../content/choices.ts'
import { toPublishInput } from '../many/send-together.ts'
import type { WizardState } from '../wizard-state.ts'

export const zonesPerPage = 10

const numbers = new WeakMap<object, number>()
let last = 0

/** Returns a number that names a choice in cache keys, as the choice itself may have a file of a gigabyte. */
export function identify(choice: object): number {
  const number = numbers.get(choice) ?? ++last
  numbers.set(choice, number)
  return number
}

/**
 * Reads the dry run of pieces.
 * @param page from 1
 * @param select must be the same function at each render
 */
export function usePreview<Data>(
  state: WizardState,
  pieces: readonly Piece[],
  { page, select }: { page: number; select: (preview: Preview) => Data },
): UseQueryResult<Data> {
  const organizationId = useOrganization()
  const { call } = useApi()
  const chosen = [identify(state.devices), state.configZone && identify(state.configZone), ...pieces.map(pieceName)]
  return useQuery({
    queryKey: ['previewPublication', organizationId, chosen, page],
    enabled: pieces.length > 0,
    placeholderData: keepPreviousData,
    select,
    queryFn: async ({ signal }) => {
      const { expectedZones: _, name: __, ...body } = await toPublishInput(state, pieces, crypto.randomUUID(), nameFile)
      const query = { PageNumber: page - 1, PageSize: zonesPerPage }
      return call('previewPublication', { params: { organizationId }, query, body }, { signal })
    },
  })
}

// The hash of a customer's own firmware file is not computed, as the file may have a gigabyte and no reader matches it anyway.
const anyHash = '0'.repeat(64)

async function nameFile(_: Piece, name: 'uploadScript' | 'uploadFirmware', file: File): Promise<{ sha256: string; fileName: string }> {
  if (name === 'uploadFirmware') return { sha256: anyHash, fileName: file.name }
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return { sha256: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''), fileName: file.name }
}
