import type { CatalogueEntry } from './entry.ts'
import { factoryDefaults, publishToZone, readSettings, savedAtOnce } from './reader-answers.ts'
import { barcodeSetup, careAndCleaning, quickStart } from './reader-documents.ts'

export const cr5200: CatalogueEntry = {
  productId: 10,
  title: 'CR5200',
  short: 'Fixed-mount reader for analysers and kiosks',
  productType: 'Hardware',
  description: [
    'A reader that stays in one place: on a counter, beside an analyser, in a kiosk. People hold the code in front of it, and it reads as soon as it sees one.',
    'It knows two situations, on its counter and lifted off it, and each has a reading mode of its own. As delivered, it looks for codes by itself on the counter and waits for its trigger when it is lifted.',
    'A CR5200 takes its configuration from a printed barcode or through its zone.',
  ],
  faq: [
    {
      question: 'How do I stop it from reading the same code again and again?',
      answer:
        'Choose a longer delay for duplicate scans on the counter. Until that time has passed, a code that was read is not read again. As delivered, it is half a second.',
    },
    factoryDefaults('CR5200'),
    savedAtOnce,
    readSettings('CR5200'),
    publishToZone('CR5200'),
  ],
  documents: [
    quickStart(
      'CR5200',
      [
        'Mount the reader so that people can hold a code before its window and see its light.',
        'Keep lamps and sunlight from shining straight into the window.',
        'Plug the cable into a USB port of the PC or of the machine it belongs to.',
      ],
      [
        'Open a plain text editor on the PC and click into it.',
        'Hold a barcode before the window, flat and still.',
        'Try the longest and the smallest code that will be used there, from where people will stand.',
      ],
    ),
    barcodeSetup('CR5200'),
    careAndCleaning('CR5200', 'Unplug the reader. If it is built in, switch the machine off as its maker says.'),
  ],
}
