import type { CatalogueEntry } from './entry.ts'
import { barcodeOnly, factoryDefaults, readSettings, savedAtOnce } from './reader-answers.ts'
import { barcodeSetup, careAndCleaning } from './reader-documents.ts'

export const cr8200: CatalogueEntry = {
  productId: 14,
  title: 'CR8200',
  short: 'Hands-free presentation reader',
  productType: 'Hardware',
  description: [
    'A reader on a foot of its own for places where both hands are needed: the code is held before it and read without a trigger.',
    'It suits counters at which many different things are presented, on paper and on the screens of phones. It connects by USB or RS232.',
    'A CR8200 is set up with printed barcodes. Host PCs do not carry configurations to it.',
  ],
  faq: [
    {
      question: 'It lights up all the time. Can that be changed?',
      answer:
        'Yes. Motion detection has a greatest brightness of 25, 50, 75 or 100 per cent; as delivered it is 100. Choose less where the light disturbs people, and see that codes are still read at once.',
    },
    factoryDefaults('CR8200'),
    savedAtOnce,
    readSettings('CR8200'),
    barcodeOnly('CR8200'),
  ],
  documents: [barcodeSetup('CR8200'), careAndCleaning('CR8200', 'Unplug the reader.')],
}
