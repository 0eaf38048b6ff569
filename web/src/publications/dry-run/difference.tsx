import { parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { formatContent, type SavedKind } from '@lectern/contract/library.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { useApi } from '../../lib/api/api.ts'
import type { Api } from '../../lib/api/fetch.ts'
import { q } from '../../lib/api/query.ts'
import { TextComparison } from '../../library/compare-configurations.tsx'
import { OptionComparison } from '../../library/option-comparison.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'
import type { DeviceConfig } from '../content/choices.ts'
import { toFile } from '../draft/file-data.ts'
import { identify } from './preview.ts'

interface ComparedContent {
  kind: SavedKind
  text: string | null
}

const readText = async (file: File | null): Promise<string | null> =>
  file && (decodeFile(new Uint8Array(await file.arrayBuffer()))?.text ?? null)

/**
 * Reads the content that is chosen.
 * @throws where nothing is
 */
async function readChoice(call: Api['call'], organizationId: string, choice: DeviceConfig): Promise<ComparedContent> {
  if (choice.type === 'cfg') return { kind: 'cfg', text: choice.text }
  if (choice.type === 'file') return { kind: 'script', text: await readText(toFile(choice)) }
  if (choice.type !== 'saved' || choice.id === null || choice.version === null) throw new Error('Nothing is chosen.')
  const { content } = await call('getLibraryVersion', { params: { organizationId, id: choice.id, number: choice.version } })
  return { kind: content.kind, text: formatContent(content) }
}

interface DifferenceProps {
  model: UpdateModel
  /** A zone that must run what the readers run. */
  location: string
  choice: DeviceConfig | undefined
  name: string
}

/** Shows how a chosen configuration differs from one that readers run: commands by the names of their options, all else line by line. */
export function Difference({ model, location, choice = { type: 'none' }, name }: DifferenceProps) {
  const organizationId = useOrganization()
  const { call } = useApi()
  const desired = useQuery(q('getRunningConfiguration', { params: { organizationId, location, device: model } }))
  const chosen = useQuery({
    queryKey: ['chosenContent', organizationId, identify(choice)],
    queryFn: () => readChoice(call, organizationId, choice),
  })
  return (
    <QueryStates query={desired} failed="Error loading what runs">
      {(before) => (
        <QueryStates query={chosen} failed="Error loading what will run">
          {(after) => <Compared model={model} before={before} after={{ ...after, name }} />}
        </QueryStates>
      )}
    </QueryStates>
  )
}

/** Returns the text with a CFG broken into lines, as it may be one long line. */
const breakLines = ({ kind, text }: ComparedContent): string | null => (kind === 'cfg' ? (text?.replaceAll('><', '>\n<') ?? null) : text)

interface ComparedProps {
  model: UpdateModel
  before: ComparedContent & { name: string }
  after: ComparedContent & { name: string }
}

function Compared({ model, before, after }: ComparedProps) {
  const catalogue = useQuery(q('getCatalogue', {}))
  const [a, b] = [before, after].map((side) => ({
    ...side,
    text: breakLines(side),
    device: model,
    commands: side.kind === 'commands' && side.text !== null ? parseCommandLines(side.text) : [],
  })) as [ComparedSide, ComparedSide]
  if (before.text === null || after.text === null) return <p className="p-4 text-ink-2">It is too long to be compared here, or no text.</p>
  if (before.kind !== 'commands' || after.kind !== 'commands') return <TextComparison a={a} b={b} />
  return (
    <QueryStates query={catalogue} failed="Error loading the options">
      {(options) => <OptionComparison catalogue={options} a={a} b={b} />}
    </QueryStates>
  )
}

type ComparedSide = ComparedContent & { name: string; device: UpdateModel; commands: string[] }
