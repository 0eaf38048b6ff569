import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { getZone, type WizardState } from '../wizard-state.ts'
import { type Piece, pieceName } from './choices.ts'
import type { Downgrade } from './downgrade-confirm.tsx'
import { findDowngrade } from './firmware-choice.ts'

/** Returns a function that asks before readers get an older version than they report, and resolves with whether to publish. */
export function useDowngradeQuestion(state: WizardState): (pieces: readonly Piece[]) => Promise<boolean> {
  const organizationId = useOrganization()
  const client = useQueryClient()
  const { open } = useDialog()

  async function check(device: UpdateModel): Promise<Downgrade | 'unknown' | null> {
    const choice = state.devices[device]?.firmware?.choice
    if (choice?.type !== 'versioned' && choice?.type !== 'latest') return null
    // The page does not read the versions that many zones run.
    if (getZone(state).many) return 'unknown'
    const params = { organizationId, location: getZone(state).id, device }
    // Readers may have been updated since the page was opened.
    const running = await client.fetchQuery(q('listRunningFirmware', { params })).catch(() => null)
    if (running?.length === 0) return null
    // The page does not know which version is the latest.
    if (!running || choice.type === 'latest') return 'unknown'
    const found = findDowngrade(choice.version, running)
    return found && { device, to: choice.version, ...found }
  }

  return async (pieces) => {
    const asked = pieces.filter((piece) => piece.part === 'firmware' && !state.attempts[pieceName(piece)])
    const results = await Promise.all(asked.map(async ({ device }) => ({ device, found: await check(device) })))
    const downgrades = results.flatMap(({ found }) => (found && found !== 'unknown' ? [found] : []))
    const unknown = results.filter(({ found }) => found === 'unknown').map(({ device }) => device)
    if (downgrades.length === 0 && unknown.length === 0) return true
    const agreed = await open<boolean>(async (close) => {
      const { DowngradeConfirm } = await import('./downgrade-confirm.tsx')
      return <DowngradeConfirm downgrades={downgrades} unknown={unknown} zone={getZone(state).name} close={close} />
    })
    return agreed === true
  }
}
