import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'

/** One JSON object per line. Headers and query strings are not logged, since they may hold credentials. */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    redact: ['*.authorization', '*.cookie', '*.password', '*.token'],
    serializers: {
      req: ({ method, url, ip, id }: FastifyRequest) => ({ method, path: String(url).split('?')[0], address: ip, id }),
      res: ({ statusCode }: FastifyReply) => ({ status: statusCode }),
      err: pino.stdSerializers.err,
    },
  }
  return pino(options, destination)
}
