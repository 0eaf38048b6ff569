import { expect, test } from 'vitest'
import { createFleet, organizationId } from './fleet.ts'
import { joinOrganization } from './hosts.ts'
import { execute } from './measure.ts'
import { type Portal, withPortal } from './portal.ts'

async function readFirstPage(portal: Portal) {
  await createFleet(portal.client, 300, { zones: 3 })
  await joinOrganization(portal, organizationId)
  const path = `/api/codedm/organization/${organizationId}/devices`
  await portal.ask(path)
  return execute(portal, () => portal.ask(path))
}

test('[SPD-01] the stand measures what the server’s own logins execute, through its own pools, and refuses what the owner does', {
  timeout: 240_000,
}, async () => {
  await withPortal([], async (portal) => {
    const { executions } = await readFirstPage(portal)
    // Who asks, the totals and the page.
    expect(executions.map(({ login }) => login).toSorted()).toEqual(['lectern_crossing', 'lectern_server', 'lectern_server'])
    const page = executions.find(({ text }) => text.includes('with page as materialized'))
    expect(page?.plan['Actual Rows']).toBe(10)
  })
  await withPortal(
    [],
    (portal) =>
      expect(readFirstPage(portal)).rejects.toThrow('A figure was taken as lectern, which owns the tables or bypasses row security.'),
    { asOwner: true },
  )
})
