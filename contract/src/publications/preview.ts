import * as z from 'zod/mini'
import { UpdateModelName } from '../devices/device-models.ts'
import { endpoint, organization } from '../http/endpoint.ts'
import { PageFacts, Paging } from '../http/paging.ts'
import { DryRunCounts } from './dry-run.ts'
import { maxPartsBytes, PublishInput } from './publish-to-zones.ts'

const part = { model: UpdateModelName, kind: z.enum(['configuration', 'firmware']) }

// What readers report. `matches`: it is what will run. `location`: a zone that must run it, whose content `getRunningConfiguration` returns;
// absent where no zone must.
const Running = z.object({ name: z.nullable(z.string()), readers: z.int(), matches: z.boolean(), location: z.optional(z.string()) })
export type Running = z.infer<typeof Running>

// For all zones together. `runs`: the most frequent first. `others`: readers that run something else than these.
export const PreviewPart = z.object({ ...part, name: z.string(), counts: DryRunCounts, runs: z.array(Running), others: z.int() })
export type PreviewPart = z.infer<typeof PreviewPart>

const PreviewZone = z.object({ id: z.string(), name: z.string(), parts: z.array(z.object({ ...part, counts: DryRunCounts })) })

// `totalCount`: of zones.
export const Preview = z.object({ parts: z.array(PreviewPart), zones: z.array(PreviewZone), ...PageFacts })
export type Preview = z.infer<typeof Preview>

// The most contents in `runs`.
export const maxRunning = 20

export const publicationPreview = {
  previewPublication: endpoint({
    method: 'POST',
    path: '/api/codedm/organization/{organizationId}/publications/preview',
    access: organization(),
    limitedRole: 'zones',
    changes: [],
    audit: { none: 'It counts what a publish would do, and stores nothing.' },
    summary:
      'What a publish with the same body would do: per zone and model how many readers change, match already, are missing or cannot take it; files need not be uploaded yet',
    query: Paging,
    body: PublishInput,
    maxBodyBytes: maxPartsBytes,
    response: Preview,
  }),
}
