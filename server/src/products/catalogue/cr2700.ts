import type { CatalogueEntry } from './entry.ts'
import { publishToZone, readSettings, savedAtOnce } from './reader-answers.ts'
import { barcodeSetup, careAndCleaning, quickStart } from './reader-documents.ts'

export const cr2700: CatalogueEntry = {
  productId: 2,
  title: 'CR2700',
  short: 'Cordless palm reader with charging cradle',
  productType: 'Hardware',
  description: [
    'A reader that lies in the palm and is light enough to be carried through a shift. It reads wristbands, vials and labels at the bedside and passes what it reads to a PC by Bluetooth, by way of its charging base.',
    'Between uses it sits in its base, which charges it. It can also read from there: with presentation mode on, it reads whatever is held before it while it charges. Beep and vibration can be switched separately, for rooms in which people sleep.',
    'The reader reports the charge of its battery each time its host PC checks in, so that one that fades shows on the dashboard before it fails on a ward.',
  ],
  faq: [
    {
      question: 'How do I put a CR2700 back to factory defaults?',
      answer:
        'Scan a barcode with the commands CFR and BTRDXCC. CFR restores the settings, BTRDXCC clears the list of bases the reader was paired with; afterwards pair it with its base again. Its base keeps settings of its own, which this does not touch.',
    },
    readSettings('CR2700'),
    savedAtOnce,
    {
      question: 'Can it vibrate instead of beeping?',
      answer: 'Yes. Beep and vibration are two settings, and any of the four combinations can be chosen. As delivered, both are on.',
    },
    publishToZone('CR2700'),
  ],
  documents: [
    quickStart(
      'CR2700',
      [
        'Connect the charging base to the PC.',
        'Seat the reader in the base and leave it there until it is charged.',
        'Scan the pairing barcode of the base. From then on this reader sends what it reads to this base.',
      ],
      [
        'Open a plain text editor on the PC and click into it.',
        'Take the reader out of the base, aim at a barcode and press the button.',
        'The data appears in the editor as if it had been typed.',
      ],
    ),
    barcodeSetup('CR2700'),
    careAndCleaning('CR2700', 'Take the reader out of its base. Unplug the base before you clean it.'),
  ],
}
