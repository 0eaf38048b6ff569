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
export const AgentManifest = z.object({
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
  files: z.array(AgentFile).check(z.maxLength(100)),
})
export type AgentManifest = z.infer<typeof AgentManifest>

/** Names without a version, so that a command stays right when a newer one comes; and how the names of the files end. */
export const latestNames = {
  'lectern-agent.deb': '_amd64.deb',
  'lectern-agent-windows.zip': '-win-x64.zip',
  'lectern-agent-linux.tar.xz': '-linux-x64.tar.xz',
} as const

/** The file of a name in the manifest, or of one without a version. */
export function findAgentFile({ version, files }: AgentManifest, name: string): AgentFile | undefined {
  const ending = Object.hasOwn(latestNames, name) ? latestNames[name as keyof typeof latestNames] : null
  return files.find((file) => (ending === null ? file.name === name : file.name.includes(version) && file.name.endsWith(ending)))
}

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
