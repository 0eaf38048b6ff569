import './segment.css'
import { RadioGroup } from 'radix-ui'
import { classNames } from '../class-names.ts'

interface SegmentProps<Value extends string | number> {
  label: string
  choices: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  small?: boolean
}

export function Segment<Value extends string | number>({ label, choices, value, onChange, small }: SegmentProps<Value>) {
  function choose(text: string) {
    const choice = choices.find((each) => String(each.value) === text)
    if (choice) onChange(choice.value)
  }
  return (
    <RadioGroup.Root
      className={classNames('segment', small && 'segment-small')}
      aria-label={label}
      value={String(value)}
      onValueChange={choose}
    >
      {choices.map((choice) => (
        <RadioGroup.Item key={choice.value} value={String(choice.value)} className="segment-choice">
          {choice.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
