import type { CatalogueEntry } from './entry.ts'
import { barcodeOnly } from './reader-answers.ts'
import { careAndCleaning, quickStart } from './reader-documents.ts'

export const dpm1500: CatalogueEntry = {
  productId: 8,
  title: '1500DPM',
  short: 'Handheld for codes marked directly on parts',
  productType: 'Hardware',
  description: [
    'A corded handheld for codes that are not printed but marked into the thing itself: lasered, etched or dotted into instruments, implants and machine parts.',
    'Such codes have little contrast and sit on surfaces that shine. The head in front of the window spreads the light, so that the marks stand out; hold it close to the part and let it come to rest.',
  ],
  faq: [
    {
      question: 'A mark is not read. What can I try?',
      answer:
        'Clean the part, hold the reader closer, and turn it until the window shows no reflection. Rotate the part under it rather than tilting the reader. A mark that a magnifier cannot show is gone and has to be made anew.',
    },
    {
      question: 'Can I also read printed labels with it?',
      answer: 'Yes, close up. Where most codes are printed, a CR1500 is quicker, because it reads from further away.',
    },
    barcodeOnly('1500DPM'),
    {
      question: 'Where do I get its setup barcodes?',
      answer: 'Ask your account manager. Lectern does not make setup barcodes for this model, since its commands are not published.',
    },
  ],
  documents: [
    quickStart(
      '1500DPM',
      [
        'Plug the cable into a USB port of the PC. The reader beeps when the PC recognizes it.',
        'Leave the light head on: without it, marks on metal are not seen.',
      ],
      [
        'Open a plain text editor on the PC and click into it.',
        'Wipe a marked part clean, hold the head close to the mark and pull the trigger.',
        'Turn the part a little and try again, until you know how it is read best.',
      ],
    ),
    careAndCleaning('1500DPM', 'Unplug the reader and take the light head off.'),
  ],
}
