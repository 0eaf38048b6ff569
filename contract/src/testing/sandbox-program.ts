import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileSandbox } from '../publications/script/sandbox.ts'

export const sandboxProgram = readFile(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))).then(compileSandbox)
