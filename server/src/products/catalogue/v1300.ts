import type { CatalogueEntry } from './entry.ts'
import { publishToZone } from './reader-answers.ts'
import { careAndCleaning, quickStart } from './reader-documents.ts'

export const v1300: CatalogueEntry = {
  productId: 1,
  title: 'V1300',
  short: 'Compact reader for building into machines',
  productType: 'Hardware',
  description: [
    'A small reader for places where there is no room for a handheld: in a cabinet, at a conveyor, inside a machine. It has no trigger; the code comes to it.',
    'It is set up through its zone. Publish a configuration to V1300, and the host PC applies it to each of them at the update time, wherever they are built in.',
  ],
  faq: [
    publishToZone('V1300'),
    {
      question: 'Can I set up a V1300 with a printed barcode?',
      answer:
        'Lectern makes no setup barcodes for this model. Publish its configuration to its zone instead; that also reaches readers that are built in out of reach.',
    },
    {
      question: 'A V1300 is shown as offline. What should I check?',
      answer:
        'First whether its host PC is online, under Manage Your Zones. If it is, check the cable and the power of the reader: it is offline when it has not been seen for 72 hours.',
    },
  ],
  documents: [
    quickStart(
      'V1300',
      [
        'Mount the reader so that the code passes through the middle of its view.',
        'Keep lamps and sunlight from shining straight into the window.',
        'Connect it to the host PC of its zone.',
      ],
      [
        'Bring a code into view at the speed it will have in use.',
        'Try the smallest code and the poorest print that will come by.',
        'See under Devices that the reader has checked in.',
      ],
    ),
    careAndCleaning('V1300', 'Stop the machine it is built into, as its maker says, and cut the power of the reader.'),
  ],
}
