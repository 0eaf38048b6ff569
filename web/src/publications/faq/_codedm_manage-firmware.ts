// biome-ignore-all lint/style/useFilenamingConvention: named by the page's path, slashes turned into underscores (spec §2)
import type { Question } from '../question.ts'

export const questions: readonly Question[] = [
  {
    topic: 'firmware',
    question: 'Which version should I choose?',
    answer: 'The latest, unless an application engineer recommends another. It is chosen already when you open this page.',
  },
  {
    topic: 'firmware',
    question: 'When is a custom file the right choice?',
    answer:
      'When an application engineer has sent you a firmware of your own. It must be one file of the type that this model takes. Its content is known to readers only: one that does not suit them is refused by the reader, which keeps what it runs.',
  },
  {
    topic: 'firmware',
    question: 'What if a reader loses power during the update?',
    answer:
      'It can be damaged. Keep corded readers plugged in, and cordless ones charged or in their base, until the update is over. My Devices shows the firmware that each reader runs.',
  },
  {
    topic: 'firmware',
    question: 'Can I go back to an older version?',
    answer: 'Yes. Choose it here and publish. Newer firmware may have fixes that the older one lacks, so you are asked to confirm.',
  },
  {
    topic: 'firmware',
    question: 'Does an update change the configuration?',
    answer: 'No. Configuration and firmware are published apart, and each stays until the next publish of its kind.',
  },
]
