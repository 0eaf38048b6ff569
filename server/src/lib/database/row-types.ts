import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const output = fileURLToPath(new URL('./schema.ts', import.meta.url))
const codegen = fileURLToPath(new URL('../../../../node_modules/.bin/kysely-codegen', import.meta.url))

export function generateSchema(url: string, { verify = false } = {}): void {
  const mapping = JSON.stringify({ int8: 'number', date: 'string', device_model: 'string' })
  const options = ['--dialect', 'postgres', '--url', url, '--out-file', output, '--type-mapping', mapping, '--exclude-pattern', 'migration']
  execFileSync(process.execPath, [codegen, ...options, ...(verify ? ['--verify'] : [])], { stdio: 'pipe' })
}
