import wasmUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { checkScript } from '@lectern/contract/publications/script/check-script.ts'
import { compileSandbox } from '@lectern/contract/publications/script/sandbox.ts'
import type { ScriptCheck, ScriptFile } from '@lectern/contract/publications/script/script-check.ts'

// This worker runs scripts in a sandbox, so that the page stays usable whatever a script does.

export interface CheckRequest extends ScriptFile {
  samples: readonly string[]
}

export type CheckReply = { result: ScriptCheck } | { error: string }

async function loadSandbox() {
  const response = await fetch(wasmUrl)
  if (!response.ok) throw new Error(`${wasmUrl} is answered with ${response.status}.`)
  return compileSandbox(new Uint8Array(await response.arrayBuffer()))
}

const program = loadSandbox()

addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  const reply = (message: CheckReply) => postMessage(message)
  program
    .then((compiled) => checkScript(compiled, data, data.samples))
    .then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: String(error) }),
    )
})
