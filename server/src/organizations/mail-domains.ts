import publicDomains from 'email-providers/all.json' with { type: 'json' }

const everybodys = new Set<string>(publicDomains)

/** The domain of an e-mail address that a company may own, in lower case; null for one where anybody gets a mailbox. */
export function companyDomain(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domain === '' || everybodys.has(domain) ? null : domain
}
