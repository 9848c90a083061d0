// The desk: filters, the list of conversations, and the chosen one with the article beside its answer.
import type { RefObject } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import { digits, plural } from '../domain/format.ts'
import { type Rating, RATINGS } from '../domain/review.ts'
import { type Acts, ActsContext } from './acts.ts'
import { AnswerTable } from './answer-table.tsx'
import { Turn } from './answer.tsx'
import { useCurrent } from './current.ts'
import { Icon } from './icons.tsx'
import { Filters, ordered, QuestionList } from './desk-list.tsx'
import { actOnSeen, useKeys } from './keyboard.ts'
import { STATES } from './query.ts'
import type { Route } from './route.ts'
import { CANDIDATE_KEYS, hasSource, primaryActOf, Source } from './source.tsx'
import type { PageStore } from './store.ts'
import { A_PAGE } from './table.tsx'
import { hrefOf, Untrusted } from './text.tsx'

export const DESK_KEYS = [
  ['j k', 'next, previous conversation'],
  ['n p', 'next, previous answer'],
  ['1 2 3', 'good, acceptable, poor'],
  ['e', 'note'],
  ['a', 'the article decides: it answers this, its value is right'],
  ['x', 'no article answers this'],
  ['f g h', 'look at candidate 1, 2, 3'],
  ['u', 'undo the last act'],
  ['/', 'search'],
  ['Enter', 'open'],
  ['Esc', 'leave a field'],
] as const

interface Props {
  readonly store: PageStore
  readonly route: Route
}

export function Desk({ store, route }: Props) {
  const acts = useContext(ActsContext)
  return acts === undefined ? null : <DeskOf store={store} route={route} acts={acts} />
}

function DeskOf({ store, route, acts }: Props & { readonly acts: Acts }) {
  const query = useQuery(route, store, acts)
  // What is done here counts at once, in the list and on the filters.
  const { found, unknown } = useMemo(() => ordered(store, query, acts), [store, query, acts])
  const { address, listed, index, current, element, ...move } = useCurrent(store, found, { ...route, query })
  const chosen = listed[index]
  const [limit, setLimit] = useState(A_PAGE)
  useLayoutEffect(() => setLimit(A_PAGE), [address])
  const [candidate, setCandidate] = useState(0)
  useLayoutEffect(() => setCandidate(0), [current])
  const note = useRef<HTMLTextAreaElement>(null)
  useDeskKeys({
    acts,
    current: route.view === 'list' ? current : undefined,
    move,
    note,
    candidate,
    setCandidate,
  })
  // The keyboard goes on where the list ends.
  const shown = Math.max(limit, index + 1)
  return (
    <>
      <Filters store={store} acts={acts} query={query} view={route.view} />
      {chosen === undefined ? (
        <div class="empty">
          <p>
            {query === 'is:todo' ? 'Nothing to do.' : 'Nothing found. Remove a word or a filter.'}{' '}
            <Untrusted text={unknown.join(' ')} />
          </p>
        </div>
      ) : route.view === 'table' ? (
        <AnswerTable query={query} found={found} acts={acts} />
      ) : (
        <div class="desk" data-screen={route.id === undefined ? 'list' : 'answer'}>
          <QuestionList
            store={store}
            acts={acts}
            query={query}
            found={found}
            listed={listed}
            chosen={index}
            limit={shown}
            showMore={() => setLimit(shown + A_PAGE)}
            open={move.open}
          />
          <div class="answers">
            <TalkWay
              query={query}
              at={index}
              of={listed.length}
              questions={chosen.conversation.length}
              openConversation={move.openConversation}
            />
            <article class="answer-view">
              {chosen.conversation.map((turn) => (
                <>
                  <Turn
                    key={`${turn.id} ${turn.repeat}`}
                    turn={turn}
                    acts={acts}
                    changes={store.contents.changes}
                    isCurrent={turn === current}
                    choose={() => move.choose(turn)}
                    element={element}
                    note={note}
                  />
                  {turn === current ? (
                    <Source turn={turn} acts={acts} store={store} candidate={candidate} open={setCandidate} />
                  ) : null}
                </>
              ))}
            </article>
          </div>
        </div>
      )}
    </>
  )
}

/** That of the first look is kept: the last thing to do stays in view when it is done. */
function useQuery(route: Route, store: PageStore, acts: Acts): string {
  const first = useMemo(() => firstQuery(store, acts), [route.query === undefined])
  return route.query ?? first
}

/** Of a comparison what changed; what is to do, else what changed, else all. */
function firstQuery(store: PageStore, acts: Acts): string {
  const turns = store.conversations.flat()
  const isCompared = store.contents.edited !== undefined
  if (isCompared && turns.some((turn) => STATES.changed(turn))) return 'is:changed'
  if (turns.some((turn) => STATES.todo(turn, acts))) return 'is:todo'
  return turns.some((turn) => STATES.changed(turn)) ? 'is:changed' : ''
}

interface DeskKeys {
  readonly acts: Acts
  readonly current: PageTurn | undefined
  readonly move: Pick<ReturnType<typeof useCurrent>, 'open' | 'openConversation' | 'openAnswer'>
  readonly note: RefObject<HTMLTextAreaElement | null>
  readonly candidate: number
  readonly setCandidate: (candidate: number) => void
}

const QUESTION = '.turn[aria-current=true] h2'
const ARTICLE = '.source :is(h3, [open] > summary)'

/** Each acts on the marked answer, or on the article that is open, and only where that is in view. */
function useDeskKeys({ acts, current, move, note, candidate, setCandidate }: DeskKeys): void {
  const { last, decide } = acts
  const act = current && acts.away === undefined ? primaryActOf(current, acts, candidate) : undefined
  const rate = (word: Rating) => (): void => {
    if (current === undefined || current.answer === null || acts.away !== undefined) return
    actOnSeen(QUESTION, () => acts.marks.set(current, { ...acts.marks.of(current), word }))
  }
  const refuse = (): void => {
    if (current?.articles?.kind === 'gap' && acts.away === undefined && decide !== undefined)
      actOnSeen(QUESTION, () => decide(current, null))
  }
  const undo = (): void => {
    if (last === undefined) return
    if (last.turn.id === current?.id && last.turn.repeat === current.repeat) last.undo()
    else move.open(last.turn)
  }
  const keys = {
    j: () => move.openConversation(1),
    k: () => move.openConversation(-1),
    n: () => move.openAnswer(1),
    p: () => move.openAnswer(-1),
    ...Object.fromEntries(RATINGS.map((rating, number) => [String(number + 1), rate(rating)])),
    e: () => note.current?.focus(),
    a: act && (() => actOnSeen(current && hasSource(current) ? ARTICLE : QUESTION, act.act)),
    x: refuse,
    ...Object.fromEntries(
      CANDIDATE_KEYS.map((key, number) => [
        key,
        current?.articles?.kind === 'gap' ? () => setCandidate(number) : undefined,
      ]),
    ),
    u: undo,
  }
  useKeys(current === undefined ? {} : keys)
}

interface TalkWayProps {
  readonly query: string
  readonly at: number
  readonly of: number
  readonly questions: number
  readonly openConversation: (by: 1 | -1) => void
}

const TalkWay = ({ query, at, of, questions, openConversation }: TalkWayProps) => (
  <div class="talk-way">
    <a class="button plain to-list" href={hrefOf({ find: query })}>
      <Icon name="chevron" class="back" />
      List
    </a>
    <span class="one-line" role="status">
      {digits(at + 1)} of {digits(of)} · {plural(questions, 'question')}
    </span>
    <span class="last" />
    <Step to={at > 0 ? () => openConversation(-1) : undefined} name="Previous" />
    <Step to={at < of - 1 ? () => openConversation(1) : undefined} name="Next" />
  </div>
)

interface StepProps {
  readonly to: (() => void) | undefined
  readonly name: 'Previous' | 'Next'
}

const Step = ({ to, name }: StepProps) => (
  <button type="button" class="button plain" disabled={to === undefined} onClick={to}>
    {name === 'Previous' ? <Icon name="chevron" class="back" /> : null}
    <span class="wide">{name}</span> <kbd>{name === 'Previous' ? 'k' : 'j'}</kbd>
    {name === 'Next' ? <Icon name="chevron" /> : null}
  </button>
)
