import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { nativePartName, root } from './systems.ts'

/** Writes the agent with all that it imports as one file. `nativePart`: the path of the library that it may load. */
export async function writeBundle(file: string, nativePart: string): Promise<void> {
  const sha256 = createHash('sha256').update(readFileSync(nativePart)).digest('hex')
  const build = await rolldown({
    cwd: root,
    input: 'agent/src/main.ts',
    platform: 'node',
    resolve: { alias: { 'node-gyp-build': join(root, 'agent/packaging/native-part.cjs') } },
    transform: {
      define: {
        NATIVE_PART: JSON.stringify({ name: nativePartName, sha256 }),
        // `write-file-atomic` makes names of temporary files from it, and the library of serial ports hands its folder to node-gyp-build.
        // One file has neither.
        __filename: '"lectern-agent"',
        __dirname: '""',
      },
    },
    onLog(level, log) {
      throw new Error(`${level}: ${log.message}`)
    },
  })
  await build.write({ file, format: 'esm', codeSplitting: false, minify: true, comments: false })
  await build.close()
}
