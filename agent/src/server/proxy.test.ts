import { expect, test } from 'vitest'
import { findProxy, nameProxy, parseProxy } from './proxy.ts'

const portal = 'https://lectern.hospital.example'

function nameIn(environment: Record<string, string>, server = portal): string | null {
  const proxy = findProxy(server, undefined, environment)
  return proxy && nameProxy(proxy)
}

test.for<[string, Record<string, string>, string, string | null]>([
  ['HTTPS_PROXY is for https', { HTTPS_PROXY: 'http://p.example:3128' }, portal, 'p.example:3128'],
  [
    'https_proxy too, and it wins',
    { https_proxy: 'http://small.example:1', HTTPS_PROXY: 'http://p.example:3128' },
    portal,
    'small.example:1',
  ],
  ['an empty one is none', { https_proxy: '', HTTPS_PROXY: 'http://p.example:3128' }, portal, 'p.example:3128'],
  ['HTTP_PROXY is not for https', { HTTP_PROXY: 'http://p.example:3128' }, portal, null],
  ['HTTP_PROXY is for http', { HTTP_PROXY: 'http://p.example:3128' }, 'http://lectern.hospital.example', 'p.example:3128'],
  ['http_proxy too', { http_proxy: 'p.example' }, 'http://lectern.hospital.example', 'p.example:80'],
  ['without a scheme', { HTTPS_PROXY: 'p.example:3128' }, portal, 'p.example:3128'],
  ['one that speaks https', { HTTPS_PROXY: 'https://p.example' }, portal, 'p.example:443'],
  ['of an IPv6 address', { HTTPS_PROXY: 'http://[fd00::1]:3128' }, portal, '[fd00::1]:3128'],
  [
    'this PC itself is reached without one',
    { HTTPS_PROXY: 'http://p.example:3128', HTTP_PROXY: 'p.example' },
    'http://localhost:3000',
    null,
  ],
])('[AGT-07] the proxy of the environment: %s', ([, environment, server, name]) => {
  expect(nameIn(environment, server)).toBe(name)
})

test.for<[noProxy: string, server: string, isExempt: boolean]>([
  ['*', portal, true],
  ['lectern.hospital.example', portal, true],
  ['LECTERN.Hospital.Example', portal, true],
  ['hospital.example', portal, true],
  ['.hospital.example', portal, true],
  ['*.hospital.example', portal, true],
  ['intranet, hospital.example', portal, true],
  ['intranet hospital.example', portal, true],
  ['pital.example', portal, false],
  ['example.lectern', portal, false],
  ['hospital.example:443', portal, true],
  ['hospital.example:8443', portal, false],
  ['hospital.example:8443', `${portal}:8443`, true],
  ['', portal, false],
  [', .', portal, false],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['10.1.2.3:443', 'https://10.1.2.3', true],
  ['2.3', 'https://10.1.2.3', false],
  ['10.0.0.0/8', 'https://10.1.2.3', true],
  ['10.0.0.0/16', 'https://10.1.2.3', false],
  ['10.0.0.0/99', 'https://10.1.2.3', false],
  ['10.0.0.0/8', portal, false],
  ['fd00::1', 'https://[fd00::1]', true],
  ['[fd00::1]:443', 'https://[fd00::1]', true],
  ['fd00::/8', 'https://[fd00::1]', true],
  ['fe80::/10', 'https://[fd00::1]', false],
])('[AGT-07] NO_PROXY "%s" for %s: %s', ([noProxy, server, isExempt]) => {
  for (const name of ['NO_PROXY', 'no_proxy'])
    expect(nameIn({ HTTPS_PROXY: 'p.example:3128', [name]: noProxy }, server)).toBe(isExempt ? null : 'p.example:3128')
})

test('[AGT-07] a proxy that is named wins over the environment', () => {
  const named = parseProxy('http://named.example:8080')!
  expect(findProxy(portal, named, { HTTPS_PROXY: 'p.example', NO_PROXY: '*' })).toBe(named)
})

test('[AGT-07] a proxy of the environment that cannot be used is named by its variable, without what it has', () => {
  for (const given of [
    'socks5://a:hush@p.example',
    'http://',
    'http://a:hush@',
    'http://a:2024#hush@p.example:3128',
    'http://wpad/wpad.dat',
  ])
    expect(() => nameIn({ HTTPS_PROXY: given })).toThrow(
      /^The variable HTTPS_PROXY is no address of a proxy such as http:\/\/proxy\.example:3128\. Correct it, or name the proxy with "lectern-agent enroll … --proxy"\.$/,
    )
})

test('[AGT-07] user and password of an address are read as they were meant', () => {
  expect(parseProxy('http://DOM%5Cagent:p%40ss%zz@p.example')).toEqual({
    address: 'http://p.example:80',
    user: 'DOM\\agent',
    password: 'p@ss%zz',
  })
})
