/** The error in `WWW-Authenticate` of a 401 where a sign-in with a passkey is needed (RFC 9470). */
export const stepUpError = 'insufficient_user_authentication'

/** The ACR value of a sign-in that cannot be phished, such as one with a passkey (OpenID EAP ACR Values 1.0). */
export const passkeyAcr = 'phr'
