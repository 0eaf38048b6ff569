import { createHash } from 'node:crypto'
import { kindBits } from '@lectern/contract/devices/attached.ts'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileProblem } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import type { ConfigurationForm } from '@lectern/contract/publications/content-kind.ts'
import { neededApp } from '@lectern/contract/publications/dry-run.ts'
import type { Preview } from '@lectern/contract/publications/preview.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import type { PartContent, PublishInput } from '@lectern/contract/publications/publish-to-zones.ts'
import { findRelease } from '../firmware/firmware.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { findMissingPermission, type Person } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { chooseZones, sortByName } from './chosen-zones.ts'
import { countGroups } from './group-verdicts.ts'
import { findSaved, listPartPermissions } from './part-contents.ts'
import { countReaders, type PreviewedPart, selectReaderGroups, selectRunningContents } from './preview-sql.ts'

interface Call {
  db: Database
  caller: Person
  params: ZoneScope
  query: { PageNumber: number; PageSize: number }
  body: PublishInput
  settings: { minBattery: number }
}

interface DescribedPart extends PreviewedPart {
  model: UpdateModel
  neededApp: string
}

// A dry run reads every reader that it counts, so it counts no more than this (FAI-06).
const mostReaders = 250_000

/**
 * Returns the dry run of a publish. Throws a Problem 422 for more readers than are counted, and the Problems of the publish, except those about
 * files that are not uploaded, zones without a host PC, windows and phases.
 */
export async function previewPublication({ db, caller, params, query, body, settings }: Call): Promise<Preview> {
  const missing = findMissingPermission(caller, listPartPermissions(body.parts))
  if (missing) throw new Problem(403, `This needs the permission ${quotePermissions([missing])}.`)
  const { organizationId } = params
  const zones = sortByName(await chooseZones(db, params, { ...body, withoutHost: true }, { locks: false }))
  const parts: DescribedPart[] = []
  for (const { model, content } of body.parts) parts.push({ model, ...(await describeContent(db, organizationId, model, content)) })
  const zoneIds = { organizationId, zones: zones.map(({ id }) => id) }
  if ((await countReaders(db, zoneIds, parts)) > mostReaders)
    throw new Problem(
      422,
      `A dry run counts at most ${mostReaders.toLocaleString('en')} readers. Choose fewer zones, by a tag or by name, or fewer models.`,
    )
  const shown = zones.slice(query.PageNumber * query.PageSize, (query.PageNumber + 1) * query.PageSize)
  const page = shown.map(({ id }) => id)
  const found = await selectReaderGroups(db, zoneIds, { parts, page, minBattery: settings.minBattery })
  const groups = Map.groupBy(found, (group) => `${group.zone} ${group.partIndex}`)
  const count = (zone: number | null, index: number) => countGroups(groups.get(`${zone} ${index}`) ?? [], () => parts[index]!.neededApp)
  const contents = Map.groupBy(await selectRunningContents(db, zoneIds, parts), (content) => content.partIndex)
  const named = parts.map(({ model, isFirmware }) => ({ model, kind: isFirmware ? ('firmware' as const) : ('configuration' as const) }))
  return {
    parts: parts.map(({ label }, index) => {
      const counts = count(null, index)
      const running = (contents.get(index) ?? []).map(({ name, readers, matches, location }) => ({
        name,
        readers,
        matches,
        ...(location && { location }),
      }))
      const others = counts.readers - running.reduce((sum, { readers }) => sum + readers, 0)
      return { ...named[index]!, name: label, counts, running, others }
    }),
    zones: shown.map(({ id, public_id, name }) => ({
      id: public_id,
      name,
      parts: named.map((part, index) => ({ ...part, counts: count(id, index) })),
    })),
    pageNumber: query.PageNumber,
    pageSize: query.PageSize,
    totalCount: zones.length,
  }
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

async function describeContent(
  db: Database,
  organizationId: number,
  model: UpdateModel,
  content: PartContent,
): Promise<Omit<DescribedPart, 'model'>> {
  const configuration = (kind: ConfigurationForm, hash: string, name: string | null) => ({
    isFirmware: false,
    hash,
    label: configurationLabel(name, hash),
    versionOrder: null,
    neededApp: neededApp[kind],
    kindBit: kindBits[kind],
  })
  switch (content.kind) {
    case 'cfg':
      return configuration('cfg', sha256(content.text), content.fileName ?? null)
    case 'script':
      return configuration('file', content.sha256, content.fileName)
    case 'saved': {
      const { kind, bytes, name } = await findSaved(db, organizationId, content, model)
      return configuration(kind, sha256(bytes), name)
    }
    case 'firmware-file': {
      const message = firmwareFileProblem(model, { name: content.fileName, size: 1 })
      if (message) throw new Problem(400, `${model}: ${message}`)
      return {
        isFirmware: true,
        hash: null,
        label: content.fileName,
        versionOrder: null,
        neededApp: neededApp.firmware,
        kindBit: kindBits.firmware,
      }
    }
    case 'firmware': {
      const { version } = await findRelease(db, model, content.version)
      return {
        isFirmware: true,
        hash: null,
        label: version,
        versionOrder: versionOrder(version),
        neededApp: neededApp.firmware,
        kindBit: kindBits.firmware,
      }
    }
  }
}
