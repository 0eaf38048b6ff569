import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { checkScript } from '@lectern/contract/publications/script/check-script.ts'
import { compileSandbox } from '@lectern/contract/publications/script/sandbox.ts'
import type { ScriptCheck, ScriptFile } from '@lectern/contract/publications/script/script-check.ts'
import type { Reply } from '../lib/worker-pool.ts'

// This thread runs customers' scripts in a sandbox. What a script breaks is broken in this thread alone.
const program = readFile(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))).then(compileSandbox)

parentPort?.on('message', (file: ScriptFile) => {
  const send = (reply: Reply<ScriptCheck>) => parentPort?.postMessage(reply)
  program
    .then((compiled) => checkScript(compiled, file))
    .then(
      (result) => send({ result }),
      (error: unknown) => send({ error: String(error) }),
    )
})
