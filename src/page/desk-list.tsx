// The line of filters, and the list of conversations below it: in groups, the gravest or the edited first.
import { useMemo } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import { compareTexts } from '../domain/text.ts'
import { digits, plural } from '../domain/format.ts'
import { RATINGS } from '../domain/review.ts'
import type { Acts } from './acts.ts'
import { Icon } from './icons.tsx'
import {
  changeIcon,
  changeText,
  editText,
  GROUPS,
  stateIcon,
  troubleOf,
  troubleText,
  TROUBLES,
} from './list.ts'
import { findConversations } from './query.ts'
import { download, foundCsv } from './reviews.ts'
import type { Found, PageContents, PageStore } from './store.ts'
import { ShowMore } from './table.tsx'
import { deskHref, type View, VIEWS } from './route.ts'
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
  readonly store: PageStore
  readonly acts: Acts
  readonly query: string
  readonly view: View
}

export function Filters({ store, acts, query, view }: FiltersProps) {
  const groups = useMemo(() => {
    const counted = FILTERS.map((filters) =>
      filters
        .map(([label, find]) => ({
          label,
          find,
          count: findConversations(store, find, acts).found.reduce((sum, { turns }) => sum + turns.length, 0),
        }))
        .filter(({ count, find }) => count > 0 || find === '' || find === query),
    )
    return counted.filter((filters) => filters.length > 0)
  }, [store, acts, query])
  const all = groups.flat()
  const isKnown = all.some(({ find }) => find === query)
  return (
    <nav class="filters" aria-label="Show">
      <label class="filter-choice">
        <span class="quiet">Show</span>
        <select
          class="input"
          value={query}
          onChange={({ currentTarget }) => (location.hash = deskHref(currentTarget.value, view))}
        >
          {isKnown ? null : <option value={query}>{query}</option>}
          {all.map(({ label, find, count }) => (
            <option value={find}>
              {label} ({digits(count)})
            </option>
          ))}
        </select>
      </label>
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
      <span class="looks">
        {VIEWS.map((name) => (
          <a href={deskHref(query, name)} aria-current={name === view ? 'true' : undefined}>
            {name === 'list' ? 'List' : 'Table'}
          </a>
        ))}
      </span>
    </nav>
  )
}

const isByEdit = (query: string): boolean => /^(is:changed|change:\w+)$/.test(query)

/** What is to do has the gravest first, what changed the edited articles; others have the set's order. */
export function ordered(store: PageStore, query: string, acts: Acts) {
  const all = findConversations(store, query, acts)
  const { edited } = store.contents
  if (isByEdit(query) && edited !== undefined) {
    // What is not known to be of an edited article comes last.
    const keyOf = ({ turns }: Found): string => editedBy(turns, edited) ?? '\uffff'
    return { ...all, found: all.found.toSorted((some, other) => compareTexts(keyOf(some), keyOf(other))) }
  }
  if (query !== 'is:todo') return all
  const rank = ({ turns }: Found): number => TROUBLES.indexOf(worstOf(turns, acts) ?? 'gap')
  return { ...all, found: all.found.toSorted((some, other) => rank(some) - rank(other)) }
}

interface ListProps extends Omit<GroupsProps, 'by'> {
  readonly query: string
  /** All that the filter finds, also what another filter has left in the list. */
  readonly found: readonly Found[]
  readonly limit: number
  readonly showMore: () => void
}

export const QuestionList = ({ query, found, limit, showMore, ...props }: ListProps) => (
  <nav class="list" aria-label="Questions">
    <div class="list-scroll">
      <Groups
        {...props}
        listed={props.listed.slice(0, limit)}
        by={query === 'is:todo' ? 'trouble' : isByEdit(query) ? 'edit' : undefined}
      />
      <ShowMore count={props.listed.length - limit} show={showMore} />
    </div>
    <div class="list-foot">
      <button
        type="button"
        class="button plain"
        onClick={() => download(`${props.store.contents.name}-found.csv`, foundCsv(found, props.acts.marks))}
      >
        <Icon name="upload" class="flip" />
        <span class="wide">CSV</span>
      </button>
      <ReviewsDownload store={props.store} acts={props.acts} />
      {props.acts.ofFound?.(found)}
    </div>
  </nav>
)

interface GroupsProps {
  readonly listed: readonly Found[]
  readonly acts: Acts
  readonly store: PageStore
  readonly chosen: number
  readonly by: 'trouble' | 'edit' | undefined
  readonly open: (turn: PageTurn | undefined) => void
}

/**
 * What is to do stands in groups, the gravest first, and what changed by the edited article, where it is known;
 * any other list has the order of the set.
 */
function Groups({ listed, acts, store, chosen, by, open }: GroupsProps) {
  const rows = listed.map(({ turns }, index) => ({ turns, index, trouble: worstOf(turns, acts) }))
  const row = ({ turns, index, trouble }: (typeof rows)[number]) => {
    const [first] = turns
    if (first === undefined) return null
    const worst = turns.find((turn) => troubleOf(turn, acts) === trouble) ?? first
    const isEdit = by === 'edit'
    const shown = isEdit ? first : worst
    const [icon, tone] = isEdit ? changeIcon(first) : stateIcon(worst, acts)
    const word = RATINGS.findLast((rating) => turns.some((turn) => acts.marks.of(turn).word === rating))
    const { changes } = store.contents
    const text = isEdit ? editText(first, changes) : troubleText(worst, acts) || changeText(worst, changes)
    return (
      <li key={`${first.id} ${first.repeat}`}>
        <button type="button" class="row" aria-current={index === chosen} onClick={() => open(first)}>
          <Icon name={icon} class={tone} label={isEdit || trouble === undefined ? icon : GROUPS[trouble]} />
          <span class="one-line">
            <Untrusted text={shown.message} max={160} />
          </span>
          <span class="mark">{word ?? ''}</span>
          <small class="one-line">
            <Untrusted text={text} max={160} />
          </small>
        </button>
      </li>
    )
  }
  const nameOf = ({ turns, trouble }: (typeof rows)[number]): string => {
    if (by === 'trouble') return trouble === undefined ? 'Done' : GROUPS[trouble]
    const edited = editedBy(turns, store.contents.edited)
    return edited === undefined ? NOT_EDITED : `${edited} · edited`
  }
  const names = by === undefined ? [] : [...new Set(rows.map(nameOf))]
  if (by === undefined || (by === 'edit' && names.every((name) => name === NOT_EDITED)))
    return <ul>{rows.map(row)}</ul>
  return (
    <>
      {names.map((name) => {
        const members = rows.filter((candidate) => nameOf(candidate) === name)
        return (
          <section key={name}>
            <h2>
              <span class="one-line">
                <Untrusted text={name} max={80} />
              </span>
              <b>{digits(members.length)}</b>
            </h2>
            <ul>{members.map(row)}</ul>
          </section>
        )
      })}
    </>
  )
}

/** An id may be the name of something that every object has. */
const editedBy = (turns: readonly PageTurn[], edited: PageContents['edited'] = {}): string | undefined =>
  turns.flatMap(({ id }) => (Object.hasOwn(edited, id) ? (edited[id] ?? []) : []))[0]

const NOT_EDITED = 'No edit is known'

const worstOf = (turns: readonly PageTurn[], acts: Acts) => {
  const troubles = turns.map((turn) => troubleOf(turn, acts))
  return TROUBLES.find((trouble) => troubles.includes(trouble))
}

/** It is left out without reviews, and where they are saved as they are made. */
const ReviewsDownload = ({ store, acts: { marks } }: { readonly store: PageStore; readonly acts: Acts }) =>
  marks.count() === 0 || marks.csv === undefined ? null : (
    <button
      type="button"
      class="button plain"
      onClick={() => download(`${store.contents.name}-reviews.csv`, marks.csv?.() ?? '')}
    >
      <Icon name="upload" class="flip" />
      {plural(marks.count(), 'review')}
    </button>
  )
