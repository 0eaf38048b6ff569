import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeBundle } from './bundle.ts'
import { findRuntime } from './runtimes.ts'
import { nativePartName, root, type System, systems } from './systems.ts'
import { runTool } from './tools.ts'

/**
 * Makes the executable of a system, and its library beside it, by Node's own support for single executables. The same bytes each time: with
 * a code cache they would differ, so there is none.
 * @param folder where both are written
 * @param work a folder for what is between
 */
export async function makeExecutable(system: System, folder: string, work: string): Promise<void> {
  const nativePart = join(root, 'node_modules/@serialport/bindings-cpp', system.nativePart)
  await writeBundle(join(work, 'agent.mjs'), nativePart)
  const runtime = findRuntime(system)
  // Its symbols are a fifth of the file.
  if (system === systems.linux) runTool('strip', ['-o', join(work, 'node'), runtime])
  writeFileSync(
    join(work, 'executable.json'),
    JSON.stringify({
      // The path is kept in the executable, so it must not say where this was built.
      main: 'agent.mjs',
      mainFormat: 'module',
      executable: system === systems.linux ? 'node' : runtime,
      output: system.executable,
      disableExperimentalSEAWarning: true,
      useCodeCache: false,
      // Certificates that the PC trusts, such as of a proxy of its organization, are trusted too.
      execArgv: ['--use-system-ca', '--max-semi-space-size=1', '--optimize-for-size'],
      execArgvExtension: 'none',
    }),
  )
  runTool(findRuntime(systems.linux), ['--build-sea', 'executable.json'], { cwd: work })
  copyFileSync(join(work, system.executable), join(folder, system.executable))
  copyFileSync(nativePart, join(folder, nativePartName))
  chmodSync(join(folder, system.executable), 0o755)
  chmodSync(join(folder, nativePartName), 0o644)
}
