// biome-ignore-all lint/style/useFilenamingConvention: named by the page's path, slashes turned into underscores (spec §2)
import type { Question } from '../question.ts'

export const questions: readonly Question[] = [
  {
    topic: 'cfg',
    question: 'What is a golden-standard device?',
    answer:
      'A reader of this model that already works the way you want all of them to. Its configuration is read out once and copied to every reader of the model in the zone.',
  },
  {
    topic: 'cfg',
    question: 'How does the text get into the box?',
    answer:
      'The reader types it, like a keyboard. Set it to keyboard mode, connect it to this computer and scan the code. If nothing is typed, check that the reader is not in serial mode, or send the text to yourself and paste it.',
  },
  {
    topic: 'cfg',
    question: 'The text stopped before the closing tag',
    answer:
      'Some of it was not received. Clear the box and scan the code again, and leave keyboard and mouse alone until the box says Complete. Next stays closed until the closing tag is there, so half a configuration is never sent.',
  },
  {
    topic: 'cfg',
    question: 'The text has ;cfg: or .cfg/ in place of <cfg>',
    answer:
      'The reader types as for one keyboard, and this PC takes it as another: what a reader set to a US keyboard sends as <cfg> arrives as ;cfg: on a German PC and as .cfg/ on a French one. Set the keyboard language of the reader to that of the PC, or the PC to a US keyboard while you scan, and scan again.',
  },
  {
    topic: 'cfg',
    question: 'What happens when I scan twice?',
    answer: 'The second scan replaces the first, and Undo brings the first one back. What you type by hand replaces nothing.',
  },
  {
    topic: 'cfg',
    question: 'Why does my mouse pointer disappear?',
    answer:
      'While text arrives the page holds the pointer, so that a nudged mouse cannot click somewhere in the middle of a scan. It comes back half a second after the last character, at once when the text is complete, and whenever you press Esc.',
  },
  {
    topic: 'cfg',
    question: 'Can I paste a configuration from an email?',
    answer:
      'Yes. Copy everything from the first < to the closing tag and press Paste. If the email program has changed quotes or broken lines, the reader may refuse it: an attached text file is safer.',
  },
  {
    topic: 'cfg',
    question: 'What if a reader is charging or out of reach at update time?',
    answer:
      'A reader in its charger takes the configuration like any other. One that its host PC cannot reach keeps the old one and takes over the new one when it is back.',
  },
  {
    topic: 'file',
    question: 'What does CodeRules do?',
    answer:
      'It runs your JavaScript on the reader after each scan. Use it to split GS1 data, add prefixes, or send something else for each kind of code.',
  },
  {
    topic: 'file',
    question: 'Where do I start?',
    answer:
      'Download the default rules. They change nothing and name the functions a reader calls: rules_onDecode for each code, rules_onDecodes, rules_onDecodeAttempt and rules_onConfigure. Edit decode.data and return decode.',
  },
  {
    topic: 'file',
    question: 'How large can the file be?',
    answer: 'Up to 5 MB. It must be one text file whose name ends in .js, and it must not be empty.',
  },
  {
    topic: 'file',
    question: 'How is a script checked?',
    answer:
      'It is run on sample scans in a sandbox of your browser, without network or page, and again by the server when you publish. It is refused when it cannot work: no JavaScript, no handler, more than about 200 ms or 16 MB for a scan. Time is counted in steps of the sandbox, so the verdict does not depend on the computer. Press "Try it on sample scans" to see what each scan becomes, and add your own.',
  },
  {
    topic: 'file',
    question: 'Can I test it on one reader first?',
    answer:
      'Make a zone with one host PC and one reader, and publish to that zone. When you are content, publish the same file to the other zones.',
  },
  {
    topic: 'file',
    question: 'Does the file replace the CFG?',
    answer: 'The newest publish for a zone and model takes the place of the one before it, whichever of the two kinds it was.',
  },
]
