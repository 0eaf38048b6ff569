// node scripts/run.mjs FILE [arguments]: installs what is missing, then runs a file of the project with the right Node.
import { resolve } from 'node:path'
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

await exitWith(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (!file) throw new Error('Say which file to run: node scripts/run.mjs FILE [arguments]')
  return launch(ensureInstalled(), [resolve(file), ...args])
})
