import { afterAll, afterEach, expect, test } from 'vitest'
import { salesforceSettings, startSalesforce, type Trouble } from '../testing/salesforce.ts'
import { serverForFile, startServer } from '../testing/server.ts'

const salesforce = await startSalesforce({ requiresModel: true })
const server = await serverForFile({ environment: { ...salesforceSettings(salesforce), SUPPORT_PHONE: '+1 555 0199' } })
const person = await server.person()
const staff = await server.person({ permissions: ['global:access:organizations'] })
afterEach(() => {
  salesforce.trouble = 'none'
  salesforce.batch = 2_000
})
afterAll(() => salesforce.close())

const body = { subject: 'Silent', description: 'Since noon.', model: 'CR2700' }
const open = async () => (await person.call('createCase', { body })).body.id
const list = (query = {}) => person.call('listCases', { params: { address: person.email }, query })
const entries = () => server.app.db.selectFrom('audit_entry').select('id').execute()

/** What the calls of a piece of work are. */
async function recordCalls(work: () => Promise<unknown>): Promise<string[]> {
  const before = salesforce.calls.length
  await work()
  return salesforce.calls.slice(before)
}

test('[CRM-02] a session serves many calls; an expired one is replaced once, for all calls that meet it, unnoticed', async () => {
  await list()
  expect(await recordCalls(list)).toEqual(['GET query'])
  salesforce.trouble = 'expired'
  const calls = await recordCalls(async () => {
    const answers = await Promise.all([list(), list(), list()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
  expect(calls.filter((call) => call === 'sign in')).toEqual(['sign in'])
  salesforce.trouble = 'expired'
  const id = await open()
  salesforce.trouble = 'expired'
  expect((await person.call('updateCase', { body: { id, followUp: 'Still.' } })).body.description).toMatch(/Still\.$/)
  salesforce.trouble = 'expired'
  expect((await person.call('deleteCase', { params: { id } })).status).toBe(204)
})

const troubles: [Trouble, number, string, string | null][] = [
  ['limit', 503, 'The support desk takes no more requests for now.', '600'],
  ['unavailable', 503, 'The support desk cannot be reached now.', null],
  ['locked', 503, 'The support desk cannot be reached now.', null],
  ['cut', 503, 'The support desk cannot be reached now.', null],
  ['slow', 503, 'The support desk does not answer in time.', '120'],
  ['fails', 502, 'The support desk did not understand the portal.', '120'],
  ['denied', 502, 'The support desk did not understand the portal.', '120'],
  ['gibberish', 502, 'The support desk did not understand the portal.', '120'],
]

test.each(troubles)(
  '[CRM-02] reading while Salesforce is in trouble (%s) is answered %i in a sentence that offers the phone line',
  async (trouble, status, sentence, retryAfter) => {
    await list()
    salesforce.trouble = trouble
    const answer = await list()
    expect(answer.problem).toMatchObject({ status, detail: expect.stringContaining(sentence), title: expect.stringMatching(/^Not /) })
    expect(answer.problem.detail).toMatch(/ The support line is \+1 555 0199\.$/)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
    salesforce.trouble = 'none'
    expect((await list()).status).toBe(200)
  },
)

test.each([
  ['unavailable', 503, 'The support desk cannot be reached now.'],
  ['limit', 503, 'The support desk takes no more requests for now.'],
] as const)('[CRM-02] a write that Salesforce refuses (%s) leaves nothing, in the audit log neither', async (trouble, status, sentence) => {
  const id = await open()
  const [before, cases] = [await entries(), salesforce.records.Case.size]
  salesforce.trouble = trouble
  for (const answer of [
    await person.call('createCase', { body }),
    await person.call('updateCase', { body: { id, status: 'Closed' } }),
    await person.call('deleteCase', { params: { id } }),
  ])
    expect(answer.problem).toMatchObject({ status, detail: expect.stringContaining(sentence) })
  expect([await entries(), salesforce.records.Case.size]).toEqual([before, cases])
  expect(salesforce.records.Case.get(id)?.Status).toBe('New')
})

test('[CRM-02] a write whose answer is lost says that its outcome is unknown, and is not sent a second time', async () => {
  const cases = salesforce.records.Case.size
  await list()
  salesforce.trouble = 'cut after'
  const answer = await person.call('createCase', { body })
  expect(answer.problem).toMatchObject({ status: 502, detail: expect.stringContaining('It is not known whether this was saved') })
  expect(answer.headers.get('retry-after')).toBe('120')
  expect(salesforce.records.Case.size).toBe(cases + 1)
})

test('[CRM-02] Salesforce that is not there, or does not know the portal, is said in a sentence, and no secret in it', async () => {
  const gone = await startSalesforce()
  await gone.close()
  const environments = [salesforceSettings(gone), { ...salesforceSettings(salesforce), SALESFORCE_CLIENT_SECRET: 'wrong' }]
  const answers = []
  for (const environment of environments) {
    const other = await startServer({ environment })
    const { call, email } = await other.person()
    answers.push(await call('listCases', { params: { address: email } }), await call('createCase', { body }))
    expect(other.lines.join()).not.toContain(gone.clientSecret)
    await other.stop()
  }
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 502, 502])
  for (const { text } of answers) expect(text).toMatch(/The support desk .+ The support line is /)
})

test('[CRM-02] what Salesforce finds wrong is at the field', async () => {
  const { problem } = await person.call('createCase', { body: { ...body, model: null } })
  expect(problem).toMatchObject({
    status: 400,
    detail: 'model must not be empty',
    errors: [{ field: 'model', message: 'must not be empty' }],
  })
  const recordType = { developerName: 'Nobody_has_it' }
  const refused = await person.call('createCase', { body: { ...body, recordType } })
  expect(refused.problem).toMatchObject({ status: 400, errors: [{ field: 'recordType' }] })
  const id = salesforce.add('RecordType', { SobjectType: 'Case', DeveloperName: 'Reader_Support' })
  const opened = await person.call('createCase', { body: { ...body, recordType: { developerName: 'Reader_Support' } } })
  expect(salesforce.records.Case.get(opened.body.id)?.RecordTypeId).toBe(id)
})

test('[CRM-02] a contact’s address counts before the one that a case came with', async () => {
  const [owner, writer] = [await server.person(), await server.person()]
  const ContactId = salesforce.add('Contact', { Email: owner.email })
  const id = salesforce.add('Case', { Status: 'On Hold', Subject: 'By mail', ContactId, SuppliedEmail: writer.email })
  const seen = async ({ call, email }: typeof owner) => {
    const { body: found } = await call('listCases', { params: { address: email } })
    return [found.listCase.map((one) => [one.id, one.contactEmail, one.status]), (await call('getCase', { params: { id } })).status]
  }
  expect(await seen(owner)).toEqual([[[id, owner.email, 'On Hold']], 200])
  expect(await seen(writer)).toEqual([[], 404])
})

test('[CRM-02 API-CRM-02] a long list comes whole, in Salesforce’s batches, and in pages as far as Salesforce goes', async () => {
  const text = crypto.randomUUID()
  for (let n = 0; n < 2_120; n++) salesforce.add('Case', { Status: 'New', Subject: `${n} ${text}`, SuppliedEmail: 'many@people.example' })
  salesforce.batch = 500
  const all = async (query: object) => (await staff.call('listAllCases', { query: { textFilter: text, ...query } })).body
  const whole = await all({})
  expect(whole.listCase.map(({ subject }) => subject)).toEqual(Array.from({ length: 2_120 }, (_, n) => `${2_119 - n} ${text}`))
  const last = await all({ PageNumber: 20, PageSize: 100 })
  expect(last).toMatchObject({ totalCount: 2_100, message: 'These are the newest 2,100 of 2,120 cases. Search to find older ones.' })
  expect(last.listCase.map(({ subject }) => subject).at(-1)).toBe(`20 ${text}`)
  expect((await all({ PageNumber: 21, PageSize: 100 })).listCase).toEqual([])
  expect(salesforce.queries.filter((query) => /OFFSET (?!2000\b|1?\d{1,3}\b)/.test(query))).toEqual([])
})

test('writes to a slow Salesforce use up no more than some of the connections to the database', async () => {
  await list()
  const id = await open()
  salesforce.trouble = 'slow'
  const writes = Array.from({ length: 30 }, () => person.call('createCase', { body }))
  const profile = await person.call('getCurrentUser')
  expect(profile.status).toBe(200)
  const answers = await Promise.all(writes)
  for (const { status } of answers) expect([502, 503]).toContain(status)
  expect(answers.filter(({ text }) => text.includes('is busy now')).length).toBeGreaterThanOrEqual(20)
  salesforce.trouble = 'none'
  expect((await person.call('deleteCase', { params: { id } })).status).toBe(204)
})
