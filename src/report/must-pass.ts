// What became of a question that must pass, and had not at first.
import type { MustPassResult } from '../domain/gate.ts'
import { plural } from './numbers.ts'

export function describeConfirmation({ confirmations, errors, confirmed }: MustPassResult): string {
  if (confirmed) return 'passed when asked again'
  const again =
    confirmations === 0 ? '' : `, and ${confirmations === 1 ? 'again' : `${confirmations} times again`}`
  const failed = errors === 0 ? '' : `; asked again it ended in ${plural(errors, 'error')}`
  return confirmations + errors === 0 ? 'failed, not confirmed' : `failed${again}${failed}`
}
