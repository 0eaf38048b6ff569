import publicDomains from 'email-providers/all.json' with { type: 'json' }

/** Providers that the list does not have. */
const more = [
  'duck.com',
  'fastmail.com',
  'keemail.me',
  'mailfence.com',
  'posteo.de',
  'skiff.com',
  'startmail.com',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
  'tutanota.de',
  'users.noreply.github.com',
  'ziggo.nl',
  'zohomail.com',
]
const everybodys = new Set<string>([...publicDomains, ...more])

/** The domain of an e-mail address that a company may own, in lower case; null for one where anybody gets a mailbox. */
export function companyDomain(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domain === '' || everybodys.has(domain) ? null : domain
}
