import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

function runFile(code: string, ...args: string[]): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'program.ts'), code)
  return spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), join(folder, 'program.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function end(child: ChildProcess): Promise<{ code: number; printed: string }> {
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk))
  const [code] = (await once(child, 'close')) as [number]
  return { code, printed: Buffer.concat(printed).toString() }
}

test('runs TypeScript with its arguments and hands back its exit code, without a warning', async () => {
  const child = runFile('const code: number = process.argv.length; console.log(process.argv[2]); process.exitCode = code', '--empty')
  expect(await end(child)).toEqual({ code: 3, printed: '--empty\n' })
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('hands on %s and waits for the program to end in its own way', async (signal) => {
  const child = runFile(`setInterval(() => {}, 1000); process.once('${signal}', () => process.exit(7)); console.log('ready')`)
  if (child.stdout) await once(child.stdout, 'data')
  child.kill(signal)
  expect((await end(child)).code).toBe(7)
})

test('tells a program that was killed from one that ended', async () => {
  expect((await end(runFile(`process.kill(process.pid, 'SIGKILL')`))).code).toBe(137)
})

test('says which argument is missing', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs')])
  expect(await end(child)).toEqual({ code: 1, printed: 'Say which file to run: node scripts/run.mjs FILE [arguments]\n' })
})
