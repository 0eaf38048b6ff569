import type { CatalogueEntry } from './entry.ts'

const rules = `function onDecode(decode) {
  decode.data = decode.data.trim()
  return decode
}

rules_onDecode = onDecode
rules_onDecodes = null
rules_onDecodeAttempt = null
rules_onConfigure = null`

export const codeRules: CatalogueEntry = {
  productId: 22,
  title: 'CodeRules',
  short: 'Rewrites scanned data on the reader',
  productType: 'Software',
  description: [
    'CodeRules is a script that runs on the reader after each scan and may change what is sent on: cut a field out of a long code, add a prefix, or send something else for each kind of code.',
    'Because it runs on the reader, programs on the PC need no change and get the data as they expect it. One file in JavaScript holds all rules; you publish it to a zone, and every reader of a model there runs the same.',
  ],
  faq: [
    {
      question: 'Where do I start?',
      answer:
        'In Configure Zones choose the CodeRules configuration for a model and download the default rules. They change nothing and name the functions that a reader calls.',
    },
    {
      question: 'Can a reader have CodeRules and a CFG configuration?',
      answer:
        'For one model in one zone you publish either. The newest publication to a zone and model replaces the previous one, of either kind.',
    },
    {
      question: 'How do I take CodeRules off the readers again?',
      answer: 'Publish the default rules to the zone. They pass everything on unchanged.',
    },
    {
      question: 'Who can publish a script?',
      answer:
        'Users with the permission “Publish configurations” in your organization. A script is code that runs on your readers, so the audit log records who published it, when, and the hash of the file.',
    },
  ],
  documents: [
    {
      name: 'code-rules-getting-started',
      title: 'Getting started with CodeRules',
      sections: [
        {
          heading: 'The file',
          text: [
            'One text file whose name ends in .js. It sets four names; a function that is not used is null. For each symbol that was read the reader calls rules_onDecode: change decode.data and return decode.',
          ],
          code: rules,
        },
        {
          heading: 'Try it',
          steps: [
            'Change one thing at a time and keep the file that worked.',
            'Choose the file in Configure Zones, and look under Try it on sample scans at what each scan becomes; add scans of your own.',
            'Make a zone for trials with one reader and its own host PC.',
            'Publish the file to that zone, with the present minute as update time.',
            'Scan the codes that matter, also damaged ones and those that the rules must leave alone.',
          ],
        },
        {
          heading: 'Roll it out',
          steps: [
            'Give the file a name with a version, such as wristband-v8.js: Devices shows this name for every reader.',
            'Publish it to one zone and look at Devices the next morning, then to the others.',
            'To go back, publish the previous file again.',
          ],
        },
      ],
    },
  ],
}
