import type { CatalogueEntry } from './entry.ts'

export const decodeSdk: CatalogueEntry = {
  productId: 23,
  title: 'Decode SDK',
  short: 'Camera decoding for mobile apps',
  productType: 'Software',
  description: [
    'A library for people who write apps: it reads barcodes with the camera of a phone or a tablet, inside your own app, so that a task that needs a code now and then needs no reader of its own.',
    'It suits tasks with a few codes at a time. For work in which codes are read all day a reader is quicker, easier to hold and cheaper to drop.',
  ],
  faq: [
    {
      question: 'Do phones with the SDK show under Devices?',
      answer: 'No. Devices lists readers that a host PC reports. Phones belong to your own management of mobile devices.',
    },
    {
      question: 'How do I get the SDK?',
      answer:
        'From your account manager, together with a licence for it. Say for which platforms you build and how many devices will use the app.',
    },
    {
      question: 'Do CodeRules work with it?',
      answer: 'No. CodeRules run on readers. In your app, change the data in your own code after the SDK has given it to you.',
    },
  ],
  documents: [
    {
      name: 'decode-sdk-camera-scanning',
      title: 'Planning camera scanning',
      sections: [
        {
          heading: 'Camera or reader',
          text: [
            'Count how many codes one person reads in an hour. With more than a few dozen, or with gloves, poor light or curved labels, plan for a reader.',
            'Choose the camera where people have a phone in hand anyway, read a code now and then, and enter other things as well.',
          ],
        },
        {
          heading: 'Plan the screen',
          steps: [
            'Show the camera picture large, with a frame where the code belongs.',
            'Read only the kinds of codes that belong to the task. It is quicker, and nothing else is taken by mistake.',
            'Say by sound, vibration and on the screen that a code was read, and show what it was.',
            'Always offer a field to type the code in.',
          ],
        },
        {
          heading: 'Try it where it will be used',
          text: [
            'Try it with the oldest phone that will run the app, in the poorest light and on the worst label that you can find there. What works at a desk says little about a corridor at night.',
          ],
        },
      ],
    },
  ],
}
