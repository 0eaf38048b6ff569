import type { CatalogueEntry } from './entry.ts'
import { factoryDefaults, publishToZone, readSettings, savedAtOnce } from './reader-answers.ts'
import { barcodeSetup, careAndCleaning, quickStart } from './reader-documents.ts'

export const cr1500: CatalogueEntry = {
  productId: 7,
  title: 'CR1500',
  short: 'Corded handheld for counters and pharmacy',
  productType: 'Hardware',
  description: [
    'A corded handheld for counters where it is picked up and put down many times an hour. It reads small and dense codes, such as those on vials and unit doses, as well as ordinary labels.',
    'It detects its stand and changes how it reads there: with the trigger, by motion, or all the time, as configured. Taken out, it reads with the trigger again.',
    'Beep and vibration can be switched separately. A CR1500 takes its configuration from a printed barcode or through its zone.',
  ],
  faq: [
    {
      question: 'How does the CR1500 behave in its stand?',
      answer:
        'As delivered, it detects the stand and reads by motion while it is there. Under Scanner Functions you can choose the trigger or continuous reading instead, or switch stand detection off.',
    },
    factoryDefaults('CR1500'),
    savedAtOnce,
    readSettings('CR1500'),
    publishToZone('CR1500'),
  ],
  documents: [
    quickStart(
      'CR1500',
      [
        'Plug the cable into a USB port of the PC. The reader beeps when the PC recognizes it.',
        'If there is a stand, put it where codes can be held before the reader without reaching.',
      ],
      [
        'Open a plain text editor on the PC and click into it.',
        'Aim at a barcode and pull the trigger. The data appears in the editor.',
        'Put the reader into its stand and hold the same barcode before it.',
      ],
    ),
    barcodeSetup('CR1500'),
    careAndCleaning('CR1500', 'Unplug the reader and take it out of its stand.'),
  ],
}
