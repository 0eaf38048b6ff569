import { parseArgs } from 'node:util'
import { startProvider } from './test-provider.ts'

/**
 * A provider with memory storage on `http://localhost:PORT`.
 * `--port PORT --application ORIGIN… --permission NAME… --access-token-seconds N`. Prints "The provider is ready", and each message as a line of JSON.
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
const provider = await startProvider({
  host: 'localhost',
  port: Number(values.port),
  permissions: values.permission,
  redirectUris: returnAddresses,
  logoutUris: returnAddresses,
  lifetimes: { accessToken: Number(values['access-token-seconds']) },
  mail: async (message) => console.log(JSON.stringify(message)),
  log: (error) => console.error(error),
})
console.log(`The provider is ready: ${provider.url}`)
process.once('SIGTERM', () => void provider.close())
