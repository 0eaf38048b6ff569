import { Problem } from '../lib/http/problem.ts'
import { SalesforceError, type SalesforceFault } from '../lib/salesforce.ts'

/** Seconds that nobody waits for on a screen: the caller reads the sentence instead of seeing it tried again and again. */
const later = 120
const muchLater = 600

/** What each fault is to the caller, with seconds to wait where trying again at once makes it worse. */
const answers: Record<Exclude<SalesforceFault, 'invalid'>, { status: number; sentence: string; retryAfter?: number }> = {
  unreachable: { status: 503, sentence: 'The support desk cannot be reached now.' },
  busy: { status: 503, sentence: 'The support desk has much to do now.' },
  late: { status: 503, sentence: 'The support desk does not answer in time.', retryAfter: later },
  limit: { status: 503, sentence: 'The support desk takes no more requests for now.', retryAfter: muchLater },
  unclear: {
    status: 502,
    sentence: 'The support desk gave no answer, so it is not known whether this was saved. Look at the case list before you send it again.',
    retryAfter: later,
  },
  broken: { status: 502, sentence: 'The support desk did not understand the portal. The problem was recorded.', retryAfter: later },
}

/** Our names for the fields of a case at Salesforce. */
const fields: Record<string, string> = {
  Subject: 'subject',
  Description: 'description',
  Status: 'status',
  Reason: 'reason',
  Action_Plan__c: 'plan',
  Priority: 'priority',
  Origin: 'origin',
  Model__c: 'model',
  SuppliedEmail: 'contactEmail',
  ContactId: 'contactId',
  RecordTypeId: 'recordType',
}

const words: Record<string, string> = { REQUIRED_FIELD_MISSING: 'must not be empty', STRING_TOO_LONG: 'is too long' }

/** What went wrong at Salesforce as a Problem whose sentence offers the phone line; anything else as it is. */
export function deskProblem(error: unknown, phone: string): unknown {
  if (!(error instanceof SalesforceError)) return error
  if (error.fault === 'invalid') return refusal(error)
  const { status, sentence, retryAfter } = answers[error.fault]
  const detail = `${sentence} The support line is ${phone}.`
  return new Problem(status, detail, { cause: error, ...(retryAfter !== undefined && { retryAfter }) })
}

/** What Salesforce finds wrong with a case, at its fields. */
function refusal(error: SalesforceError): Problem {
  const errors = error.errors.flatMap(({ errorCode, message, fields: named = [] }) =>
    named.flatMap((name) => (fields[name] ? [{ field: fields[name], message: words[errorCode] ?? message }] : [])),
  )
  const said = error.errors.map(({ message }) => message).join(' ')
  const about = errors.map(({ field, message }) => (/^[A-Z]/.test(message) ? message : `${field} ${message}`)).join(' ')
  return new Problem(400, errors.length > 0 ? about : `The support desk refuses this: ${said}`, { errors, cause: error })
}
