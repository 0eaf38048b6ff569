import { useCallback, useEffect, useState } from 'react'
import { NoConnection, useRetryOnline } from './no-connection.ts'
import { drawPicture, readPixels } from './read/picture.ts'
import type { ConfigurationSymbol } from './symbol.ts'
import { readSymbols } from './symbol-reader.ts'

/** Whether the symbols on a sheet read back as they should. Only then can they be printed, and `pictures` downloaded. */
export type Proof =
  | { state: 'checking' }
  | { state: 'checked'; pictures: File[] }
  | { state: 'lost'; retry: () => void }
  | { state: 'failed'; reason: string }

export interface Drawn {
  symbol: ConfigurationSymbol
  caption: string
}

const checking: Proof = { state: 'checking' }

/**
 * Reads the downloaded picture and the printed drawing back and compares their bytes. `drawings` finds the drawings on the page, one per
 * symbol.
 */
export function useProof(drawn: readonly Drawn[], drawings: () => readonly SVGSVGElement[]): Proof {
  const [proof, setProof] = useState<{ of: readonly Drawn[]; is: Proof }>({ of: drawn, is: checking })
  const [attempt, setAttempt] = useState(0)
  const retry = useCallback(() => setAttempt((last) => last + 1), [])
  useRetryOnline(proof.is.state === 'lost', retry)
  useEffect(() => {
    let isShown = true
    provePictures(drawn, drawings()).then(
      (pictures) => isShown && setProof({ of: drawn, is: { state: 'checked', pictures } }),
      (error: Error) => {
        if (!isShown) return
        if (error instanceof NoConnection) return setProof({ of: drawn, is: { state: 'lost', retry } })
        console.error('QR code generation failed', error)
        setProof({ of: drawn, is: { state: 'failed', reason: error.message } })
      },
    )
    return () => {
      isShown = false
    }
  }, [drawn, attempt, retry])
  // A proof of other symbols does not hold for these.
  return proof.of === drawn ? proof.is : checking
}

async function provePictures(drawn: readonly Drawn[], drawings: readonly SVGSVGElement[]): Promise<File[]> {
  const pictures: File[] = []
  for (const [index, { symbol, caption }] of drawn.entries()) {
    const picture = await drawPicture(symbol, caption)
    await prove(picture, symbol)
    await prove(await readPixels(toDataUrl(drawings[index]!)), symbol)
    pictures.push(new File([picture], formatPictureName(index, drawn.length), { type: 'image/png' }))
  }
  return pictures
}

/** Throws unless the picture has one symbol with exactly these bytes. */
async function prove(picture: Blob | ImageData, { bytes }: ConfigurationSymbol): Promise<void> {
  const [read, ...more] = await readSymbols(picture)
  if (!read) throw new Error('The barcode could not be read back from its picture.')
  if (more.length > 0 || read.length !== bytes.length || read.some((byte, index) => byte !== bytes[index]))
    throw new Error('The barcode reads back as something else.')
}

const toDataUrl = (drawing: SVGSVGElement): string =>
  `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`

/** The file name of a picture (spec §2); numbered where there are several. */
export const formatPictureName = (index: number, count: number): string => (count > 1 ? `config-${index + 1}.png` : 'config.png')
