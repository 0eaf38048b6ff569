/**
 * Thrown by storage that does not respond (503) or is full (507). The provider's library renders it: the client gets the status, and the
 * sentence as `error_description`.
 */
export class StorageOutage extends Error {
  readonly expose = true
  readonly statusCode: 503 | 507
  readonly error_description: string

  constructor(statusCode: 503 | 507, sentence: string, cause: unknown) {
    super('temporarily_unavailable', { cause })
    this.statusCode = statusCode
    this.error_description = sentence
  }
}
