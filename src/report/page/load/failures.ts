// Turns that failed under load, by kind; what the rate limit refused stands with what was offered.
import type { LoadReport } from '../../../domain/load.ts'
import { digits } from '../../../domain/text.ts'
import type { SafeHtml } from '../html.ts'
import { errorTables } from '../overview/errors.ts'
import { paragraph, section } from '../overview/parts.ts'
import { WORDS } from '../overview/words.ts'
import { LOAD_WORDS } from './words.ts'

export function failureSection({ errors, turns }: LoadReport): SafeHtml {
  const words = LOAD_WORDS.errors
  const part = { id: 'failures', title: `${LOAD_WORDS.sections.errors} (${digits(errors.errors)})` }
  if (errors.errors === 0)
    return section(part, paragraph(turns.rate_limited > 0 ? words.noneBut429 : words.none))
  return section(
    part,
    errorTables(errors, (outcome) => WORDS.errors.outcomes[outcome] ?? outcome),
  )
}
