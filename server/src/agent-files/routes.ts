import type { Handlers } from '../lib/http/serve.ts'
import { readManifest, sendAgentFile } from './agent-files.ts'

export const agentFileRoutes = {
  listAgentFiles: async ({ settings }) => ({ manifest: await readManifest(settings.agentFiles) }),
  downloadAgentFile: ({ params, settings, headers }) => sendAgentFile(settings.agentFiles, params.name, headers),
} satisfies Partial<Handlers>
