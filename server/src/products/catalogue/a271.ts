import type { CatalogueEntry } from './entry.ts'
import { publishToZone } from './reader-answers.ts'
import { careAndCleaning, quickStart } from './reader-documents.ts'

export const a271: CatalogueEntry = {
  productId: 4,
  title: 'A271/2',
  short: 'Charging base for CR2700 readers',
  productType: 'Hardware',
  description: [
    'The base that charges a CR2700 and takes what it reads to the PC. Reader and base are paired by scanning one barcode; afterwards the reader finds its base again by itself.',
    'A base has a configuration of its own, apart from that of its reader. Lectern treats it like a reader: it has a serial number, belongs to a zone, and takes configurations that are published to A271/2.',
  ],
  faq: [
    {
      question: 'How do I put a base back to factory defaults?',
      answer:
        'Commands for a base travel through its reader. Scan a barcode with the command BTBRXCM[CFR] with a reader that is connected to it. The settings of the reader itself stay as they are.',
    },
    {
      question: 'A reader keeps connecting to the wrong base. What helps?',
      answer:
        'Clear what both remember: BTRDXCC clears the pairing history of the reader, BTBRXCM[BTBRXDC1] that of the base it is connected to. Then scan the pairing barcode of the right base.',
    },
    {
      question: 'Why does its CFG barcode look different?',
      answer:
        'The base is asked through its reader, which takes more commands than asking a reader. Configure Zones shows the barcode that fits as soon as you choose A271/2.',
    },
    publishToZone('A271/2'),
  ],
  documents: [
    quickStart(
      'A271/2',
      [
        'Connect the base to the PC, and to its power supply if it came with one.',
        'Seat a CR2700 in it. The light shows that it charges.',
        'Scan the pairing barcode of the base with the reader.',
      ],
      [
        'Open a plain text editor on the PC and click into it.',
        'Take the reader out and scan a barcode. The data appears in the editor.',
        'Walk as far as the reader will be used and scan again.',
      ],
    ),
    careAndCleaning('A271/2', 'Take the reader out and unplug the base.'),
  ],
}
