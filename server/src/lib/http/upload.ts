import type {} from '@fastify/multipart'
import { cleanName } from '@lectern/contract/text/clean-name.ts'
import type { FastifyRequest } from 'fastify'
import type { ContentStore, ReceivedFile } from '../content-store.ts'
import { Problem } from './problem.ts'
import type { Reservation } from './reservations.ts'

// Always a file: a field with the type of JSON would be parsed, however deep it nests.
const isPartAFile = (_name: string | undefined, type: string | undefined, fileName: string | undefined): boolean =>
  fileName !== undefined || type === 'application/octet-stream' || type?.startsWith('application/json') === true

/**
 * Receives a multipart body with one file, in the part `file`, and text fields. Throws a Problem 4xx, and keeps nothing of the file then.
 * @param reservation bytes of the quota that are reserved for it
 */
export async function receiveUpload(request: FastifyRequest, maxBytes: number, contents: ContentStore, reservation: Reservation | null) {
  if (!request.isMultipart()) throw new Problem(415, 'Send the file as multipart/form-data, in a part named "file".')
  const fields: Record<string, string> = {}
  let file: ReceivedFile | undefined
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes + 1, fields: 20, files: 2, fieldSize: 10_000 }, isPartAFile })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else if (part.fieldname !== 'file' && part.filename === undefined)
        throw new Problem(400, `The part named "${part.fieldname}" must be plain text.`)
      else if (part.fieldname !== 'file') throw new Problem(400, `Send the file in the part named "file", not "${part.fieldname}".`)
      else if (file) throw new Problem(400, 'Too many files')
      else file = await contents.receive(reserving(part.file, reservation), cleanName(part.filename ?? ''), maxBytes)
    }
  } catch (error) {
    await file?.discard()
    throw error instanceof Problem ? error : new Problem(400, 'The upload was cut off, or is not a multipart body.', { cause: error })
  }
  if (!file) throw new Problem(400, 'There is no file in the part named "file".')
  return { file, fields }
}

async function* reserving(source: AsyncIterable<Buffer>, reservation: Reservation | null): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    await reservation?.grow(bytes)
    yield chunk
  }
}
