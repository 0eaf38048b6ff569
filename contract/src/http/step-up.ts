/** What a 401 says in `WWW-Authenticate` where a sign-in with a passkey is needed (RFC 9470). */
export const stepUpError = 'insufficient_user_authentication'

/** A sign-in that cannot be phished (OpenID EAP ACR Values 1.0): with a passkey. */
export const passkeyAcr = 'phr'
