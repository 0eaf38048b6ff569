import type { CatalogueEntry } from './entry.ts'
import { publishToZone } from './reader-answers.ts'
import { careAndCleaning, quickStart } from './reader-documents.ts'

export const v4500: CatalogueEntry = {
  productId: 6,
  title: 'V4500',
  short: 'Rugged reader for docks and cold rooms',
  productType: 'Hardware',
  description: [
    'A handheld for docks, yards and cold rooms: a strong housing, a grip that can be held with gloves on, and a trigger for a whole hand. It has no cord to trip over.',
    'It reads labels on pallets as well as on parcels. A configuration for logistics, such as one that splits the fields of a pallet label, can be published to all V4500 readers of a zone at once.',
  ],
  faq: [
    publishToZone('V4500'),
    {
      question: 'Can I set up a V4500 with a printed barcode?',
      answer:
        'Lectern makes no setup barcodes for this model. Publish its configuration to its zone; the sheet would be the first thing to get lost on a dock.',
    },
    {
      question: 'It was out of reach at the update time. Is the update lost?',
      answer: 'No. The host PC applies it when the reader is back in reach. Devices shows what the reader runs now.',
    },
    {
      question: 'Why does it read poorly when it comes out of a cold room?',
      answer: 'Moisture settles on a cold window in warm air. Wipe the window with a soft, dry cloth and wait until it stays clear.',
    },
  ],
  documents: [
    quickStart(
      'V4500',
      [
        'Charge the reader fully before its first shift.',
        'Connect it to the host PC of its zone in the way your account manager set up for you.',
      ],
      [
        'Scan a label from as far away as it will be on a pallet, and one at arm’s length.',
        'Put on the gloves that are worn there and try the trigger.',
        'See under Devices that the reader has checked in.',
      ],
    ),
    careAndCleaning('V4500', 'Switch the reader off and take it out of its charger.'),
  ],
}
