import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { sentence } from '../sentence.ts'
import { type HttpProxy, parseProxy } from '../server/proxy.ts'
import { certificates } from '../server/trust.ts'
import { Stop } from '../stop.ts'

/** How the portal is reached. Absent: as before; false: no longer so. */
export interface ConnectionFlags {
  /** An address, with the name of a user where the proxy asks for one. */
  proxy?: string | false
  /** A path, or `-` for the standard input. */
  proxyPasswordFile?: string
  /** A path. */
  ca?: string | false
}

export const visiblePassword =
  "A proxy's password is not taken on the command line: other accounts of this PC see it there, and shells keep it. Put it into a file and give that with --proxy-password-file FILE, or give - in place of FILE and the password on the standard input."

/** Undefined where none is given. Throws `Stop`, in whose message nothing of a password is. */
export async function readProxy({ proxy, proxyPasswordFile }: ConnectionFlags): Promise<HttpProxy | undefined> {
  if (!proxy) {
    if (proxyPasswordFile === undefined) return undefined
    throw new Stop('usage', 'A password is for a proxy that is named. Give --proxy http://USER@PROXY:PORT too.')
  }
  const parsed = parseProxy(proxy)
  // What comes before an @ may be a password too.
  if (!parsed)
    throw new Stop(
      'usage',
      `${proxy.includes('@') ? '--proxy' : proxy} is no address of a proxy. Give one such as http://proxy.example:3128, or http://USER@proxy.example:3128.`,
    )
  if (parsed.password !== '') throw new Stop('usage', visiblePassword)
  if (proxyPasswordFile === undefined) return parsed
  if (parsed.user === '') throw new Stop('usage', 'The password is for a user. Name it in --proxy http://USER@PROXY:PORT.')
  return { ...parsed, password: await readPassword(proxyPasswordFile) }
}

async function readPassword(file: string): Promise<string> {
  const from = file === '-' ? 'The standard input' : "The file of the proxy's password"
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: NodeJS.ErrnoException) => {
    // The name may be the password itself, where the option was taken for that.
    throw new Stop(
      'usage',
      `${from} cannot be read (${error.code}). Give the path of a file that has the password, and nothing else.`,
      error,
    )
  })
  const password = (decodeFile(bytes)?.text ?? '').replace(/\r?\n$/, '')
  if (password === '' || /[\r\n]/.test(password))
    throw new Stop(
      'usage',
      `${from} has ${password === '' ? 'no password' : 'more than one line'}. It must have the password, and nothing else.`,
    )
  return password
}

/** @returns certificates in PEM, one after the other. Throws `Stop`. */
export async function readAuthorities(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Stop('usage', `The certificates in ${file} cannot be read: ${sentence(error)}`, error)
  })
  const text = decodeFile(bytes)?.text ?? ''
  const found = text.match(certificates) ?? [bytes]
  try {
    return found.map((one) => new X509Certificate(one).toString()).join('')
  } catch (error) {
    throw new Stop(
      'usage',
      `${file} has no certificate, or a damaged one. Give the authority's certificate as PEM or DER (.pem, .crt, .cer).`,
      error,
    )
  }
}
