import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BuilderDevice, builderDevices, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { buildCommands } from '@lectern/contract/barcode/selection.ts'
import { selections } from '@lectern/contract/testing/selections.ts'
import fc from 'fast-check'

const run = promisify(execFile)

export interface RandomConfiguration {
  device: BuilderDevice
  commands: string[]
}

/** Random configurations, the same for the same seed. */
export function randomConfigurations(catalogue: Catalogue, count: number, seed: number): RandomConfiguration[] {
  const any = fc
    .constantFrom(...builderDevices)
    .chain((device) => fc.tuple(fc.constant(device), selections(catalogue, device), fc.boolean()))
    .map(([device, selection, reset]) => ({
      device,
      commands: [...(reset ? ['CFR'] : []), ...buildCommands(catalogue, device, selection)],
    }))
  return fc.sample(any, { numRuns: count, seed })
}

/** What zbar reads in each symbol on a PDF's pages, rasterized by poppler at so many dots per inch. */
export async function readByZbar(pdf: Uint8Array, resolution: number): Promise<number[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-print-'))
  try {
    await writeFile(join(folder, 'sheet.pdf'), pdf)
    await run('pdftoppm', ['-r', String(resolution), '-gray', join(folder, 'sheet.pdf'), join(folder, 'page')])
    const pages = (await readdir(folder)).filter((name) => name.endsWith('.pgm')).toSorted()
    const read: number[][] = []
    for (const page of pages) read.push(...(await symbolsOn(join(folder, page))))
    return read
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The QR symbol of a picture. zbarimg ends with 4 where there is none, and warns about what else it cannot do. */
async function symbolsOn(picture: string): Promise<number[][]> {
  const args = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', '-Sbinary', picture]
  try {
    const { stdout } = await run('zbarimg', args, { encoding: 'buffer' })
    return stdout.length > 0 ? [[...stdout]] : []
  } catch (error) {
    if ((error as { code?: number }).code === 4) return []
    throw error
  }
}
