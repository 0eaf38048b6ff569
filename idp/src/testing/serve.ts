import { parseArgs } from 'node:util'
import { startProvider } from './provider-stand.ts'

/**
 * A provider in a process of its own, remembering nothing, on `http://localhost:PORT`. Applications may be at several origins.
 * `--port PORT --application ORIGIN… --permission NAME… --access-token-seconds N`. Says "The provider is ready" when it is.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    application: { type: 'string', multiple: true, default: [] },
    permission: { type: 'string', multiple: true, default: [] },
    'access-token-seconds': { type: 'string', default: '3600' },
  },
})
const returnAddresses = values.application.map((origin) => `${origin}/`)
const stand = await startProvider({
  host: 'localhost',
  port: Number(values.port),
  permissions: values.permission,
  redirectUris: returnAddresses,
  logoutUris: returnAddresses,
  lifetimes: { accessToken: Number(values['access-token-seconds']) },
  log: (error) => console.error(error),
})
console.log(`The provider is ready: ${stand.url}`)
process.once('SIGTERM', () => void stand.close())
