import type { Product } from '@lectern/contract/products.ts'

type Answer = Product['faq'][number]

export const factoryDefaults = (model: string): Answer => ({
  question: `How do I put a ${model} back to factory defaults?`,
  answer:
    'Scan a barcode with the command CFR. To make one, choose Create a configuration on this page, tick "Reset (CFR) First" and generate the barcode: CFR then runs before every other option, so the reader starts from factory defaults and ends with exactly what the sheet lists.',
})

export const savedAtOnce: Answer = {
  question: 'Do I have to save settings after scanning a setup barcode?',
  answer:
    'No. Settings made by barcode are saved at once and are still there after the reader was without power. There is no second barcode to scan.',
}

export const readSettings = (model: string): Answer => ({
  question: `How can I see what a ${model} is set to?`,
  answer:
    'Open a plain text editor on the PC that the reader types to and scan a barcode with the command CFG. The reader types out its whole configuration. This is also what the step "Golden Standard Configuration (CFG)" of Configure Zones asks for.',
})

export const publishToZone = (model: string): Answer => ({
  question: `How do I set up many ${model} readers at once?`,
  answer: `Publish to their zone. In Configure Zones choose the zone, tick ${model} and pick an update time. The zone's host PC applies the configuration to each reader at that time, and Devices then shows what each reader runs.`,
})

export const barcodeOnly = (model: string): Answer => ({
  question: `Why is ${model} missing in Configure Zones?`,
  answer: `A ${model} is set up by printed barcode only; host PCs do not carry configurations to it. Print one sheet for each workflow and keep it where the readers are used.`,
})
