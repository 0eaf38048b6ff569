/** A word that the project does not use, the field's own in its place (docs/glossary.md), and where it is looked for. */
export interface Rule {
  use: string
  /** Matched against a name in kebab case: `putOff` is `put-off`. */
  name?: RegExp
  /** Names of this kind only. */
  kind?: 'function' | 'type'
  /** Matched against the return type that a function declares. */
  returns?: RegExp
  /** Matched against a text that people may read, and against comments. */
  text?: RegExp
  /** Files with such a path only. */
  path?: RegExp
}

const inName = (words: string) => ({ name: new RegExp(`(^|-)(${words})(-|$)`) })
const inText = (words: string) => ({ text: new RegExp(`\\b(${words})\\b`, 'i') })
const anywhere = (words: string) => ({ ...inName(words), ...inText(words) })

const many = 'readers|devices|hosts|PCs|publications|configurations|releases|rollouts|members|groups|licences'
const one = 'zone|model|reader|device|host|organization|group|licence'

export const vocabulary: readonly Rule[] = [
  { ...inName('orders?'), path: /^agent\//, use: 'assignment' },
  { ...anywhere('wanted'), use: 'desired' },
  { ...anywhere('former'), use: 'previous' },
  { name: /^(applying|bringing)$/, kind: 'function', use: 'a verb: createApplier, updateReader' },
  { ...anywhere('brought'), use: 'update result' },
  { ...anywhere('begun'), use: 'in progress' },
  { ...inName('put-off'), use: 'postponed' },
  { ...inName('farewells?'), use: 'drain timeout' },
  { ...inName('bells?'), use: 'wakeup' },
  { ...inName('pictures?'), path: /^(agent|bench|contract|server)\//, use: 'snapshot' },
  { name: /^note-/, kind: 'function', use: 'record' },
  { ...inName('pass-(safety-)?limit'), use: 'override limit' },
  { name: /-called$/, kind: 'function', use: 'get, find or list' },
  // "select" is the verb of the layer that has the SQL.
  { name: /^select-/, kind: 'function', path: /^server\/(?!.*sql\.ts$|src\/lib\/database\/)/, use: 'get, find or list' },
  { name: /^(said|asked|told|kept|by|author)$/, kind: 'type', use: 'Actor, or what it is' },
  { name: /^(house|new-house)$/, use: 'Services, organizationWithManager' },
  { name: /^get-/, kind: 'function', returns: /\bundefined\b/, use: 'find: get throws' },
  { name: /^get-/, kind: 'function', returns: /\[\]>?$/, use: 'list' },
  { name: /(?<!^one|-one)-of$/, kind: 'function', use: 'a verb or a property' },
  { ...inText(`(${many}) an? (${one})`), use: 'per' },
  // But "questions and answers".
  { text: /(?<!and |, )\banswers\b/i, use: 'returns, responds' },
  { ...inText('tells'), use: 'notifies, shows' },
  { ...anywhere('told'), use: 'notified' },
  { ...anywhere('said'), use: 'what it is: stated, given, described' },
  { ...anywhere('somebody'), use: 'another user' },
  { ...anywhere('nobody'), use: 'no user, or unknown caller' },
  { ...anywhere('shall'), use: 'must' },
  { ...anywhere('stands'), use: 'is' },
  { ...anywhere('meanwhile'), use: 'in the meantime, or what happened' },
  { ...inText('(has|have) not got'), use: 'does not have' },
  { ...inText('once more'), use: 'again' },
  { ...anywhere('licenses?'), use: 'licence' },
  { ...anywhere('enrols?|enrolments?'), use: 'enroll' },
  {
    text: /\s(manage|access):[a-z]|\b(manage|access):[a-z_-]+[.,]?\s/,
    path: /^(server|web)\/(?!src\/testing\/)/,
    use: 'the permission’s label (`quotePermissions`)',
  },
  {
    text: /\bdecided\)|\(decisions?\.md|\(architecture\b/,
    use: 'the number of a decision, a requirement or a section of the specification',
  },
]
