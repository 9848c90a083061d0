// The desk: filters, the list of conversations, and the chosen one with the article beside its answer.
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { digits, plural } from '../domain/format.ts'
import { type Rating, RATINGS } from '../domain/review.ts'
import type { Acts } from './acts.ts'
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
import { hrefOf, Untrusted } from './text.tsx'
import { Button } from './button.tsx'

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
  readonly acts: Acts
}

export function Desk({ store, route, acts }: Props) {
  // That of the first look is kept: the last thing to do stays in view when it is done.
  const first = useMemo(() => firstQuery(store, acts), [route.query === undefined])
  const query = route.query ?? first
  // What is done here counts at once, in the list and on the filters.
  const { found, unknown } = useMemo(() => ordered(store, query, acts), [store, query, acts])
  const current = useCurrent(store, found, { ...route, query })
  const { address, listed, index, turn, choose, open, openConversation } = current
  const [candidate, setCandidate] = useState(0)
  useLayoutEffect(() => setCandidate(0), [turn])
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const note = useRef<HTMLTextAreaElement>(null)
  const keys = keysOf({ acts, current, note, candidate, setCandidate })
  useKeys(route.view === 'list' && turn !== undefined ? keys : {})
  const { conversation } = listed[index] ?? {}
  return (
    <>
      <Filters store={store} acts={acts} query={query} view={route.view} />
      {conversation === undefined ? (
        <p class="empty">
          {query === 'is:todo' ? 'Nothing to do.' : 'Nothing found. Remove a word or a filter.'}{' '}
          <Untrusted text={unknown.join(' ')} />
        </p>
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
            address={address}
            open={open}
            ticked={ticked}
            tick={setTicked}
          />
          <div class="answers">
            <div class="line talk-way">
              <a class="button plain to-list" href={hrefOf({ find: query })}>
                <Icon name="chevron" class="back" />
                List
              </a>
              <span class="one-line" role="status">
                {digits(index + 1)} of {digits(listed.length)} · {plural(conversation.length, 'question')}
              </span>
              <span class="last" />
              <Step isThere={index > 0} go={() => openConversation(-1)} name="Previous" />
              <Step isThere={index < listed.length - 1} go={() => openConversation(1)} name="Next" />
            </div>
            <article class="answer-view">
              {conversation.map((shownTurn) => (
                <>
                  <Turn
                    key={`${shownTurn.id} ${shownTurn.repeat}`}
                    turn={shownTurn}
                    acts={acts}
                    changes={store.contents.changes}
                    isCurrent={shownTurn === turn}
                    choose={() => choose(shownTurn)}
                    element={current.element}
                    note={note}
                  />
                  {shownTurn === turn ? (
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

/** A comparison begins with what changed, a run with what is to do. */
function firstQuery(store: PageStore, acts: Acts): string {
  const turns = store.conversations.flat()
  const hasChanged = turns.some((turn) => STATES.changed(turn))
  if (store.contents.edited !== undefined && hasChanged) return 'is:changed'
  if (turns.some((turn) => STATES.todo(turn, acts))) return 'is:todo'
  return hasChanged ? 'is:changed' : ''
}

interface DeskKeys {
  readonly acts: Acts
  readonly current: ReturnType<typeof useCurrent>
  readonly note: RefObject<HTMLTextAreaElement | null>
  readonly candidate: number
  readonly setCandidate: (candidate: number) => void
}

const QUESTION = '.turn[aria-current=true] h2'
const ARTICLE = '.source :is(h3, [open] > summary)'

/** Each acts on the marked answer, or on the article that is open, and only where that is in view. */
function keysOf({ acts, current, note, candidate, setCandidate }: DeskKeys) {
  const { turn, open, openConversation, openAnswer } = current
  if (turn === undefined) return {}
  const { last, decide, away } = acts
  const isGap = turn.articles?.kind === 'gap'
  const rate = (word: Rating) => (): void => {
    if (turn.answer !== null && away === undefined)
      actOnSeen(QUESTION, () => acts.rate(turn, { ...acts.markOf(turn), word }))
  }
  return {
    j: () => openConversation(1),
    k: () => openConversation(-1),
    n: () => openAnswer(1),
    p: () => openAnswer(-1),
    ...Object.fromEntries(RATINGS.map((rating, number) => [String(number + 1), rate(rating)])),
    e: () => note.current?.focus(),
    a: () => {
      const primary = away === undefined ? primaryActOf(turn, acts, candidate) : undefined
      if (primary !== undefined) actOnSeen(hasSource(turn) ? ARTICLE : QUESTION, primary.act)
    },
    x: () => {
      if (isGap && away === undefined && decide !== undefined) actOnSeen(QUESTION, () => decide(turn, null))
    },
    ...Object.fromEntries(
      CANDIDATE_KEYS.map((key, number) => [key, isGap ? () => setCandidate(number) : undefined]),
    ),
    /** Shows the answer first, where another is marked. */
    u: () => {
      if (last === undefined) return
      if (last.turn.id === turn.id && last.turn.repeat === turn.repeat) last.undo()
      else open(last.turn)
    },
  }
}

interface StepProps {
  readonly isThere: boolean
  readonly go: () => void
  readonly name: 'Previous' | 'Next'
}

const Step = ({ isThere, go, name }: StepProps) => (
  <Button kind="plain" disabled={!isThere} act={go}>
    {name === 'Previous' ? <Icon name="chevron" class="back" /> : null}
    <span class="wide">{name}</span> <kbd>{name === 'Previous' ? 'k' : 'j'}</kbd>
    {name === 'Next' ? <Icon name="chevron" /> : null}
  </Button>
)
