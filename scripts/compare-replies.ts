// TOKENS=… npm run compare-replies -- URL FILE: keeps in FILE what the server at URL replies to some 2,000 reads of its API. Where FILE is there, it asks
// the same again and lists what has become different. TOKENS are access tokens with commas between: first of one of the vendor's staff, then of people of
// a few organizations; the second time of the same people.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Places in a body that depend on the clock or on the call. What only the later version has is not compared either. */
const leftOut: Record<string, string> = { '.body.at': 'when the reply was made', '.body.instance': 'the id of the call' }

// Lists whose equal entries come in any order, or did in earlier versions.
const inAnyOrder = /\/locations\/overview$|\/rollouts\/[^/]+\/readers/
const sortList = (_: string, value: unknown) =>
  Array.isArray(value) ? value.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value

const ofPerson = `
/api/lectern/{mine}
/api/lectern/group/{group}
/api/lectern/admin/organizations/totals
/api/lectern/admin/organizations?PageSize=100&PageNumber={few}
/api/lectern/admin/organizations?PageSize=25&textFilter={few}
/api/lectern/admin/firmware
/api/lectern/admin/audit-log?PageSize=100&PageNumber={few}
/api/lectern/admin/audit-log/choices
/api/lectern/admin/audit-log/download
/api/lectern/crm/admin?PageSize=100&PageNumber={few}
/api/lectern/data/graphs/global/{graph}
/api/configs
/api/codedm/catalogue
/api/codedm/device/{model}/available-firmware`
const ofOrganization = `
/api/lectern/organization/{id}
/api/lectern/organization/{id}/users
/api/lectern/data/graphs/organization/{id}/{graph}
/api/codedm/organization/{id}/summary
/api/codedm/organization/{id}/configuration
/api/codedm/organization/{id}/devices/totals
/api/codedm/organization/{id}/devices/model/{model}/totals
/api/codedm/organization/{id}/devices?ColumnName={column}&Direction={direction}&PageSize=25{tile}
/api/codedm/organization/{id}/devices?ColumnName={column}&Direction={direction}&PageSize=25&PageNumber={page}
/api/codedm/organization/{id}/devices?ColumnName=LastSeen&PageSize=25&textFilter={word}{tile}
/api/codedm/organization/{id}/devices?ColumnName=Location&PageSize=25&textFilter={word}&PageNumber={few}
/api/codedm/organization/{id}/devices/download?ColumnName=Location&textFilter={word}
/api/codedm/organization/{id}/devices/download?ColumnName=BatteryHealth{tile}
/api/codedm/organization/{id}/device/{serial}
/api/codedm/organization/{id}/device/{serial}/configuration
/api/codedm/organization/{id}/device/{serial}/firmware
/api/codedm/organization/{id}/audit-log/device/{serial}
/api/codedm/organization/{id}/locations/overview
/api/codedm/organization/{id}/location/{zone}/device/{model}/firmware
/api/codedm/organization/{id}/location/{zone}/device/{model}/firmware/running
/api/codedm/organization/{id}/rollouts?PageSize=10&PageNumber={few}
/api/codedm/organization/{id}/rollouts/{rollout}
/api/codedm/organization/{id}/rollouts/{rollout}/readers?PageSize=100&PageNumber={few}
/api/codedm/organization/{id}/rollouts/{rollout}/readers?state={state}
/api/codedm/organization/{id}/audit-log?PageSize=100&PageNumber={few}
/api/codedm/organization/{id}/audit-log?PageSize=25&PageNumber={few}&changeType={change}
/api/codedm/organization/{id}/audit-log?PageSize=25&textFilter={word}
/api/codedm/organization/{id}/audit-log/download?changeType={change}
/api/licensing/organization/{id}/licenses/license-types
/api/licensing/organization/{id}/licenses?ColumnName={order}&Direction={direction}&PageNumber={few}
/api/licensing/organization/{id}/licenses/{licence}
/api/readers/{id}/{connected}`

type Values = Record<string, readonly (string | number)[]>
const values: Values = {
  few: [0, 1, 3],
  column: ['DeviceType', 'DeviceSerialNumber', 'Location', 'Host', 'DeviceFirmwareVersion', 'LastSeen', 'BatteryHealth'],
  direction: ['Ascending', 'Descending'],
  tile: ['', '&onlyOffline=true', '&onlyBadBattery=true', '&onlyWarrantyExpired=true', '&onlyDrifted=true'],
  model: ['CR2700', 'A271/2', 'V4500'],
  state: ['failed', 'waiting', 'silent', 'downloading'],
  order: ['Date', 'LicenseNumber', 'PurchaseOrderNumber'],
  connected: ['all', 'online', 'offline'],
  mine: ['register', 'group', 'product', 'marketing', 'country'],
  graph: ['unique-devices-by-time', 'most-frequent-device-models', 'total-devices-by-os', 'unique-devices-by-location', 'license-counts'],
}

const [url, file] = process.argv.slice(2)
const tokens = (process.env.TOKENS ?? '').split(',').filter(Boolean)
if (!url || !file || tokens.length === 0) throw new Error('TOKENS=STAFF,PERSON npm run compare-replies -- URL FILE')

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** One hash for each column, by its heading. */
function hashColumns(csv: string): Record<string, string> {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of csv.replace('\ufeff', '').matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(cell)
    if (end !== ',') rows.push([])
  }
  return Object.fromEntries(rows[0]!.map((heading, column) => [heading, hash(rows.map((row) => row[column]).join('\n'))]))
}

async function ask(person: number, path: string) {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${tokens[person]}` } })
  if (response.status === 401) throw new Error(`${url} refuses the token of person ${person}.`)
  const [type, text] = [response.headers.get('content-type') ?? '', await response.text()]
  const body: unknown = type.includes('json')
    ? JSON.parse(text, inAnyOrder.test(path) ? sortList : undefined)
    : type.includes('csv')
      ? hashColumns(text)
      : hash(text)
  return { person, path, status: response.status, body }
}

function* findDifferences(before: unknown, after: unknown, place = ''): Generator<string> {
  if (place in leftOut || before === after) return
  const areLists = Array.isArray(before) && Array.isArray(after)
  const areObjects = [before, after].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  if (areObjects || (areLists && before.length === after.length))
    for (const [name, value] of Object.entries(before as object))
      yield* findDifferences(value, (after as Record<string, unknown>)[name], `${place}.${name}`)
  else yield `${place}: ${JSON.stringify(before)?.slice(0, 300)} → ${JSON.stringify(after)?.slice(0, 300)}`
}

/** Four values of a field, spread from the first to the last. */
const pick = (field: string, list: readonly Record<string, string>[] = []): string[] => [
  ...new Set([0, 0.3, 0.6, 1].flatMap((part) => list[Math.round(part * (list.length - 1))]?.[field] ?? [])),
]

/** Fills every path with every value for its places. */
function expand(paths: string, found: Values): string[] {
  const fill = (path: string): string[] => {
    const [place = '', name = ''] = /\{(\w+)\}/.exec(path) ?? []
    const put = (value: string | number) => path.replace(place, () => (name === 'tile' ? `${value}` : encodeURIComponent(value)))
    return place ? (found[name] ?? values[name]!).flatMap((value) => fill(put(value))) : [path]
  }
  return paths.trim().split('\n').flatMap(fill)
}

async function keep(): Promise<void> {
  const replies = new Map<string, Awaited<ReturnType<typeof ask>>>()
  // biome-ignore lint/suspicious/noExplicitAny: what each path has is in the contract of either version.
  const read = async (person: number, path: string): Promise<any> => {
    const key = `${person} ${path}`
    const reply = replies.get(key) ?? (await ask(person, path))
    replies.set(key, reply)
    return reply.body
  }
  const walk = async (person: number, id: string) => {
    const base = `/api/codedm/organization/${id}`
    const { deviceList, totalCount } = await read(person, `${base}/devices?PageSize=25&ColumnName=DeviceSerialNumber`)
    const { zone = '', host = '', serialNumber = '' } = deviceList.at(-1) ?? {}
    const found: Values = {
      id: [id],
      page: [Math.floor(totalCount / 75), Math.floor(totalCount / 25)],
      word: [zone, host, serialNumber.slice(3, 7), `cr2700 ${zone.split(' ')[0]}`],
      serial: pick('serialNumber', deviceList),
      zone: pick('id', await read(person, `${base}/locations`)),
      rollout: pick('id', (await read(person, `${base}/rollouts?PageSize=100`)).rolloutList),
      change: pick('changeType', (await read(person, `${base}/audit-log/choices`)).changeTypes),
      licence: pick('id', (await read(person, `/api/licensing/organization/${id}/licenses?PageSize=100`)).licenses),
    }
    for (const path of expand(ofOrganization, found)) await read(person, path)
  }
  for (const person of tokens.keys()) {
    const { organizationId, group } = await read(person, '/api/lectern/users/current')
    for (const path of expand(ofPerson, { group: group ? [group.gid] : [] })) await read(person, path)
    const { organizationList = [] } = await read(person, '/api/lectern/admin/organizations?PageSize=100&PageNumber=0')
    for (const id of [...organizationId, ...pick('id', organizationList)]) await walk(person, id)
  }
  const lines = [...replies.values()].map((reply) => JSON.stringify(reply))
  writeFileSync(file!, lines.join('\n'))
  console.log(`${lines.length} replies are in ${file}; ${lines.filter((line) => !line.includes('"status":200')).length} are refusals.`)
}

async function compare(): Promise<void> {
  const lines = readFileSync(file!, 'utf8').split('\n')
  let different = 0
  for (const line of lines) {
    const before = JSON.parse(line) as Awaited<ReturnType<typeof ask>>
    const places = [...findDifferences(before, await ask(before.person, before.path))]
    if (places.length === 0) continue
    different++
    console.log([`${before.person} ${before.path}: ${places.length} differences`, ...places.slice(0, 3)].join('\n  '))
  }
  console.log(`${lines.length} replies compared, ${different} different.`)
  process.exitCode = different === 0 ? 0 : 1
}

await (existsSync(file) ? compare() : keep())
