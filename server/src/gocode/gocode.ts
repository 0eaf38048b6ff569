import { Readable } from 'node:stream'
import { encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import type { GoCode, GoCodeFormat } from '@lectern/contract/gocode.ts'
import type { Drawings } from '../lib/drawings.ts'
import type { Streamed } from '../lib/http/serve.ts'

const contentTypes: Record<GoCodeFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  payload: 'application/octet-stream',
}

/** @param payer whose turn at the thread that draws it takes */
export async function makeGoCode(goCode: GoCode, drawings: Drawings, payer: string, author: string): Promise<Streamed> {
  const { format } = goCode
  const headers = { 'content-type': contentTypes[format], 'content-disposition': `attachment; filename="config.${format}"` }
  const bytes = format === 'payload' ? encodePayload(goCode) : await drawings.draw(payer, { kind: 'code', goCode, author })
  return { headers, stream: Readable.from([bytes]) }
}
