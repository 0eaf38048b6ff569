import type { CatalogueEntry } from './entry.ts'

export const companionApp: CatalogueEntry = {
  productId: 21,
  title: 'Companion app',
  short: 'Delivers updates from each host PC',
  productType: 'Software',
  description: [
    'The companion app, lectern-agent, runs on the host PC of a zone. It downloads what you publish ahead of time and applies it to the readers at the update time, by the PC’s own clock.',
    'It reports what each reader really runs, with its firmware, battery and warranty. What Devices shows comes from these reports: not what was sent, but what arrived.',
    'It can be stopped or disconnected at any moment. It applies nothing twice and loses no report. Without the portal it continues with what it has already downloaded.',
  ],
  faq: [
    {
      question: 'What do I need to enroll a host PC?',
      answer:
        'The location file of its zone, from Manage Your Zones, and a licence number of your organization. The location file holds only the id of the zone and gives no access by itself.',
    },
    {
      question: 'How soon does a PC get what I published?',
      answer:
        'At once while it is connected, and within about a minute in any case, because it also asks every minute. Readers are updated at the update time.',
    },
    {
      question: 'The PC was off at the update time. What happens?',
      answer:
        'The app updates the readers when it runs again, or at the next update time if the stop time has passed. The same applies to a reader that was plugged in later.',
    },
    {
      question: 'When is a host PC online?',
      answer:
        'While it is connected and checks in, which it does every 15 minutes. It is silent 90 seconds after its connection was lost, or when it has missed two check-ins. A reader is offline after 72 hours.',
    },
    {
      question: 'How do I move a PC to another zone?',
      answer:
        'Enroll it again with the location file of that zone and --replace, then remove it from the host PCs of its previous zone under Manage Your Zones.',
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
            'A PC that is on at the update time, with Node.js 24 or newer and access to the address of your portal.',
            'The location file of its zone and a licence number of your organization. Ask your account manager for the number.',
          ],
        },
        {
          heading: 'Enroll the PC',
          text: ['Do this once, as the account that will run the app. NUMBER is the licence number.'],
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
            'One connection stays open, on which the portal sends notifications. Where a proxy cuts it, the app asks every minute.',
          ],
        },
        {
          heading: 'What it sends',
          text: [
            'For each reader: serial number, model, firmware, configuration, battery and warranty date. For each update: whether the reader took it, and if not, why. What readers scan is never sent.',
          ],
        },
        {
          heading: 'What it stores',
          text: [
            'Its credential, its assignments and downloads, and the reports that are not acknowledged yet, in a folder that only its own account can read. The credential is created on the PC; the portal stores only its hash.',
            'To end the access of a PC, remove it from its zone under Manage Your Zones.',
          ],
        },
      ],
    },
  ],
}
