// The line of filters, and the list of conversations below it: in groups, the gravest or the edited first.
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import { compareTexts, showActing } from '../domain/text.ts'
import { digits } from '../domain/format.ts'
import { RATINGS } from '../domain/review.ts'
import { type Acts, type DeskState, useDesk } from './acts.ts'
import { Button, Icon } from './controls.tsx'
import type { Current } from './current.ts'
import {
  changeIcon,
  changeText,
  editText,
  stateIcon,
  type Trouble,
  troubleOf,
  troubleText,
  TROUBLES,
} from './list.ts'
import { findConversations } from './query.ts'
import { rowsOf, saveRows } from './reviews.ts'
import { deskHref, type View, VIEWS } from './route.ts'
import type { Found } from './store.ts'
import { A_PAGE, ShowMore } from './table.tsx'
import { Untrusted } from './text.tsx'

/** Filters of the line above the list; a divider stands before each group. */
const FILTERS: readonly (readonly (readonly [label: string, query: string])[])[] = [
  [
    ['To do', 'is:todo'],
    ['Gaps', 'is:gap'],
    ['Facts', 'is:unsupported'],
    ['Other article', 'is:misfit'],
    ['Expectations', 'is:failed'],
    ['Errors', 'is:error'],
    ['Context lost', 'is:lost'],
    ['Flaky', 'is:flaky'],
  ],
  [
    ['Changed', 'is:changed'],
    ['Needs review', 'is:needs-review'],
    ['Not rated', 'review:none'],
    ['Rated poor', 'review:poor'],
  ],
  [['All', '']],
]

interface FiltersProps {
  readonly query: string
  readonly view: View
}

export function Filters({ query, view }: FiltersProps) {
  const { store, acts } = useDesk()
  const counted = useMemo(
    () =>
      FILTERS.map((filters) =>
        filters.map(([label, find]) => {
          const found = findConversations(store, find, acts)
          return { label, find, count: found.reduce((sum, { turns }) => sum + turns.length, 0) }
        }),
      ),
    // Not the query: each letter of a search would count all of them again.
    [store, acts],
  )
  const groups = counted
    .map((filters) => filters.filter(({ count, find }) => count > 0 || find === '' || find === query))
    .filter((filters) => filters.length > 0)
  const all = groups.flat()
  const known = all.some(({ find }) => find === query)
    ? all
    : [{ label: 'Found', find: query, count: null }, ...all]
  return (
    <nav class="line filters" aria-label="Show">
      <select
        class="input"
        aria-label="Show"
        value={query}
        onChange={({ currentTarget }) => {
          location.hash = deskHref(currentTarget.value, view)
        }}
      >
        {known.map(({ label, find, count }) => (
          <option value={find}>{count === null ? label : `${label} ${digits(count)}`}</option>
        ))}
      </select>
      {groups.map((filters, number) => (
        <>
          {number === 0 ? null : <span class="divide" />}
          {filters.map(({ label, find, count }) => (
            <a href={deskHref(find, view)} aria-current={find === query ? 'true' : undefined}>
              {label} <b>{digits(count)}</b>
            </a>
          ))}
        </>
      ))}
      <span class="line looks">
        {VIEWS.map((name) => (
          <a href={deskHref(query, name)} aria-current={name === view ? 'true' : undefined}>
            {name === 'list' ? 'List' : 'Table'}
          </a>
        ))}
      </span>
    </nav>
  )
}

const isOfChanges = (query: string): boolean => /^(is:changed|change:\w+)$/.test(query)

const [DONE, NOT_EDITED] = ['Done', 'No edit is known']

/** What is to do is grouped by what is wrong, what changed by the edited article, where one is known. */
function groupingOf(query: string, { store, acts }: DeskState) {
  if (query === 'is:todo') {
    const groupOf = (turns: readonly PageTurn[]): string => {
      const trouble = worstOf(turns, acts)
      return trouble === undefined ? DONE : TROUBLES[trouble].title
    }
    return { groupOf, names: [...Object.values(TROUBLES).map(({ title }) => title), DONE] }
  }
  const edited = new Map(Object.entries(store.contents.edited ?? {}))
  if (!isOfChanges(query) || edited.size === 0) return undefined
  const articles = [...new Set(edited.values())].sort(compareTexts)
  const groupOf = (turns: readonly PageTurn[]): string => {
    const [article] = turns.flatMap(({ id }) => edited.get(id) ?? [])
    return article === undefined ? NOT_EDITED : `${article} · edited`
  }
  return { groupOf, names: [...articles.map((article) => `${article} · edited`), NOT_EDITED] }
}

/** Conversations have the order of their groups, else that of the set. */
export function ordered(desk: DeskState, query: string) {
  const all = findConversations(desk.store, query, desk.acts)
  const { groupOf, names = [] } = groupingOf(query, desk) ?? {}
  if (groupOf === undefined) return { found: all, groupOf }
  const groups = new Map(names.map((name) => [name, [] as Found[]]))
  for (const found of all) groups.get(groupOf(found.turns))?.push(found)
  return { found: [...groups.values()].flat(), groupOf }
}

interface ListProps {
  readonly query: string
  /** All that the filter finds. */
  readonly found: readonly Found[]
  readonly groupOf: ReturnType<typeof ordered>['groupOf']
  /** It lists also what another filter has left in the list. */
  readonly current: Current
  /** Questions that are ticked, under whatever filter: the foot acts on these, else on all that is found. */
  readonly ticked: ReadonlySet<string>
  readonly tick: (ticked: ReadonlySet<string>) => void
}

export function QuestionList(props: ListProps) {
  const { found, groupOf, ticked, tick } = props
  const { address, listed, index: current } = props.current
  const { store, acts } = useDesk()
  const [limit, setLimit] = useState(A_PAGE)
  // Another address begins the list anew.
  useLayoutEffect(() => setLimit(A_PAGE), [address])
  // The keyboard goes on where the list ends.
  const end = Math.max(limit, current + 1)
  const groups = new Map<string | undefined, { turns: readonly PageTurn[]; index: number }[]>()
  for (const [index, { turns }] of listed.slice(0, end).entries()) {
    const name = groupOf?.(turns)
    const rows = groups.get(name) ?? []
    groups.set(name, rows)
    rows.push({ turns, index })
  }
  const chosen =
    ticked.size === 0
      ? found
      : store.conversations.flatMap((conversation) => {
          const turns = conversation.filter((turn) => ticked.has(keyOf(turn)))
          return turns.length === 0 ? [] : [{ conversation, turns }]
        })
  return (
    <nav class="list" aria-label="Questions">
      <div class="list-scroll">
        {[...groups].map(([name, rows]) => (
          <section key={name}>
            {name === undefined ? null : (
              <h2 class="line">
                <Untrusted class="one-line" text={name} max={80} />
                <b class="last">{digits(rows.length)}</b>
              </h2>
            )}
            <ul>
              {rows.map((row) => (
                <Row key={row.turns.map(keyOf)[0]} {...props} {...row} />
              ))}
            </ul>
          </section>
        ))}
        <ShowMore count={listed.length - end} show={() => setLimit(end + A_PAGE)} />
      </div>
      <div class="line list-foot">
        <Button kind="plain" act={() => saveRows(`${store.contents.name}-found.csv`, rowsOf(chosen, acts))}>
          <Icon name="upload" class="flip" />
          <span class="wide">CSV</span>
        </Button>
        {ticked.size === 0 ? null : (
          <Button kind="plain" act={() => tick(new Set())}>
            <Icon name="cross" label="Untick all" />
          </Button>
        )}
        {acts.ofFound?.(chosen)}
      </div>
    </nav>
  )
}

const keyOf = ({ id, repeat }: PageTurn): string => `${id} ${repeat}`

interface RowProps extends ListProps {
  readonly turns: readonly PageTurn[]
  readonly index: number
}

/** Of several answers the worst is shown, of changes the first. */
function Row({ turns, index, query, current, ticked, tick }: RowProps) {
  const { store, acts } = useDesk()
  const [first] = turns
  const trouble = worstOf(turns, acts)
  const worst = turns.find((turn) => troubleOf(turn, acts) === trouble) ?? first
  if (first === undefined || worst === undefined) return null
  const isChange = isOfChanges(query)
  const shown = isChange ? first : worst
  const [icon, tone] = isChange ? changeIcon(first) : stateIcon(worst, acts)
  const { changes } = store.contents
  const source = worst.articles?.kind === 'answer' ? worst.articles.source?.title : undefined
  const text = isChange
    ? editText(first, changes)
    : troubleText(worst, acts) || source || changeText(worst, changes)
  const keys = turns.map(keyOf)
  return (
    <li class="question">
      <button
        type="button"
        class="row"
        aria-current={index === current.index}
        onClick={() => current.open(first)}
      >
        <Icon
          name={icon}
          class={tone}
          label={isChange || trouble === undefined ? icon : TROUBLES[trouble].title}
        />
        <Untrusted class="one-line" text={shown.message} max={160} />
        <small>{RATINGS.findLast((rating) => turns.some((turn) => acts.markOf(turn).word === rating))}</small>
        <small class="one-line">
          <Untrusted text={text} max={160} />
        </small>
      </button>
      <label class="tick">
        <input
          type="checkbox"
          aria-label={`Choose ${showActing(shown.message)}`}
          checked={keys.every((key) => ticked.has(key))}
          onChange={({ currentTarget: { checked } }) =>
            tick(
              checked
                ? new Set([...ticked, ...keys])
                : new Set([...ticked].filter((key) => !keys.includes(key))),
            )
          }
        />
      </label>
    </li>
  )
}

function worstOf(turns: readonly PageTurn[], acts: Acts): Trouble | undefined {
  const troubles = turns.map((turn) => troubleOf(turn, acts))
  return (Object.keys(TROUBLES) as Trouble[]).find((trouble) => troubles.includes(trouble))
}
