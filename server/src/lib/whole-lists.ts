import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { toCallerKey } from './http/caller.ts'
import { Problem } from './http/problem.ts'

const [mostOfAccount, mostOfOrganization] = [1, 2]

export type WholeLists = ReturnType<typeof createWholeLists>

/** Lists without pages, as the specification names them, hold a connection until their client has read them: few are sent at once (FAI-06). */
export function createWholeLists() {
  const underWay = new Map<string, number>()
  const count = (who: string, by: number) => {
    const left = (underWay.get(who) ?? 0) + by
    if (left > 0) underWay.set(who, left)
    else underWay.delete(who)
  }
  return {
    /** Until its response has ended. Throws a Problem 429. @param organizationId null: of several organizations, which counts by account alone */
    enter(organizationId: number | null, { caller }: FastifyRequest, response: ServerResponse): void {
      if (response.closed) return
      const account = `account ${toCallerKey(caller)}`
      const organization = organizationId === null ? undefined : `organization ${organizationId}`
      const refuse = (who: string, most: number) => {
        const lists = most === 1 ? 'one list' : `${most} lists`
        throw new Problem(429, `${who} may have ${lists} without pages sent at once. Ask for pages, or try again in a moment.`, {
          retryAfter: 1,
          isQuota: true,
        })
      }
      if ((underWay.get(account) ?? 0) >= mostOfAccount) refuse('An account', mostOfAccount)
      if (organization && (underWay.get(organization) ?? 0) >= mostOfOrganization) refuse('An organization', mostOfOrganization)
      const keys = organization ? [account, organization] : [account]
      for (const key of keys) count(key, 1)
      response.once('close', () => {
        for (const key of keys) count(key, -1)
      })
    },
  }
}
