export interface Question {
  topic: 'cfg' | 'file' | 'firmware'
  question: string
  answer: string
}
