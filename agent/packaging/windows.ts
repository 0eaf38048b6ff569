import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes, finalExitCodes } from '@lectern/contract/exit-codes.ts'
import { zipSync } from 'fflate'
import { nativePartName, root, serviceProgram, systems } from './systems.ts'
import { runTool } from './tools.ts'

const serviceName = 'lectern-agent'

/** The security identifier that Windows makes of a service's name: the SHA-1 of its capital letters in UTF-16. */
export function serviceSid(name: string): string {
  const hash = createHash('sha1').update(Buffer.from(name.toUpperCase(), 'utf16le')).digest()
  return ['S-1-5-80', ...[0, 4, 8, 12, 16].map((offset) => hash.readUInt32LE(offset))].join('-')
}

/** Compiles the service of Windows. The same bytes each time. */
export function makeService(folder: string): void {
  const define = {
    SERVICE: `L"${serviceName}"`,
    SERVICE_SID: `L"${serviceSid(serviceName)}"`,
    AGENT: `L"${systems.windows.executable}"`,
    NATIVE_PART: `L"${nativePartName}"`,
    SERVICE_PROGRAM: `L"${serviceProgram}"`,
    FINAL_EXIT_CODES: finalExitCodes.join(','),
    EXIT_OK: exitCodes.ok.code,
    EXIT_UNEXPECTED: exitCodes.unexpected.code,
    EXIT_USAGE: exitCodes.usage.code,
    EXIT_STATE_FOLDER: exitCodes.stateFolder.code,
    EXIT_SERVICE: exitCodes.service.code,
  }
  const options = ['-std=c17', '-Os', '-s', '-static', '-municode', '-Wall', '-Wextra', '-Werror']
  // The time of the build is left out of the file.
  const linker = ['-Wl,--no-insert-timestamp', '-Wl,--dynamicbase,--high-entropy-va,--nxcompat']
  const libraries = ['-ladvapi32', '-lole32', '-lshell32', '-luuid']
  runTool('x86_64-w64-mingw32-gcc', [
    ...options,
    ...Object.entries(define).map(([name, value]) => `-D${name}=${value}`),
    '-o',
    join(folder, serviceProgram),
    join(root, 'agent/packaging/windows/service.c'),
    ...linker,
    ...libraries,
  ])
}

/**
 * Packs the files of a folder, as what unpacks on Windows without another program. The same bytes each time.
 * @param times seconds since 1970, of all files
 * @returns the file's name
 */
export function makeZip(folder: string, from: string, { name, times }: { name: string; times: number }): string {
  const files = readdirSync(from).sort()
  const date = new Date(times * 1_000)
  // The format has the time of the clock on the wall.
  const mtime = new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  const options = { level: 9, mtime } as const
  writeFileSync(join(folder, name), zipSync(Object.fromEntries(files.map((file) => [file, readFileSync(join(from, file))])), options))
  return name
}

/** A PKCS #12 file with the certificate and its key, and a file with its password. */
export interface Signing {
  certificate: string
  passwordFile: string
  /** An address of RFC 3161. Null: the signature ends with the certificate. */
  timestamps: string | null
}

/** Signs a program of Windows. Its native part keeps its hash: that is built into the executable. */
export function signProgram(file: string, { certificate, passwordFile, timestamps }: Signing): void {
  const signed = `${file}.signed`
  const time = timestamps === null ? [] : ['-ts', timestamps]
  const what = ['-h', 'sha256', '-n', 'Lectern host agent', ...time]
  runTool('osslsigncode', ['sign', '-pkcs12', certificate, '-readpass', passwordFile, ...what, '-in', file, '-out', signed])
  renameSync(signed, file)
}
