import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Arguments, type EndpointName, endpoints } from '@lectern/contract/endpoints.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'

export interface Figures {
  requests: number
  uploads: number
  exports: number
  exportedLines: number
  /** How many event streams were opened; each is opened again when it has ended. */
  streams: number
  streamsEnded: number
  events: number
  /** The errors of a client that follows the protocol and repeats nothing. */
  errors: string[]
}

/** A client that repeats nothing: any response but a success is an error. */
export class StrictClient {
  readonly figures: Figures = { requests: 0, uploads: 0, exports: 0, exportedLines: 0, streams: 0, streamsEnded: 0, events: 0, errors: [] }
  // It closes idle connections before the proxy does.
  private readonly agent = new Agent({ keepAlive: true, timeout: 5_000 })
  private readonly url: string
  constructor(url: string) {
    this.url = url
  }

  /** Returns whether it was done. */
  async call<N extends EndpointName>(token: string, name: N, args: Arguments<N>, headers: Record<string, string> = {}): Promise<boolean> {
    this.figures.requests += 1
    const { method, url, body, ...made } = toRequest(endpoints[name], args as CallArguments)
    return this.watch(name, async () => {
      const sending = this.open(method, url, token, { ...made.headers, ...headers })
      sending.end(body)
      await readWhole(await readAnswer(sending))
    })
  }

  /** Sends a file in as many parts, with a pause after each. */
  async upload(token: string, path: string, fileName: string, parts: Buffer[], pauseMs: number): Promise<boolean> {
    this.figures.uploads += 1
    const head = Buffer.from(`--b\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`)
    const all = [head, ...parts, Buffer.from('\r\n--b--\r\n')]
    return this.watch(`upload ${path}`, async () => {
      const sending = this.open('POST', path, token, {
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': String(all.reduce((sum, { length }) => sum + length, 0)),
        'idempotency-key': randomUUID(),
      })
      const answer = readAnswer(sending)
      // A response or an error may come before the upload ends.
      let isOver = false
      const over = () => {
        isOver = true
      }
      answer.then(over, over)
      for (const part of all) {
        if (isOver) break
        sending.write(part)
        await pause(pauseMs)
      }
      sending.end()
      await readWhole(await answer)
    })
  }

  /** Reads a file slowly. */
  async export(token: string, path: string, lines: number): Promise<boolean> {
    this.figures.exports += 1
    return this.watch(`export ${path}`, async () => {
      const sending = this.open('GET', path, token, {})
      sending.end()
      const found = await readWhole(await readAnswer(sending), 20)
      this.figures.exportedLines += found
      if (found < lines) throw new Error(`${found} lines in place of ${lines}`)
    })
  }

  /** Follows a stream of events, and opens it again whenever it has ended, until the signal. */
  async follow(token: string, path: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.figures.streams += 1
      const done = await this.watch(`stream ${path}`, async () => {
        const sending = this.open('GET', path, token, { accept: 'text/event-stream' })
        sending.end()
        const response = await readAnswer(sending)
        if (response.statusCode !== 200) await readWhole(response)
        const leave = () => sending.destroy()
        signal.addEventListener('abort', leave)
        try {
          for await (const part of response) this.figures.events += String(part).split('\nevent: ').length - 1
          this.figures.streamsEnded += 1
        } catch (error) {
          if (!signal.aborted) throw error
        } finally {
          signal.removeEventListener('abort', leave)
        }
      })
      await pause(done ? 200 : 2_000)
    }
  }

  private open(method: string, path: string, token: string, headers: Record<string, string>): ClientRequest {
    return request(`${this.url}${path}`, { method, agent: this.agent, headers: { authorization: `Bearer ${token}`, ...headers } })
  }

  private async watch(what: string, work: () => Promise<unknown>): Promise<boolean> {
    const since = new Date()
    try {
      await work()
      return true
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      this.figures.errors.push(`${since.toISOString()} to ${new Date().toISOString()} ${what}: ${code ?? ''} ${message}`)
      return false
    }
  }
}

async function readAnswer(sending: ClientRequest): Promise<IncomingMessage> {
  sending.on('error', () => undefined)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  return response
}

/** Returns the number of lines. Throws where the response is no success, or is cut off. */
async function readWhole(response: IncomingMessage, pauseMs = 0): Promise<number> {
  let lines = 0
  let beginning = ''
  for await (const part of response as AsyncIterable<Buffer>) {
    for (const byte of part) if (byte === 10) lines += 1
    if (beginning.length < 300) beginning += part.toString('utf8', 0, 300)
    if (pauseMs > 0) await pause(pauseMs)
  }
  if (!response.complete) throw new Error('the answer was cut off')
  if (response.statusCode! >= 300) throw new Error(`${response.statusCode} ${beginning}`)
  return lines
}
