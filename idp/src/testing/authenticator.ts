import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const encode = (data: string | Buffer) => Buffer.from(data).toString('base64url')

// CBOR, RFC 8949, as far as a passkey needs it.
const head = (major: number, length: number) =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (data: Buffer) => Buffer.concat([head(2, data.length), data])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

interface Changes {
  /** The origin of the page that asks. */
  origin?: string
  rpId?: string
  challenge?: string
  counter?: number
  isVerified?: boolean
}

interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
}

/** A passkey of an authenticator without a browser (ES256, no attestation). */
export function createPasskey(origin: string) {
  const id = randomBytes(16)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (value: string) => bytes(Buffer.from(value, 'base64url'))
  const key = map(
    ...([
      [int(1), int(2)],
      [int(3), int(-7)],
      [int(-1), int(1)],
      [int(-2), coordinate(x)],
      [int(-3), coordinate(y)],
    ] satisfies [Buffer, Buffer][]),
  )
  let counter = 0

  const describe = (type: string, options: Options, changes: Changes) =>
    Buffer.from(
      JSON.stringify({ type, challenge: changes.challenge ?? options.challenge, origin: changes.origin ?? origin, crossOrigin: false }),
    )
  const facts = (options: Options, changes: Changes, flags: number) => {
    const count = Buffer.alloc(4)
    counter = changes.counter ?? counter + 1
    count.writeUInt32BE(counter)
    const host = changes.rpId ?? options.rp?.id ?? options.rpId ?? new URL(origin).hostname
    return Buffer.concat([sha256(host), Buffer.from([flags | 1 | (changes.isVerified === false ? 0 : 4)]), count])
  }
  const common = { id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {} }

  return {
    register(options: Options, changes: Changes = {}): string {
      const client = describe('webauthn.create', options, changes)
      const data = Buffer.concat([facts(options, changes, 0x40), Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestation = map([text('fmt'), text('none')], [text('attStmt'), map()], [text('authData'), bytes(data)])
      return JSON.stringify({
        ...common,
        response: { clientDataJSON: encode(client), attestationObject: encode(attestation), transports: ['internal'] },
      })
    },
    use(options: Options, changes: Changes = {}): string {
      const client = describe('webauthn.get', options, changes)
      const data = facts(options, changes, 0)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return JSON.stringify({
        ...common,
        response: { clientDataJSON: encode(client), authenticatorData: encode(data), signature: encode(signature) },
      })
    },
  }
}

/** Reads what a page asks of the browser. */
export function readOptions(page: string): Options {
  const options = /data-options="([^"]*)"/.exec(page)?.[1] ?? '{}'
  return JSON.parse(options.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))) as Options
}
