// A button that does something in the page.
import type { ComponentProps } from 'preact'

interface Props extends Omit<ComponentProps<'button'>, 'class' | 'type' | 'onClick'> {
  /** The one primary of a pane; a plain one has no border. */
  readonly kind?: 'primary' | 'plain'
  readonly act: (() => void) | undefined
}

export const Button = ({ kind, act, ...props }: Props) => (
  <button type="button" class={`button ${kind ?? ''}`} onClick={act} {...props} />
)
