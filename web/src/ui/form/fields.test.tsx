// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { afterEach, expect, test, vi } from 'vitest'
import { Button } from '../button/button.tsx'
import { Input } from '../input/input.tsx'
import { parseTimeOfDay, shiftTimeOfDay, TimeInput } from '../input/time-input.tsx'
import { Field } from './field.tsx'

afterEach(cleanup)

test('a field names its input, and its error is linked to it', () => {
  render(
    <Field label="Work phone" hint="With country code" error="Enter a full phone number." required>
      <Input />
    </Field>,
  )
  const input = screen.getByRole('textbox', { name: 'Work phone' })
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(input.getAttribute('aria-required')).toBe('true')
  const described = input.getAttribute('aria-describedby')?.split(' ') ?? []
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['Enter a full phone number.', 'With country code'])
})

test('a custom validity message makes an input invalid, and is what the browser says', () => {
  const ref = createRef<HTMLInputElement>()
  const { rerender } = render(<Input ref={ref} aria-label="Length" customValidity="Must be more than 20" />)
  expect(ref.current?.validationMessage).toBe('Must be more than 20')
  expect(ref.current?.getAttribute('aria-invalid')).toBe('true')
  rerender(<Input ref={ref} aria-label="Length" />)
  expect(ref.current?.validity.valid).toBe(true)
  expect(ref.current?.hasAttribute('aria-invalid')).toBe(false)
})

test('an input registers with react-hook-form', async () => {
  const saved = vi.fn()
  function Form() {
    const { register, handleSubmit } = useForm({ defaultValues: { name: 'Northfield' } })
    return (
      <form onSubmit={handleSubmit((values) => saved(values))}>
        <Input aria-label="Name" {...register('name')} />
        <Button type="submit">Save</Button>
      </form>
    )
  }
  render(<Form />)
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(input.value).toBe('Northfield')
  fireEvent.input(input, { target: { value: 'Ines' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved).toHaveBeenCalledWith({ name: 'Ines' }))
})

test('a busy button says so, and neither acts nor submits', () => {
  const pressed = vi.fn()
  const submitted = vi.fn((event) => event.preventDefault())
  const { rerender } = render(
    <form onSubmit={submitted}>
      <Button type="submit" busy busyLabel="Publishing" onClick={pressed}>
        Publish
      </Button>
    </form>,
  )
  const button = screen.getByRole('button', { name: 'Publishing' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  fireEvent.click(button)
  expect(pressed).not.toHaveBeenCalled()
  expect(submitted).not.toHaveBeenCalled()
  rerender(
    <form onSubmit={submitted}>
      <Button type="submit" busyLabel="Publishing" onClick={pressed}>
        Publish
      </Button>
    </form>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }))
  expect(pressed).toHaveBeenCalledOnce()
  expect(submitted).toHaveBeenCalledOnce()
})

test('a button with a reason not to be used keeps focus and ignores clicks', () => {
  const pressed = vi.fn()
  render(
    <Button disabledReason="Choose a zone first" onClick={pressed}>
      Next
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Next' })
  fireEvent.click(button)
  expect(pressed).not.toHaveBeenCalled()
  expect(button.getAttribute('aria-disabled')).toBe('true')
  button.focus()
  expect(document.activeElement).toBe(button)
})

test('times of day as people type them', () => {
  const read = ['2', '02', '230', '0230', '2:30', '02.30', '23:59', '', '24', '2:60', '12:5', 'noon'].map(parseTimeOfDay)
  expect(read).toEqual([
    '02:00',
    '02:00',
    '02:30',
    '02:30',
    '02:30',
    '02:30',
    '23:59',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect([shiftTimeOfDay('23:59', 1), shiftTimeOfDay('00:30', -60)]).toEqual(['00:00', '23:30'])
})

test('a time input delivers HH:mm, nothing while the text is no time, and tidies up when left', () => {
  const changed = vi.fn()
  function Shown() {
    const [time, setTime] = useState('02:00')
    return (
      <Field label="Update time">
        <TimeInput
          value={time}
          onChange={(next) => {
            changed(next)
            setTime(next)
          }}
        />
      </Field>
    )
  }
  render(<Shown />)
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Update time' })
  fireEvent.change(input, { target: { value: '445' } })
  expect(changed).toHaveBeenLastCalledWith('04:45')
  fireEvent.blur(input)
  expect(input.value).toBe('04:45')

  fireEvent.change(input, { target: { value: '99' } })
  expect(changed).toHaveBeenLastCalledWith('')
  expect(input.hasAttribute('aria-invalid')).toBe(false)
  fireEvent.blur(input)
  expect(input.value).toBe('99')
  expect(input.getAttribute('aria-invalid')).toBe('true')

  fireEvent.change(input, { target: { value: '23:30' } })
  input.setSelectionRange(0, 0)
  fireEvent.keyDown(input, { key: 'ArrowUp' })
  expect(input.value).toBe('00:30')
})
