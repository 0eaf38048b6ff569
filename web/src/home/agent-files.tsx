import { type AgentFile, findAgentFile, type latestNames } from '@lectern/contract/agent-files.ts'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { endpoints } from '../lib/api/endpoints.ts'
import { q } from '../lib/api/query.ts'
import { useSettings } from '../lib/settings.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'

/** Where a package is downloaded, by anybody. Without a name: the repository for apt. */
export const agentFileAddress = (name = ''): string => `${location.origin}${endpoints.listAgentFiles.path}/${name}`

export const useAgentFiles = () => useQuery(q('listAgentFiles', {}))

const meanings: Record<keyof typeof latestNames, string> = {
  'lectern-agent.deb': 'for Debian and Ubuntu',
  'lectern-agent-windows.zip': 'for Windows',
  'lectern-agent-linux.tar.xz': 'for another Linux',
}

export function AgentFiles() {
  const { providerName } = useSettings()
  const query = useAgentFiles()
  return (
    <QueryStates query={query} failed="Error loading the packages">
      {({ manifest }) =>
        manifest === null ? (
          <p>
            This portal has no packages of the app yet. Ask your account manager at {providerName}: its staff makes them and names their
            folder in the setting <span className="mono">AGENT_FILES</span>.
          </p>
        ) : (
          <>
            <p>Download the app, version {manifest.version}.</p>
            <ul className="my-2 grid gap-2">
              {Object.entries(meanings).map(([name, meaning]) => {
                const file = findAgentFile(manifest, name)
                return file && <Package key={name} file={file} meaning={meaning} />
              })}
            </ul>
            <p className="text-13 text-ink-2">
              The SHA-256 shows a broken download. Only a signature shows a foreign one: apt checks that of the repository, and Windows that
              of its programs, where the vendor has signed them.
            </p>
          </>
        )
      }
    </QueryStates>
  )
}

function Package({ file: { name, bytes, sha256 }, meaning }: { file: AgentFile; meaning: string }) {
  return (
    <li>
      <a className="link inline-flex items-center gap-2" href={agentFileAddress(name)} download>
        <Download size={16} />
        <span className="wrap-anywhere">{name}</span>
      </a>{' '}
      {meaning}, {Math.ceil(bytes / 1e6)} MB
      <span className="mono block text-12 wrap-anywhere text-ink-2">SHA-256 {sha256}</span>
    </li>
  )
}
