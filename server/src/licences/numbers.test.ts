import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/** A licence, and what a member without permissions sees of it. `auditor` reads the audit log. */
async function newLicence() {
  const zone = await server.zone('ICU')
  const { organization } = zone
  const params = { organizationId: organization.id }
  const manager = await server.person({ organization, permissions: ['manage:licences'] })
  const [member, auditor, staff] = [
    await server.person({ organization }),
    await server.person({ organization, permissions: ['access:audit_log', 'manage:firmware'] }),
    await server.person({ permissions: ['global:access:organizations'] }),
  ]
  const body = { serialNumbers: ['27P0418853'], purchaseOrderNumber: 'PO-2026-118', licenseNumber: 'LEC-HARD-TO-GUESS-7F3K' }
  const { body: licence } = await manager.call('generateLicence', { params, body })
  return { zone, params, manager, member, auditor, staff, licence, at: { ...params, id: licence.id } }
}
const one = await newLicence()

test('[PPL-06 PPL-07] a member without permissions issues no licence, and enrolls no host PC with what is to be seen of another', async () => {
  const { zone, params, member, auditor, staff, at } = one
  for (const name of ['createLicence', 'generateLicence'] as const) {
    const { status, problem } = await member.call(name, { params, body: { serialNumbers: ['A'] } })
    expect([status, problem.detail]).toEqual([403, 'This needs the permission “Manage licences”.'])
  }
  expect((await member.call('revokeLicence', { params: at, body: { removeHosts: false } })).status).toBe(403)
  const seen: string[] = []
  for (const person of [member, auditor, staff]) {
    const [read, list] = [await person.call('getLicence', { params: at }), await person.call('listLicences', { params })]
    expect(read.body).toMatchObject({ licenseNumber: '…7F3K', hasFile: true, file: null, serialNumbers: ['27P0418853'] })
    seen.push(read.text, list.text)
  }
  seen.push((await auditor.call('listAuditEntries', { params })).text)
  expect(seen.filter((text) => text.includes('…7F3K'))).toHaveLength(7)
  expect(seen.filter((text) => /GUESS/i.test(text))).toEqual([])
  const body = { zoneId: zone.id, hostName: 'ROGUE', timeZone: 'UTC', agentVersion: '1.0.0', credentialHash: 'a'.repeat(64) }
  for (const token of ['…7F3K', '7F3K', one.licence.id].map(encodeURIComponent))
    expect((await server.call('enrollHost', { body }, { token })).status).toBe(401)
})

test('[PPL-07] a search finds only what is shown: no number is guessed letter by letter', async () => {
  const { params, manager, member } = one
  const finds = async (person: typeof member, textFilter: string) =>
    (await person.call('listLicences', { params, query: { textFilter } })).body.totalCount
  for (const text of ['lec', 'hard', 'guess-7f3k', 's-7f3k', 'lec po-2026'])
    expect([text, await finds(member, text), await finds(manager, text)]).toEqual([text, 0, 1])
  for (const text of ['7f3k', 'po-2026', '27p04', '7f3k 27p04'])
    expect([text, await finds(member, text), await finds(manager, text)]).toEqual([text, 1, 1])
})

test('[PPL-07] whoever manages licences reads number and file', async () => {
  const { manager, licence, at } = one
  expect((await manager.call('getLicence', { params: at })).body).toEqual(licence)
  expect(licence).toMatchObject({
    licenseNumber: 'LEC-HARD-TO-GUESS-7F3K',
    issuedBy: manager.email,
    file: { name: 'LEC-HARD-TO-GUESS-7F3K.licence' },
  })
})
