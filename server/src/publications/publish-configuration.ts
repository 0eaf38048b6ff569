import { Script } from 'node:vm'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { type Publish, publish } from './publications.ts'

/** Publishes a configuration to every reader of a model in a zone. */
export async function publishConfiguration(
  db: Database,
  call: Publish,
  file: ReceivedFile,
  kind: 'cfg' | 'file',
): Promise<{ message: string }> {
  const fileName = kind === 'file' ? file.name : null
  const label = configurationLabel(fileName, file.hash)
  const { zoneName, revision } = await publish(db, call, { kind, content: file, fileName, label })
  return { message: `Published revision ${revision} for ${call.params.device} in ${zoneName}, from ${call.updateTime}.` }
}

/** Throws a Problem unless a received file is a CodeRules script: one `.js` file of text that is JavaScript (spec §5). It is read, never run. */
export async function checkScript(file: ReceivedFile): Promise<void> {
  if (!/^[^/\\\p{Cc}]{1,200}\.js$/iu.test(file.name)) throw new Problem(400, 'File type must be .js')
  if (file.size === 0) throw new Problem(400, `The file ${file.name} is empty.`)
  const text = decodeText(await file.read())
  if (text === null) throw new Problem(400, `The file ${file.name} is not text.`)
  const mistake = syntaxMistake(text)
  if (mistake) throw new Problem(400, `The file ${file.name} is not valid JavaScript: ${mistake}`)
}

/** UTF-8 text without NUL, or null. */
function decodeText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** What is wrong with a script and where, or null. It is only compiled. */
function syntaxMistake(text: string): string | null {
  try {
    new Script(text, { filename: 'script' })
    return null
  } catch (error) {
    const line = /^script:(\d+)/.exec((error as Error).stack ?? '')?.[1]
    return `${(error as Error).message}${line ? `, line ${line}` : ''}.`
  }
}
