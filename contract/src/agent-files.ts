import * as z from 'zod/mini'
import { endpoint } from './http/endpoint.ts'

/** No path: a file lies in the folder itself. */
const AgentFileName = z.string().check(z.regex(/^[A-Za-z0-9][\w.+~-]{0,199}$/))

const AgentFile = z.object({
  name: AgentFileName,
  bytes: z.int().check(z.minimum(0)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})
export type AgentFile = z.infer<typeof AgentFile>

/** The `manifest.json` that `npm run package:agent` writes. */
export const AgentManifest = z.object({ version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)), files: z.array(AgentFile) })
export type AgentManifest = z.infer<typeof AgentManifest>

export const agentFileEndpoints = {
  listAgentFiles: endpoint({
    method: 'GET',
    path: '/api/agent-files',
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'Packages of the host agent and its version; null where this portal has none',
    response: z.object({ manifest: z.nullable(AgentManifest) }),
  }),
  // Host PCs and apt have no account. The files are the same for everybody.
  downloadAgentFile: endpoint({
    method: 'GET',
    path: '/api/agent-files/{name}',
    access: 'public',
    shows: [],
    summary: 'A package of the host agent; supports Range and If-Range',
    params: z.object({ name: AgentFileName }),
    download: { contentType: 'application/octet-stream' },
    inPieces: true,
  }),
}
