import { readFile } from 'node:fs/promises'
import { builtInCatalogue } from '@lectern/contract/barcode/built-in-catalogue.ts'
import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { mergeCatalogue } from '@lectern/contract/barcode/catalogue-merge.ts'

/** The built-in options with the operator's file merged in. Throws an Error that names each mistake of the file. */
export async function loadCatalogue(file: string | null): Promise<Catalogue> {
  if (file === null) return builtInCatalogue
  const merged = mergeCatalogue(builtInCatalogue, await readJson(file))
  if ('problems' in merged) throw new Error(merged.problems.map((problem) => `CATALOGUE_FILE ${file}: ${problem}`).join('\n'))
  return merged.catalogue
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new Error(`CATALOGUE_FILE ${file} cannot be read: ${(error as Error).message}`)
  }
}
