import { Stop } from '../stop.ts'

const notAllowed = (file: string) =>
  `This account may not use ${file}. Run the agent under the account that enrolled this PC, or give that account the folder again.`
const isFull = (file: string) => `The disk of ${file} is full. Free some space, then start the agent again.`
const inTheWay = (file: string) => `Something else has the name ${file}. Move it away, then start the agent again.`

/** Of a disk that may work again without anybody at the PC. */
const passing = new Set(['ENOSPC', 'EDQUOT', 'EIO'])

/** What to do where the system refuses a file, by the system's code. */
const remedies: Readonly<Record<string, (file: string) => string>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  ENOSPC: isFull,
  EDQUOT: isFull,
  EROFS: (file) => `${file} is on a disk that is read-only. Make the disk writable, or name another folder with --state.`,
  EIO: (file) => `The disk of ${file} does not work. Check the disk, then start the agent again.`,
  EISDIR: inTheWay,
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
  ELOOP: inTheWay,
}

/** Works with files of the state folder. Throws `Stop` with the file and the remedy where the system refuses one. */
export async function withRemedy<T>(folder: { readonly path: string }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code = '', path = folder.path } = error as NodeJS.ErrnoException
    const remedy = error instanceof Stop ? undefined : remedies[code]
    throw remedy ? new Stop(passing.has(code) ? 'disk' : 'stateFolder', remedy(path), error) : error
  }
}
