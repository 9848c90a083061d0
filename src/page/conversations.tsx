// The conversations: a search box, a list, and the selected conversation.
import type { RefObject } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Rating, RATINGS } from '../domain/review.ts'
import { digits, plural, sizeOf } from '../domain/format.ts'
import { AbilitiesContext } from './abilities.ts'
import { useCurrent } from './current.ts'
import { useKeys } from './keyboard.ts'
import { countReviews, findConversations, STATES, toggleTerm, type State } from './query.ts'
import { download, foundCsv, type Marks } from './reviews.ts'
import type { Route } from './route.ts'
import type { Found, PageStore } from './store.ts'
import { A_PAGE, ShowMore } from './table.tsx'
import { Untrusted } from './text.tsx'
import { TurnView } from './turn.tsx'

const CHIPS: readonly (readonly [State, string])[] = [
  ['failed', 'Failed'],
  ['gap', 'Gaps'],
  ['unsupported', 'Unsupported'],
  ['misfit', 'Other article'],
  ['error', 'Errors'],
  ['changed', 'Changed'],
  ['flaky', 'Flaky'],
  ['lost', 'Context lost'],
  ['needs-review', 'Needs review'],
]

interface Props {
  readonly store: PageStore
  readonly marks: Marks
  readonly route: Route
  readonly search: (query: string) => void
}

export function Conversations(props: Props) {
  const { store, marks, route } = props
  // A review made here counts at once, in the search and on the chips.
  const { found, unknown } = useMemo(
    () => findConversations(store, route.query, marks),
    [store, route.query, marks],
  )
  const { address, listed, index, current, element, ...move } = useCurrent(store, found, route)
  const chosen = listed[index]
  const [limit, setLimit] = useState(A_PAGE)
  // The keyboard goes on where the list ends.
  const shown = Math.max(limit, index + 1)
  const box = useRef<HTMLInputElement>(null)
  const rate = (word: Rating): void => {
    if (current !== undefined && current.answer !== null) marks.set(current, { ...marks.of(current), word })
  }
  useKeys(
    {
      '/': () => box.current?.focus(),
      j: () => move.openConversation(1),
      k: () => move.openConversation(-1),
      n: () => move.openAnswer(1),
      p: () => move.openAnswer(-1),
      '1': () => rate('good'),
      '2': () => rate('acceptable'),
      '3': () => rate('poor'),
    },
    () => box.current?.closest('section')?.hidden === false,
  )
  useLayoutEffect(() => setLimit(A_PAGE), [address])
  return (
    <>
      <SearchBar {...props} box={box} found={found} />
      {chosen === undefined ? (
        <p class="note muted">
          No conversation matches.{' '}
          {unknown.length === 0 ? 'Remove a word or a filter.' : <Untrusted text={unknown.join(' ')} />}
        </p>
      ) : (
        <div class="columns">
          <ol class="found">
            {listed.slice(0, shown).map(({ conversation, turns }, number) => (
              <li key={`${conversation[0]?.id} ${conversation[0]?.repeat}`}>
                <button type="button" aria-current={number === index} onClick={() => move.open(turns[0])}>
                  <Opening found={{ conversation, turns }} marks={marks} />
                </button>
              </li>
            ))}
            {listed.length <= shown ? null : (
              <li>
                <ShowMore count={listed.length - shown} show={() => setLimit(shown + A_PAGE)} />
              </li>
            )}
          </ol>
          <div class="conversation">
            {chosen.conversation.map((turn) => (
              <TurnView
                key={`${turn.id} ${turn.repeat}`}
                turn={turn}
                marks={marks}
                changes={store.contents.changes}
                choice={{ isCurrent: turn === current, choose: () => move.choose(turn), element }}
              />
            ))}
          </div>
        </div>
      )}
    </>
  )
}

interface SearchProps extends Props {
  readonly box: RefObject<HTMLInputElement | null>
  readonly found: readonly Found[]
}

function SearchBar({ store, marks, route: { query }, search, box, found }: SearchProps) {
  const { ofFound } = useContext(AbilitiesContext)
  const chips = useMemo(() => chipsOf(store, marks), [store, marks])
  const turns = found.reduce((sum, { turns: matching }) => sum + matching.length, 0)
  return (
    <div class="search">
      <input
        ref={box}
        type="search"
        aria-label="Search conversations"
        placeholder="Search: words, tag:vpn, source:MODEL, outcome:timeout, is:failed"
        value={query}
        onInput={(event) => search(event.currentTarget.value)}
      />
      <div class="chips" role="group" aria-label="Filters">
        {chips.map(({ term, label, count }) => (
          <button
            key={term}
            type="button"
            class="chip"
            aria-pressed={query.includes(term)}
            onClick={() => search(toggleTerm(query, term))}
          >
            {label} {digits(count)}
          </button>
        ))}
      </div>
      <p class="muted" role="status">
        {sizeOf(turns, found.length)}
        <button
          type="button"
          class="link"
          onClick={() => download(`${store.contents.name}-found.csv`, foundCsv(found, marks))}
        >
          Download as CSV
        </button>
        <ReviewsDownload store={store} marks={marks} />
        {ofFound?.(found)}
        <span class="keys">
          <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> conversation <kbd>n</kbd> <kbd>p</kbd> answer{' '}
          <kbd>1</kbd>–<kbd>3</kbd> rate
        </span>
      </p>
    </div>
  )
}

/** It is left out without reviews, and where they are saved as they are made. */
const ReviewsDownload = ({ store, marks }: { readonly store: PageStore; readonly marks: Marks }) =>
  marks.count() === 0 || marks.csv === undefined ? null : (
    <button
      type="button"
      class="link"
      onClick={() => download(`${store.contents.name}-reviews.csv`, marks.csv?.() ?? '')}
    >
      Download {plural(marks.count(), 'review')}
    </button>
  )

interface OpeningProps {
  readonly found: Found
  readonly marks: Marks
}

/** Shows the first question that matches, with the mark of the worst one. */
function Opening({ found: { conversation, turns }, marks }: OpeningProps) {
  const [first] = turns
  const isBad = turns.some((turn) => STATES.failed(turn) || STATES.error(turn))
  const isGap = turns.some((turn) => STATES.gap(turn))
  const ratings = turns.map((turn) => marks.of(turn).word)
  const rating = RATINGS.findLast((word) => ratings.includes(word))
  const [sign, tone, meaning] = isBad
    ? (['✗', 'bad', 'failed'] as const)
    : isGap
      ? (['○', 'warn', 'gap'] as const)
      : (['✓', 'good', 'grounded'] as const)
  return (
    <>
      <span class={tone} role="img" aria-label={meaning} title={meaning}>
        {sign}
      </span>
      <Untrusted text={first?.message ?? ''} max={120} />
      {rating === undefined ? null : <span class={`rated ${RATING_TONES[rating]}`}>{rating}</span>}
      {conversation.length === 1 ? null : <span class="count">{conversation.length}</span>}
    </>
  )
}

const RATING_TONES = { good: 'good', acceptable: 'muted', poor: 'bad' } as const

function chipsOf(store: PageStore, marks: Marks) {
  const turns = store.conversations.flat()
  const states = CHIPS.map(([state, label]) => ({
    term: `is:${state}`,
    label,
    count: turns.filter((turn) => STATES[state](turn, marks)).length,
  }))
  const reviews = countReviews(store, marks)
  const ratings = RATINGS.toReversed().map((word) => ({
    term: `review:${word}`,
    label: `Rated ${word}`,
    count: reviews[word],
  }))
  // Where reviews are saved as they are made, they are somebody's work: what is left of it has a filter.
  const isSaved = marks.csv === undefined
  const left = { term: 'review:none', label: 'Not rated', count: isSaved ? reviews.none : 0 }
  return [...states, ...ratings, left].filter(({ count }) => count > 0)
}
