import type { ProductDocument } from './entry.ts'

const toSlug = (model: string) => model.toLowerCase().replaceAll('/', '-')

export const quickStart = (model: string, connect: readonly string[], check: readonly string[]): ProductDocument => ({
  name: `${toSlug(model)}-quick-start`,
  title: `${model} quick start`,
  sections: [
    { heading: 'Connect', steps: connect },
    { heading: 'Check that it reads', steps: check },
    {
      heading: 'Where it shows in Lectern',
      text: [
        `A ${model} appears under Devices as soon as the host PC of its zone reports it. The row shows its serial number, its zone and host PC, and what it runs.`,
        'A reader is offline when it has not been seen for 72 hours. Check its connection and its host PC first.',
      ],
    },
  ],
})

export const barcodeSetup = (model: string): ProductDocument => ({
  name: `${toSlug(model)}-barcode-setup`,
  title: `Set up ${model} with barcodes`,
  sections: [
    {
      heading: 'Make the sheet',
      steps: [
        `Sign in to Lectern, open Products and choose ${model}. In the card Configuration choose Create a configuration.`,
        'Choose options. What you choose is listed under Configuration Format, in the order in which the reader will take it.',
        'Tick "Reset (CFR) First" to start from factory defaults. Leave it clear to change only what is listed.',
        'Choose Generate Barcode, then Print. Save keeps the configuration in the Configuration Library, so that it can be printed again.',
      ],
    },
    {
      heading: 'Scan it',
      steps: [
        'Print on plain white paper, without scaling. Leave the white margin around the barcode free of marks.',
        'Hold the reader so that the whole barcode is lit, and scan it once.',
        'Scan an ordinary barcode afterwards and see that the data arrives as you want it.',
      ],
    },
    {
      heading: 'Good to know',
      text: [
        'Settings made by barcode are saved at once. No further barcode is needed to keep them.',
        'A barcode with the command CFG makes the reader type out its whole configuration. Open a plain text editor before you scan it.',
        'Keep one sheet for each workflow, with the date on it, and destroy sheets that are out of use. An old sheet restores old settings.',
      ],
    },
    {
      heading: 'If nothing happens',
      text: [
        'See that the reader reads an ordinary barcode. If it does, print the sheet again: toner that fades or paper that was folded is the usual cause.',
        'A sheet that was made for another model may be refused as a whole or in part. The model is at the top of the sheet.',
      ],
    },
  ],
})

/** @param first the step before wiping, such as unplugging */
export const careAndCleaning = (model: string, first: string): ProductDocument => ({
  name: `${toSlug(model)}-care-and-cleaning`,
  title: `${model} care and cleaning`,
  sections: [
    {
      heading: 'Before you begin',
      text: [
        `Use only cleaners that your organization has approved for plastic housings, and only as their label says. Test a new cleaner on one ${model} before it is used on all.`,
      ],
    },
    {
      heading: 'Clean it',
      steps: [
        first,
        'Wipe the housing with a soft cloth that is damp, not wet. Do not spray the reader and do not put it under water.',
        'Give the cleaner the time its label asks for, then wipe its remains away with a cloth that is damp with water.',
        'Wipe the window with a clean, soft cloth. Do not use paper towels or anything that scratches.',
        'Let everything dry before you connect it again, contacts and plugs above all.',
      ],
    },
    {
      heading: 'Look it over',
      text: [
        'A scratched or cloudy window makes a reader slow. If cleaning does not help, have it repaired.',
        'Put a reader with a crack in its housing out of use: what gets in cannot be cleaned out.',
      ],
    },
  ],
})
