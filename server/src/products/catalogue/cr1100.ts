import type { CatalogueEntry } from './entry.ts'
import { factoryDefaults, publishToZone, readSettings, savedAtOnce } from './reader-answers.ts'
import { barcodeSetup, careAndCleaning, quickStart } from './reader-documents.ts'

export const cr1100: CatalogueEntry = {
  productId: 5,
  title: 'CR1100',
  short: 'Entry handheld for intake desks',
  productType: 'Hardware',
  description: [
    'A corded handheld for places where codes are read all day at the same desk: intake, reception, stores. It types what it reads into the program that is open, so nothing has to be installed on the PC for it.',
    'Aim and pull the trigger, or turn motion detection on and hold the code before it. It reads printed codes and codes on the screens of phones.',
    'A CR1100 can be set up with one printed barcode or, like every reader of a zone, through its host PC.',
  ],
  faq: [
    factoryDefaults('CR1100'),
    savedAtOnce,
    readSettings('CR1100'),
    {
      question: 'It reads the same code twice. What can I do?',
      answer:
        'With motion detection on, a code that stays in view is read again after a delay. Choose a longer delay for reading the same code, or turn motion detection off and use the trigger.',
    },
    publishToZone('CR1100'),
  ],
  documents: [
    quickStart(
      'CR1100',
      [
        'Plug the cable into a USB port of the PC. The reader beeps when the PC recognizes it.',
        'Nothing has to be installed: the PC sees a keyboard.',
      ],
      [
        'Open a plain text editor on the PC and click into it.',
        'Aim at a barcode and pull the trigger.',
        'If letters come out wrong, the reader is set to the keyboard of another country. Choose the right one under Communications when you make its configuration.',
      ],
    ),
    barcodeSetup('CR1100'),
    careAndCleaning('CR1100', 'Unplug the reader.'),
  ],
}
