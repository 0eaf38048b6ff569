import type { FastifyInstance } from 'fastify'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { endSessions } from './sessions.ts'
import type { Issuer } from './tokens.ts'

export const backChannelPath = '/backchannel-logout'
const mostBytes = 16_384

// OpenID back-channel logout 1.0: here a hosted provider notifies the portal of sessions that have ended.
export async function serveBackChannelLogout(http: FastifyInstance, db: Database, issuer: Issuer): Promise<void> {
  await http.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    scope.post(backChannelPath, { bodyLimit: mostBytes }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null
        if (!token) throw new Problem(400, 'Send the logout token as logout_token, in a form.')
        const logout = await issuer.verifyLogout(token)
        await endSessions(db, logout)
        request.log.info({ event: 'sessionEnded', subject: logout.subject }, 'The identity provider ended sessions')
        return reply.send()
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 400) throw error
        request.log.warn({ err: error.cause }, error.message)
        return reply.status(400).send({ error: 'invalid_request', error_description: error.message })
      }
    })
  })
}
