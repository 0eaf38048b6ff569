import { expect, test } from 'vitest'
import { Stop } from '../stop.ts'
import { withRemedy } from './folder-remedies.ts'

const folder = { path: '/var/lib/lectern-agent' }
const file = '/var/lib/lectern-agent/journal.jsonl'
const fail = (code: string, path?: string) => () => Promise.reject(Object.assign(new Error(`${code}: open`), { code, path }))

test.for([
  [
    'EACCES',
    `This account may not use ${file}. Run the agent under the account that enrolled this PC, or give that account the folder again.`,
  ],
  ['ENOSPC', `The disk of ${file} is full. Free some space, then start the agent again.`],
  ['EROFS', `${file} is on a disk that is read-only. Make the disk writable, or name another folder with --state.`],
  ['EIO', `The disk of ${file} does not work. Check the disk, then start the agent again.`],
  ['EISDIR', `Something else has the name ${file}. Move it away, then start the agent again.`],
])('[AGT-10] where the system refuses a file with %s the agent ends with 7, the file and the remedy', async ([code, message]) => {
  await expect(withRemedy(folder, fail(code!, file))).rejects.toMatchObject({ exitCode: 7, message })
})

test('an error that names no file is one of the folder', async () => {
  await expect(withRemedy(folder, fail('ENOSPC'))).rejects.toMatchObject({
    message: 'The disk of /var/lib/lectern-agent is full. Free some space, then start the agent again.',
  })
})

test('an end of its own and an error of the program stay as they are', async () => {
  const [end, bug] = [new Stop('alreadyRunning', 'Another one runs.'), new TypeError('x is not a function')]
  await expect(withRemedy(folder, () => Promise.reject(end))).rejects.toBe(end)
  await expect(withRemedy(folder, () => Promise.reject(bug))).rejects.toBe(bug)
})
