import type { CatalogueEntry } from './entry.ts'
import { barcodeOnly, factoryDefaults, readSettings } from './reader-answers.ts'
import { barcodeSetup, careAndCleaning } from './reader-documents.ts'

export const cr950: CatalogueEntry = {
  productId: 3,
  title: 'CR950',
  short: 'Corded handheld, replaced by CR1100',
  productType: 'Hardware',
  isDiscontinued: true,
  description: [
    'A corded handheld for desks and counters, made for USB or, in another version, for RS232. It is discontinued; CR1100 replaces it.',
    'Readers in use continue to work, and setup barcodes can still be made for them. In its stand the reader can read without the trigger.',
  ],
  faq: [
    {
      question: 'Can I still use the CR950 readers that we have?',
      answer:
        'Yes. Lectern still supports them: their documents stay here and you can make setup barcodes. Order CR1100 when one has to be replaced.',
    },
    {
      question: 'Does a setup sheet for the CR950 work on a CR1100?',
      answer:
        'Do not count on it. Many commands are the same, but the stand settings of the CR950 have no counterpart on the CR1100. Make a configuration for CR1100 and choose the options again.',
    },
    factoryDefaults('CR950'),
    readSettings('CR950'),
    barcodeOnly('CR950'),
  ],
  documents: [
    barcodeSetup('CR950'),
    {
      name: 'cr950-to-cr1100',
      title: 'From CR950 to CR1100',
      sections: [
        {
          heading: 'What stays',
          text: [
            'Both are corded handhelds with a trigger, both type to a PC like a keyboard as they are delivered, and both are set up with printed barcodes made in Lectern.',
          ],
        },
        {
          heading: 'What changes',
          text: [
            'A CR1100 can also be set up through its zone: its host PC applies the configuration, and no sheet has to be carried around.',
            'Stand detection is a setting of the CR950 only. Where readers stand in a holder and read by themselves, try a CR1100 with motion detection first.',
          ],
        },
        {
          heading: 'Change over',
          steps: [
            'Scan a barcode with the command CFG with one CR950 of each workflow, into a text editor, and keep the text as a record.',
            'Make a configuration for CR1100 with the same options, and print it.',
            'Try it with one reader in the real application before you replace the others.',
            'Open Products, choose Edit Product List and tick CR1100, so that everyone in your group has its documents.',
          ],
        },
      ],
    },
    careAndCleaning('CR950', 'Unplug the reader.'),
  ],
}
