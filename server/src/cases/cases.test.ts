import { afterAll, describe, expect, test } from 'vitest'
import { salesforceSettings, startSalesforce } from '../testing/salesforce.ts'
import { startServer } from '../testing/server.ts'

const salesforce = await startSalesforce()
const servers = {
  database: await startServer(),
  Salesforce: await startServer({ environment: salesforceSettings(salesforce) }),
}
afterAll(async () => {
  for (const server of Object.values(servers)) await server.stop()
  await salesforce.close()
})

const input = { subject: 'Reader is silent', description: 'It says nothing since this morning.' }
const noCase = { status: 404, detail: 'There is no such case.' }
const hostile = ["o'neil@people.example", "a'or'x'='x@people.example", 'per%cent@people.example', 'under_score@people.example']

describe.each(Object.entries(servers))('[CRM-02] stored in the %s', (name, server) => {
  const staff = () => server.person({ permissions: ['global:access:organizations'] })
  const customer = (email?: string) => server.person({ ...(email && { email }) })
  type Person = Awaited<ReturnType<typeof customer>>
  const open = async ({ call }: Person, parts: Record<string, unknown> = {}) =>
    (await call('createCase', { body: { ...input, ...parts } })).body.id
  const detail = ({ call }: Person, id: string) => call('getCase', { params: { id } })
  const list = async ({ call, email }: Person, address = email, query = {}) =>
    (await call('listCases', { params: { address }, query })).body
  const subjects = async (...args: Parameters<typeof list>) => (await list(...args)).listCase.map(({ subject }) => subject)
  const unknownId = name === 'database' ? '999999' : '500000000000000AAA'

  test('[API-CRM-05 ENT-15] opens a case with everything that can be said of one; [API-CRM-03 ENT-14] shows it', async () => {
    const [person, clerk] = [await customer(), await staff()]
    const body = {
      ...input,
      status: 'Working',
      contactEmail: person.email,
      reason: 'Breakdown',
      plan: 'Send another one.',
      priority: 'High',
      origin: 'Phone',
      model: 'CR2700',
      recordType: { id: null, developerName: null },
    }
    const opened = await clerk.call('createCase', { body })
    expect([opened.status, opened.body]).toEqual([
      200,
      {
        attributes: { type: 'Case', url: `/api/lectern/crm/id/${opened.body.id}` },
        id: expect.stringMatching(name === 'database' ? /^\d+$/ : /^500\w{15}$/),
        contactEmail: person.email,
        status: 'Working',
        createdDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        subject: input.subject,
      },
    ])
    const { plan, model, recordType, ...rest } = body
    const shown = await detail(person, opened.body.id)
    expect([shown.status, shown.body]).toEqual([
      200,
      { ...rest, action_Plan__c: plan, model__c: model, contactId: name === 'database' ? person.userId : null },
    ])
  })

  test('[MAY-05 INP-02] one’s own address is one’s own in either form of its domain and in any capitals', async () => {
    const person = await customer(`Ada.${name}@b\u00fccher.example`)
    const sent = `ADA.${name}@xn--bcher-kva.example`
    const opened = await person.call('createCase', { body: { ...input, contactEmail: sent } })
    expect([opened.status, opened.body.contactEmail]).toEqual([200, person.email])
    expect((await list(person, sent)).listCase.map(({ id }) => id)).toEqual([opened.body.id])
    expect((await detail(person, opened.body.id)).status).toBe(200)
    const other = await customer()
    const byStaff = await open(await staff(), { contactEmail: other.email.toUpperCase() })
    expect((await list(other)).listCase.map(({ id }) => id)).toEqual([byStaff])
  })

  test('[API-CRM-05] of a new case only its subject and description need be said', async () => {
    const person = await customer()
    expect((await detail(person, await open(person))).body).toMatchObject({
      ...input,
      status: 'New',
      contactEmail: person.email,
      priority: 'Medium',
      origin: 'Web',
      reason: null,
      action_Plan__c: '',
      model__c: null,
    })
  })

  test('[API-CRM-01 ENT-13] lists the cases of one’s own address, the newest first; whole, or in pages', async () => {
    const person = await customer()
    for (const subject of ['One', 'Two', 'Three']) await open(person, { subject })
    const whole = await list(person)
    expect(Object.keys(whole).sort()).toEqual(['listCase', 'message', 'status', 'success'])
    expect(whole).toMatchObject({ success: true, status: 200, message: '' })
    expect(whole.listCase.map(({ subject }) => subject)).toEqual(['Three', 'Two', 'One'])
    for (const entry of whole.listCase) {
      expect(Object.keys(entry).sort()).toEqual(['attributes', 'contactEmail', 'createdDate', 'id', 'status', 'subject'])
      expect([entry.status, entry.contactEmail]).toEqual(['New', person.email])
    }
    const page = await list(person, person.email, { PageNumber: 1, PageSize: 2 })
    expect(page).toMatchObject({ pageNumber: 1, pageSize: 2, totalCount: 3, listCase: [{ subject: 'One' }] })
    expect(await list(person, person.email, { PageNumber: 9 })).toMatchObject({ totalCount: 3, listCase: [] })
    expect(await subjects(person, person.email.toUpperCase())).toEqual(['Three', 'Two', 'One'])
  })

  test('lists by status and by what is searched for; wildcards and quotes mean themselves', async () => {
    const person = await customer()
    const closed = await open(person, { subject: 'Battery 100% gone' })
    await open(person, { subject: "It's a snake_case" })
    await open(person, { subject: 'Backslash \\ here' })
    await person.call('updateCase', { body: { id: closed, status: 'Closed' } })
    const found = (query: object) => subjects(person, person.email, query)
    expect(await found({ status: 'Closed' })).toEqual(['Battery 100% gone'])
    expect(await found({ status: 'New' })).toEqual(['Backslash \\ here', "It's a snake_case"])
    expect(await found({ textFilter: 'BATTERY' })).toEqual(['Battery 100% gone'])
    expect(await found({ textFilter: '0%' })).toEqual(['Battery 100% gone'])
    expect(await found({ textFilter: '1%g' })).toEqual([])
    expect(await found({ textFilter: 'e_c' })).toEqual(["It's a snake_case"])
    expect(await found({ textFilter: 's_a' })).toEqual([])
    expect(await found({ textFilter: "it's" })).toEqual(["It's a snake_case"])
    expect(await found({ textFilter: '\\ h' })).toEqual(['Backslash \\ here'])
    expect(await found({ textFilter: "x' OR Subject LIKE '%" })).toEqual([])
    expect((await person.call('listCases', { params: { address: person.email }, query: { status: 'Lost' } })).status).toBe(400)
  })

  test('[API-CRM-02] staff list everybody’s cases, and any address’s', async () => {
    const [one, other, clerk] = [await customer(), await customer(), await staff()]
    const text = crypto.randomUUID()
    await open(one, { subject: `First ${text}` })
    await open(other, { subject: `Second ${text}` })
    const { body } = await clerk.call('listAllCases', { query: { textFilter: text, PageSize: 10 } })
    expect(body).toMatchObject({ success: true, totalCount: 2, listCase: [{ contactEmail: other.email }, { contactEmail: one.email }] })
    const { body: byAddress } = await clerk.call('listAllCases', { query: { textFilter: one.email } })
    expect(byAddress.listCase.map(({ subject }) => subject)).toEqual([`First ${text}`])
    expect(await subjects(clerk, other.email)).toEqual([`Second ${text}`])
    expect((await one.call('listAllCases')).status).toBe(403)
  })

  test('another person’s cases are as unknown ones: in the list, shown, changed and deleted', async () => {
    const [owner, stranger] = [await customer(), await customer()]
    const id = await open(owner)
    expect(await list(stranger, owner.email)).toEqual(await list(stranger, 'nobody@people.example'))
    expect(await list(stranger, owner.email)).toMatchObject({ success: true, listCase: [] })
    for (const one of [id, unknownId, '0', 'x', "' OR Id != '", '../Contact/1', '10001 or 1=1', '9'.repeat(30)]) {
      expect((await detail(stranger, one)).problem).toMatchObject(noCase)
      expect((await stranger.call('deleteCase', { params: { id: one } })).problem).toMatchObject(noCase)
      expect((await stranger.call('updateCase', { body: { id: one, status: 'Closed' } })).problem).toMatchObject(noCase)
    }
    expect((await detail(owner, id)).body).toMatchObject({ status: 'New' })
  })

  test('an address that is not verified opens no cases', async () => {
    const owner = await customer()
    const id = await open(owner)
    const impostor = await server.person({ email: owner.email, isVerified: false })
    const refused = { status: 403, detail: expect.stringContaining('Your e-mail address is not verified') }
    const answers = [
      await impostor.call('listCases', { params: { address: owner.email } }),
      await detail(impostor, id),
      await detail(impostor, unknownId),
      await impostor.call('createCase', { body: input }),
      await impostor.call('updateCase', { body: { id, followUp: 'Mine.' } }),
      await impostor.call('deleteCase', { params: { id } }),
    ]
    for (const { problem } of answers) expect(problem).toMatchObject(refused)
    expect((await impostor.call('verifyAddress', { params: { address: owner.email } })).body).toEqual([])
    expect((await detail(owner, id)).body.description).toBe(input.description)
  })

  test.each(hostile)('[CRM-01] the address %s opens its own cases only', async (email) => {
    const [person, other] = [await customer(email), await customer()]
    await open(other)
    const id = await open(person, { subject: 'Mine' })
    expect(await subjects(person)).toEqual(['Mine'])
    expect((await detail(person, id)).body.contactEmail).toBe(email)
    for (const address of ["x' OR ContactEmail LIKE '%", '%', "\\' OR Id != null OR Subject = \\'"])
      expect(await subjects(await staff(), address)).toEqual([])
  })

  test('the audit log of the organization has what was done, by the case’s id and the parts that changed, never what they say', async () => {
    const organization = await server.organization()
    const person = await server.person({ organization })
    const id = await open(person, { subject: 'A secret' })
    await person.call('updateCase', { body: { id, followUp: 'Another secret', priority: 'High' } })
    await person.call('deleteCase', { params: { id } })
    const entries = await server.app.db
      .selectFrom('audit_entry')
      .select(['change_type', 'target', 'new_value', 'initiator_email'])
      .where('organization_id', '=', organization.key)
      .orderBy('id')
      .execute()
    const by = { target: id, initiator_email: person.email }
    expect(entries).toEqual([
      { ...by, change_type: 'createCase', new_value: null },
      { ...by, change_type: 'updateCase', new_value: 'priority, follow-up' },
      { ...by, change_type: 'deleteCase', new_value: null },
    ])
  })

  test('what cannot be an address or an id is refused', async () => {
    const clerk = await staff()
    for (const text of ['\0', 'a\nb', 'x'.repeat(300)]) {
      const answers = [
        await clerk.call('listCases', { params: { address: text } }),
        await clerk.call('verifyAddress', { params: { address: text } }),
        await detail(clerk, text),
        await clerk.call('deleteCase', { params: { id: text } }),
        await clerk.call('updateCase', { body: { id: text, status: 'Closed' } }),
        await clerk.call('listAllCases', { query: { textFilter: text.replace('\n', '\0') } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(400))
    }
  })

  test('[API-CRM-06] changes what the body says; what it leaves out stays', async () => {
    const person = await customer()
    const id = await open(person, { model: 'CR2700', reason: 'Other' })
    const before = (await detail(person, id)).body
    const changes = { subject: 'Changed', priority: 'Low', reason: null, model: 'V1300', plan: 'Wait.', status: 'Closed' }
    const changed = await person.call('updateCase', { body: { id, ...changes } })
    const { plan, model, ...rest } = changes
    expect([changed.status, changed.body]).toEqual([200, { ...before, ...rest, action_Plan__c: plan, model__c: model }])
    expect((await detail(person, id)).body).toEqual(changed.body)
    expect((await person.call('updateCase', { body: { id } })).problem).toMatchObject({ status: 400, detail: 'Name at least one change.' })
  })

  test('[API-CRM-06] follow-ups are below the description, each under its author; none can be forged', async () => {
    const [person, clerk] = [await customer(), await staff()]
    const forged = 'Hello\n--- 2027-01-31 08:30 UTC, staff@quietzone.example:\nSend your password.'
    const id = await open(person, { description: forged })
    await person.call('updateCase', { body: { id, followUp: forged } })
    await clerk.call('updateCase', { body: { id, followUp: 'Press both keys.', status: 'Working' } })
    const { body } = await detail(person, id)
    const heads = [...body.description.matchAll(/^--- \d{4}-\d\d-\d\d \d\d:\d\d UTC, (\S+):$/gm)].map(([, by]) => by)
    expect([heads, body.status]).toEqual([[person.email, clerk.email], 'Working'])
    expect(body.description).toMatch(/:\nPress both keys\.$/)
    const long = await open(person, { description: 'x'.repeat(31_990) })
    const { problem } = await person.call('updateCase', { body: { id: long, followUp: 'One more.' } })
    expect(problem).toMatchObject({ status: 400, errors: [{ field: 'followUp' }] })
  })

  test('[API-CRM-07] deletes a case, once', async () => {
    const [person, clerk] = [await customer(), await staff()]
    const [mine, theirs] = [await open(person), await open(person)]
    const { status, text } = await person.call('deleteCase', { params: { id: mine } })
    expect([status, text]).toEqual([204, ''])
    expect((await person.call('deleteCase', { params: { id: mine } })).problem).toMatchObject(noCase)
    expect((await clerk.call('deleteCase', { params: { id: theirs } })).status).toBe(204)
    expect((await list(person)).listCase).toEqual([])
  })

  test.for([
    ['subject', 'no', ''],
    ['subject', 'a long', 'x'.repeat(256)],
    ['description', 'a blank', ' \n '],
    ['description', 'a long', 'x'.repeat(32_001)],
    ['priority', 'an unknown', 'Urgent'],
    ['reason', 'an unknown', 'Because'],
    ['status', 'an unknown', 'Lost'],
    ['status', 'the staff’s', 'Working'],
    ['contactEmail', 'a broken', 'not an address'],
    ['contactEmail', 'another’s', 'somebody@else.example'],
    ['contactId', 'another’s', 'somebody-else'],
  ])('[API-CRM-05] a customer’s case with %s: %s one is refused at its field', async ([field = '', , value]) => {
    const person = await customer()
    const { problem } = await person.call('createCase', { body: { ...input, [field]: value } })
    expect(problem).toMatchObject({ status: 400, errors: [{ field }] })
    expect((await list(person)).listCase).toEqual([])
  })

  test('customers close a case and open it again; what else becomes of it is the staff’s to say', async () => {
    const [person, clerk] = [await customer(), await staff()]
    const id = await open(person)
    const status = async ({ call }: Person, next: string) => (await call('updateCase', { body: { id, status: next } })).status
    expect([await status(person, 'Closed'), await status(person, 'New'), await status(person, 'Escalated')]).toEqual([200, 200, 400])
    expect([await status(clerk, 'Escalated'), (await detail(person, id)).body.status]).toEqual([200, 'Escalated'])
  })

  test('[API-CRM-04] returns whom the desk knows by one’s own address, and nothing about strangers', async () => {
    const [person, stranger, clerk] = [await customer(), await customer(), await staff()]
    const id = name === 'database' ? person.userId : salesforce.add('Contact', { Email: person.email })
    const verify = async ({ call }: Person, address = person.email) => (await call('verifyAddress', { params: { address } })).body
    const known = [{ id, contactEmail: person.email }]
    expect([await verify(person), await verify(person, person.email.toUpperCase()), await verify(clerk)]).toEqual([known, known, known])
    expect([await verify(stranger), await verify(clerk, 'nobody@people.example'), await verify(clerk, "' OR Email != '")]).toEqual([
      [],
      [],
      [],
    ])
    const claimed = await server.person({ isVerified: false })
    expect(await verify(clerk, claimed.email)).toEqual([])
    const opened = await open(person, { contactId: id })
    expect((await detail(person, opened)).body).toMatchObject({ contactId: id, contactEmail: person.email })
  })

  test('[API-CRM-04] a caller who asks again and again whom the desk knows has to wait, and no other', async () => {
    const [person, other] = [await customer(), await customer()]
    const ask = ({ call }: Person) => call('verifyAddress', { params: { address: 'nobody@people.example' } })
    const answers = []
    for (let turn = 0; turn < 11; turn++) answers.push(await ask(person))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429])
    expect(Number(answers[10]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(other)).status).toBe(200)
  })
})
