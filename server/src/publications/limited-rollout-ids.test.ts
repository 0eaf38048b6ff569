import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

test('[MAY-06] to a role limited to zones a rollout id is the same, whether zones that it does not see have it or none', async () => {
  const mine = await server.zone('Mine')
  const { organization, manager } = mine
  const theirs = await server.zone('Theirs', organization)
  await Promise.all([server.host(mine), server.host(theirs)])
  const limited = await server.limitedPerson(organization, [mine], ['manage:cfg'])
  const params = { organizationId: organization.id }
  const publish = ({ call }: Pick<typeof manager, 'call'>, location: string, rollout: string, cfg = '<cfg>1</cfg>') =>
    call('publishCfg', { params: { ...params, location, device: 'CR2700' }, body: { cfg, rollout } })
  const [hidden, unknown, key] = [randomUUID(), randomUUID(), randomUUID()]
  expect((await publish(manager, theirs.id, hidden)).body).not.toHaveProperty('rolloutId')
  const get = ({ call }: Pick<typeof manager, 'call'>, id: string) => call('getRollout', { params: { ...params, id } })
  const content = { kind: 'cfg', text: '<cfg>2</cfg>' } as const
  const many = ({ call }: Pick<typeof manager, 'call'>, id: string) =>
    call('publishToZones', {
      params,
      body: { key: id, zones: { ids: [mine.id] }, parts: [{ model: 'CR2700', content }], when: { now: true } },
    })
  const answers = []
  for (const id of [hidden, unknown]) {
    const { status, body } = await publish(limited, mine.id, id)
    const kept = body.rolloutId!
    answers.push([
      status,
      body.message.replace(/\d+/, 'N'),
      kept === id,
      (await get(limited, id)).status,
      (await get(limited, kept)).status,
    ])
    // Two calls with the same id are one rollout.
    expect((await publish(limited, mine.id, id, '<cfg>one more</cfg>')).body.rolloutId).toBe(kept)
    const together = await many(limited, id)
    answers.push([together.status, together.problem?.detail])
  }
  const published = 'Published revision N for CR2700 in Mine, from 02:00.'
  const once = [422, 'This key was used for another publish.']
  expect(answers).toEqual([[200, published, false, 404, 200], once, [200, published, false, 404, 200], once])
  const [first, again] = [await many(limited, key), await many(limited, key)]
  expect([first.status, again.body, first.body.rolloutId === key]).toEqual([200, first.body, false])
  expect((await get(manager, hidden)).body).toMatchObject({ id: hidden, zones: ['Theirs'], zoneCount: 1 })
})
