import type { CatalogueEntry } from './entry.ts'

export const companionApp: CatalogueEntry = {
  productId: 21,
  title: 'Companion app',
  short: 'Delivers updates from each host PC',
  productType: 'Software',
  description: [
    'The companion app, lectern-agent, runs on the host PC of a zone. It learns what you publish, downloads it ahead of time, and brings it to the readers at the update time of the PC’s own clock.',
    'It reports what each reader really runs, with its firmware, battery and warranty. What Devices shows comes from these reports: not what was sent, but what arrived.',
    'It may be killed or cut off at any moment. It applies nothing twice and loses no report, and while the portal is away it goes on with what it has already learned.',
  ],
  faq: [
    {
      question: 'What do I need to enroll a host PC?',
      answer:
        'The location file of its zone, from Manage Your Zones, and a licence number of your organization. The location file holds only the id of the zone and opens nothing alone.',
    },
    {
      question: 'How soon does a PC learn of what I published?',
      answer:
        'At once while it is connected, and within about a minute in any case, because it also asks every minute. Readers change over at the update time.',
    },
    {
      question: 'The PC was off at the update time. What happens?',
      answer:
        'The app makes up for it as soon as it runs again, or at the next update time where a stop time has passed. The same holds for a reader that was plugged in later.',
    },
    {
      question: 'When does a host PC count as online?',
      answer: 'When it has checked in within the last five minutes. It does so every minute. A reader counts as offline after 72 hours.',
    },
    {
      question: 'How do I move a PC to another zone?',
      answer:
        'Enroll it again with the location file of that zone and --replace, then remove it from the host PCs of its former zone under Manage Your Zones.',
    },
  ],
  documents: [
    {
      name: 'companion-app-installation',
      title: 'Companion app installation',
      sections: [
        {
          heading: 'What you need',
          text: [
            'A PC that runs while readers shall be updated, with Node.js 24 or newer, and with the address of your portal open to it.',
            'The location file of its zone and a licence number of your organization. Ask your account manager for the number.',
          ],
        },
        {
          heading: 'Enroll the PC',
          text: ['Do this once, as the account that will run the app. NUMBER stands for the licence number.'],
          code: 'lectern-agent enroll Location.ctxdm --server https://portal.example --licence NUMBER',
        },
        {
          heading: 'Run it',
          text: ['Have the app started with the PC, by a service or a unit that starts it again when it ends with code 1.'],
          code: 'lectern-agent run',
        },
        {
          heading: 'See that it works',
          steps: [
            'Run lectern-agent status. It shows the last check-in.',
            'Open Manage Your Zones. The zone shows its host PC as online.',
            'Open Devices and search for the zone. Its readers are listed.',
          ],
        },
      ],
    },
    {
      name: 'companion-app-network',
      title: 'Companion app: network and data',
      sections: [
        {
          heading: 'Connections',
          text: [
            'The app opens connections to the address of the portal and nowhere else. Nothing connects to the PC, so no port has to be opened on it.',
            'One connection stays open, on which the portal says that something is new. Where a proxy cuts it, the app goes on by asking every minute.',
          ],
        },
        {
          heading: 'What it sends',
          text: [
            'For each reader: serial number, model, firmware, configuration, battery and warranty date. For each update: whether the reader took it, and if not, why. What readers scan is never sent.',
          ],
        },
        {
          heading: 'What it keeps',
          text: [
            'Its credential, what it has learned and downloaded, and the reports that were not acknowledged yet, in a folder that only its own account can read. The credential is made on the PC; the portal keeps only its hash.',
            'To end the access of a PC, remove it from its zone under Manage Your Zones.',
          ],
        },
      ],
    },
  ],
}
