import type { EndpointName, Endpoints } from '@lectern/contract/endpoints.ts'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import type { CallArguments } from '@lectern/contract/http/request.ts'
import { reader } from './makers.ts'
import type { TestServer } from './server.ts'

/** Writes with If-Match. */
export type EditName = { [N in EndpointName]: Endpoints[N] extends { audit: object | string; etag: object } ? N : never }[EndpointName]

export type Headers = Record<string, string>
interface Answer {
  status: number
  headers: globalThis.Headers
  text: string
  problem: { detail?: string | undefined }
}

export interface Edit {
  read: () => Promise<Answer>
  /** Writes another record for each number from 1 to 9. */
  write: (number: number, headers?: Headers) => Promise<Answer>
  /** Changes the record without an edit. */
  touch?: () => Promise<unknown>
}

const ad = { description: 'An ad.', adsImage: null, adsUrl: '/product', createdByName: 'Marketing', status: 1 }
const days = { adsStartDate: '2026-01-01', adsEndDate: '2026-02-01' }
const product = { short: 'In short', description: '', productType: 'Hardware', productImage: null, isConfigurable: false }
const lists = { faq: [{ question: 'Does it float?', answer: 'No.' }], documents: [], isDiscontinued: false }

export function edits(server: TestServer): Record<EditName, () => Promise<Edit>> {
  const staff = () => server.person({ permissions: ['global:access:organizations'] })
  const member = async () => {
    const organization = await server.organization()
    return { organization, ...(await server.person({ organization, permissions: customerPermissions })) }
  }
  const edit = (
    { call }: Pick<Awaited<ReturnType<typeof staff>>, 'call'>,
    [get, put]: [EndpointName, EditName],
    params: Record<string, unknown>,
    bodyOf: (number: number) => CallArguments['body'],
  ): Edit => ({
    read: () => call(get, { params }),
    write: (number, headers) => call(put, { params, body: bodyOf(number) }, headers),
  })

  return {
    updateAd: async () => {
      const { call } = await staff()
      const body = (number: number) => ({ ...ad, ...days, title: `Ad ${number}` })
      const { adsid } = (await call('createAd', { body: body(0) })).body
      return edit({ call }, ['getAd', 'updateAd'], { id: adsid }, body)
    },
    updateProduct: async () => {
      const { call } = await staff()
      const body = (number: number) => ({ ...product, ...lists, title: `Product ${number}` })
      const { productId } = (await call('createProduct', { body: body(0) })).body
      return edit({ call }, ['getProduct', 'updateProduct'], { id: productId }, body)
    },
    updateLibraryEntry: async () => {
      const { organization, call } = await member()
      const params = { organizationId: organization.id }
      const content = { kind: 'commands', commands: ['SYAZTCSEN1'] }
      const { id } = (await call('createLibraryEntry', { params, body: { name: 'Ward', device: 'CR2700', content } })).body
      const body = (number: number) => ({ name: `Ward ${number}`, note: 'Wristbands' })
      return edit({ call }, ['getLibraryEntry', 'updateLibraryEntry'], { ...params, id }, body)
    },
    updateReader: async () => {
      const zone = await server.zone()
      const { call } = zone.manager
      const body = (number: number) => ({ sn: 'S1', codeMasterId: `Master ${number}`, isLost: false })
      const { readerId } = (await call('createReader', { params: { customerid: zone.organization.id }, body: body(0) })).body
      const { checkIn } = await server.host(zone)
      return { ...edit({ call }, ['getReader', 'updateReader'], { id: readerId }, body), touch: () => checkIn([reader('S1')]) }
    },
    updateRole: async () => {
      const organization = await server.organization()
      const { call } = await server.person({ organization, permissions: ['manage:people', 'manage:cfg'] })
      const params = { organizationId: organization.id }
      const { roleId } = (await call('createRole', { params, body: { name: 'Clerk', permissions: [] } })).body
      const { userId: memberId } = await server.person({ organization })
      const body = (number: number) => ({ name: `Clerk ${number}`, permissions: ['manage:cfg'] as const })
      const touch = () => call('changeMemberRole', { params: { ...params, memberId }, body: { roleId } })
      return { ...edit({ call }, ['getRole', 'updateRole'], { ...params, roleId }, body), touch }
    },
    setGroupProducts: async () => {
      const { organization, call } = await member()
      const products = (number: number) => ({ productIds: [[2, 3, 5, 7, 10, 14, 1, 4, 6, 8][number]] })
      const made = edit({ call }, ['getGroup', 'setGroupProducts'], { id: organization.groupId }, products)
      return { ...made, touch: () => server.person({ organization }) }
    },
    setSchedule: async () => {
      const organization = await server.organization()
      const { call } = await server.person({ organization, permissions: ['manage:people'] })
      const body = (number: number) => ({ windows: [{ days: ['sun'], from: `0${number}:00`, to: '12:00' }], blockedDays: [] })
      return edit({ call }, ['getSchedule', 'setSchedule'], { organizationId: organization.id }, body)
    },
    setPublishingDefaults: async () => {
      const organization = await server.organization()
      const { call } = await server.person({ organization, permissions: ['manage:people'] })
      const body = (number: number) => ({ haltAbovePercent: number + 1, stopTime: null, phases: [] })
      return edit({ call }, ['getPublishingDefaults', 'setPublishingDefaults'], { organizationId: organization.id }, body)
    },
    updateCase: async () => {
      const { call } = await member()
      const { id } = (await call('createCase', { body: { subject: 'Silent', description: 'It says nothing.' } })).body
      const body = (number: number) => ({ id, subject: 'Silent', plan: `Plan ${number}` })
      const touch = () => call('updateCase', { body: { id, followUp: 'It blinks.' } })
      const clerk = await staff()
      const write: Edit['write'] = (number, headers) => (number % 2 ? call : clerk.call)('updateCase', { body: body(number) }, headers)
      return { ...edit({ call }, ['getCase', 'updateCase'], { id }, body), write, touch }
    },
  }
}
