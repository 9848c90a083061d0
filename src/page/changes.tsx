// What changed since the baseline: a chip for each kind, and each question as a card with both answers.
import { useState } from 'preact/hooks'
import { digits } from '../domain/format.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { ReviewsDownload } from './conversations.tsx'
import type { Marks } from './reviews.ts'
import type { Route } from './route.ts'
import type { PageStore } from './store.ts'
import { ShowMore } from './table.tsx'
import { hrefOf } from './text.tsx'
import { TurnView } from './turn.tsx'

const A_PAGE = 50

interface Props {
  readonly store: PageStore
  readonly marks: Marks
  readonly route: Route
}

export function Changes({ store, marks, route: { kind } }: Props) {
  const [limit, setLimit] = useState(A_PAGE)
  const { changes } = store.contents
  const order = changes.map(({ name }) => name)
  const gravest = ({ change }: PageTurn): number =>
    Math.min(...(change?.kinds ?? []).map((name) => order.indexOf(name)))
  // In the order of the kinds: worse first.
  const changed = store.conversations
    .flatMap((turns) => turns.filter(({ change }) => change !== null))
    .sort((a, b) => gravest(a) - gravest(b))
  const shown = changed.filter(({ change }) => kind === '' || change?.kinds.includes(kind) === true)
  const countOf = (name: string): number =>
    changed.filter(({ change }) => change?.kinds.includes(name)).length
  return (
    <>
      <div class="chips" role="group" aria-label="Kinds of change">
        {changes
          .filter(({ name }) => countOf(name) > 0)
          .map(({ name, label, tone }) => (
            <button
              type="button"
              class={`chip ${kind === name ? '' : tone}`}
              aria-pressed={kind === name}
              onClick={() => (location.hash = kind === name ? 'changes' : hrefOf({ change: name }))}
            >
              {label} {digits(countOf(name))}
            </button>
          ))}
        <ReviewsDownload store={store} marks={marks} />
      </div>
      <div class="cards">
        {shown.slice(0, limit).map((turn) => (
          <TurnView key={`${turn.id} ${turn.repeat}`} turn={turn} marks={marks} changes={changes} />
        ))}
      </div>
      <ShowMore count={shown.length - limit} show={() => setLimit(limit + A_PAGE)} />
    </>
  )
}
