import * as z from 'zod/mini'
import { UpdateModelName } from '../devices/device-models.ts'
import { endpoint, organization } from '../http/endpoint.ts'
import { PageFacts, Paging } from '../http/paging.ts'
import { DryRunCounts } from './dry-run.ts'
import { maxPartsBytes, PublishInput } from './publish-to-zones.ts'

const part = { model: UpdateModelName, kind: z.enum(['configuration', 'firmware']) }

/**
 * A content that readers report. `name`: null for readers that report nothing. `matches`: whether it is what will run. `location`: of a
 * configuration, one of the zones where readers report it, if one of them must run it; `getRunningConfiguration` returns its text.
 */
const RunningContent = z.object({
  name: z.nullable(z.string()),
  readers: z.int(),
  matches: z.boolean(),
  location: z.optional(z.string()),
})
export type RunningContent = z.infer<typeof RunningContent>

/** One part, for all zones together. `running`: the most frequent contents first. `others`: readers that run none of them. */
export const PreviewPart = z.object({ ...part, name: z.string(), counts: DryRunCounts, running: z.array(RunningContent), others: z.int() })
export type PreviewPart = z.infer<typeof PreviewPart>

const PreviewZone = z.object({ id: z.string(), name: z.string(), parts: z.array(z.object({ ...part, counts: DryRunCounts })) })

/** `zones`: a page of them. `totalCount`: of zones. */
export const Preview = z.object({ parts: z.array(PreviewPart), zones: z.array(PreviewZone), ...PageFacts })
export type Preview = z.infer<typeof Preview>

// The most contents in `running` of a part.
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
