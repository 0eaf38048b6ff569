import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { contentLabel } from '@lectern/contract/publications/publications.ts'
import type { Target } from '../../publications/publications.ts'
import type { PlannedReader } from './plan-sql.ts'

type StoredContent = Pick<PlannedReader, 'model' | 'kind' | 'content' | 'hash' | 'size' | 'fileName' | 'version' | 'versionOrder'>

/** Makes the content to publish, from that of a reader that gets something back, or of a publication that is taken back. */
export function toModelContent({ kind, model, content, hash, size, fileName, version, versionOrder }: StoredContent): Target['part'] {
  const label = contentLabel({ kind, hash: hash!, name: fileName, version })
  return { model: model as UpdateModel, content: content!, hash: hash!, size: size!, fileName, version, versionOrder, label }
}
