export interface Question {
  topic: 'cfg' | 'file' | 'saved' | 'firmware'
  question: string
  answer: string
}
