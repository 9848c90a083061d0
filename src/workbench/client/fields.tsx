// Fields with a label above: a line of text, a number, a choice.
import type { ComponentChildren, RefObject } from 'preact'
import { useId } from 'preact/hooks'
import { showActing } from '../../domain/text.ts'

interface FieldProps {
  readonly label: ComponentChildren
  readonly value: string
  readonly set: (value: string) => void
  readonly type?: 'text' | 'number'
  readonly min?: number
  readonly placeholder?: string
  /** Proposes these. */
  readonly list?: readonly string[]
}

export function TextField({ label, set, list = [], ...input }: FieldProps) {
  const id = useId()
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        {...input}
        {...(list.length > 0 && { list: id })}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <datalist id={id}>
        {list.map((value) => (
          <option value={value} />
        ))}
      </datalist>
    </label>
  )
}

interface SelectProps {
  readonly label: ComponentChildren
  readonly value: string
  readonly choose: (value: string) => void
  /** Each is a value and what it says, which may be untrusted. */
  readonly options: readonly (readonly [value: string, says: string])[]
  readonly element?: RefObject<HTMLSelectElement | null>
}

export const Select = ({ label, value, choose, options, element }: SelectProps) => (
  <label class="field">
    <span>{label}</span>
    <select
      ref={element ?? null}
      class="input"
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {options.map(([option, says]) => (
        <option value={option}>{showActing(says)}</option>
      ))}
    </select>
  </label>
)
