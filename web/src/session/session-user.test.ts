import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { toSessionUser } from './session-user.ts'

const tokenWith = (claims: Record<string, unknown>) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
const profile = {
  sub: 'u1',
  email: 'manager@northfield.example',
  name: 'Northfield Manager',
  picture: 'https://pictures.example/manager.png',
}

test('[ENT-33] the session user has the permissions of the access token, the picture of the profile, and the token', async () => {
  const token = await tokenWith({ permissions: ['manage:cfg', 'access:audit_log'] })
  expect(toSessionUser(profile, token)).toEqual({
    id: 'u1',
    permissions: ['manage:cfg', 'access:audit_log'],
    picture: 'https://pictures.example/manager.png',
    email: 'manager@northfield.example',
    name: 'Northfield Manager',
    token,
  })
})

test.each([{}, { permissions: 'manage:cfg' }, { permissions: [1, null] }])(
  '[ENT-33] a token without a list of permissions gives none: %o',
  async (claims) => {
    expect(toSessionUser({}, await tokenWith(claims)).permissions).toEqual([])
  },
)

test('a token that cannot be read gives none', () => {
  expect(toSessionUser({}, 'opaque').permissions).toEqual([])
})
