import { expect, test } from 'vitest'
import { Stop } from '../stop.ts'
import { withRemedy } from './folder-remedies.ts'

const folder = { path: '/var/lib/lectern-agent' }
const file = '/var/lib/lectern-agent/journal.jsonl'
const fail = (code: string, path?: string) => () => Promise.reject(Object.assign(new Error(`${code}: open`), { code, path }))

test.for([
  [
    'EACCES',
    7,
    `This account may not use ${file}. Run the agent under the account that enrolled this PC, or give that account the folder again.`,
  ],
  ['ENOSPC', 20, `The disk of ${file} is full. Free some space, then start the agent again.`],
  ['EROFS', 7, `${file} is on a disk that is read-only. Make the disk writable, or name another folder with --state.`],
  ['EDQUOT', 20, `The disk of ${file} is full. Free some space, then start the agent again.`],
  ['EIO', 20, `The disk of ${file} does not work. Check the disk, then start the agent again.`],
  ['EISDIR', 7, `Something else has the name ${file}. Move it away, then start the agent again.`],
] as const)(
  '[AGT-10] where the system refuses a file with %s the agent ends with %i, the file and the remedy',
  async ([code, exitCode, message]) => {
    await expect(withRemedy(folder, fail(code, file))).rejects.toMatchObject({ exitCode, message })
  },
)

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
