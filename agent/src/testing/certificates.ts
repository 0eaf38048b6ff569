import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A value in DER, the encoding of certificates (X.690). */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const identifier = (hex: string) => der(6, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const toName = (commonName: string) => sequence(der(0x31, sequence(identifier('550403'), der(12, Buffer.from(commonName)))))
const toTime = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))

/** What a certificate may be used for: to sign others. */
const authority = sequence(identifier('551d13'), der(1, Buffer.from([255])), der(4, sequence(der(1, Buffer.from([255])))))
const toAlternativeNames = (names: string[]) =>
  sequence(
    identifier('551d11'),
    der(
      4,
      sequence(...names.map((name) => (isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))))),
    ),
  )

interface Content {
  subject: string
  issuer: string
  publicKey: KeyObject
  signedBy: KeyObject
  extension: Buffer
  from: Date
  until: Date
}

function makeCertificate({ subject, issuer, publicKey, signedBy, extension, from, until }: Content): string {
  const content = sequence(
    der(0xa0, der(2, Buffer.from([2]))),
    der(2, Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    toName(issuer),
    sequence(toTime(from), toTime(until)),
    toName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = sign('sha256', content, signedBy)
  const base64 = sequence(content, ecdsaWithSha256, der(3, Buffer.from([0]), signature)).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`
}

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day)

export interface Identity {
  /** PEM. */
  key: string
  cert: string
}

export interface Authority {
  /** In PEM. */
  certificate: string
  /** `from`, `until`: days from now. */
  issue(names: string[], valid?: { from: number; until: number }): Identity
}

/** A certificate authority that no PC trusts. */
export function makeAuthority(name: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [from, until] = [inDays(-30), inDays(30)]
  const certificate = makeCertificate({
    subject: name,
    issuer: name,
    publicKey: own.publicKey,
    signedBy: own.privateKey,
    extension: authority,
    from,
    until,
  })
  return {
    certificate,
    issue(names, valid = { from: -1, until: 1 }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const cert = makeCertificate({
        subject: names[0]!,
        issuer: name,
        publicKey,
        signedBy: own.privateKey,
        extension: toAlternativeNames(names),
        from: inDays(valid.from),
        until: inDays(valid.until),
      })
      return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
    },
  }
}
