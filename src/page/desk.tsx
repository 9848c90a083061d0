// The desk: filters, the list of conversations, and the chosen one with the article beside its answer.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { digits, plural } from '../domain/format.ts'
import { RATINGS } from '../domain/review.ts'
import { type Acts, type DeskState, useDesk } from './acts.ts'
import { AnswerTable } from './answer-table.tsx'
import { Turn } from './answer.tsx'
import { Button, Icon } from './controls.tsx'
import { type Current, useCurrent } from './current.ts'
import { Filters, ordered, QuestionList } from './desk-list.tsx'
import { actOnSeen, useKeys } from './keyboard.ts'
import { STATES } from './query.ts'
import type { Route } from './route.ts'
import { CANDIDATE_KEYS, hasSource, primaryActOf, Source } from './source.tsx'
import { hrefOf } from './text.tsx'

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

export function Desk({ route }: { readonly route: Route }) {
  const desk = useDesk()
  const { store, acts } = desk
  // That of the first look is kept: the last thing to do stays in view when it is done.
  const first = useMemo(() => firstQuery(desk), [route.query === undefined])
  const query = route.query ?? first
  // What is done here counts at once, in the list and on the filters.
  const { found, groupOf } = useMemo(() => ordered(desk, query), [store, query, acts])
  const current = useCurrent(store, found, { ...route, query })
  const { listed, index, turn, choose } = current
  const [candidate, setCandidate] = useState(0)
  useLayoutEffect(() => setCandidate(0), [turn])
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const note = useRef<HTMLTextAreaElement>(null)
  const keys = {
    ...keysOf(current, acts, candidate),
    e: () => note.current?.focus(),
    ...Object.fromEntries(CANDIDATE_KEYS.map((key, number) => [key, () => setCandidate(number)])),
  }
  useKeys(route.view === 'list' ? keys : {})
  const { conversation } = listed[index] ?? {}
  return (
    <>
      <Filters query={query} view={route.view} />
      {conversation === undefined ? (
        <p class="empty">{EMPTY[query] ?? 'Nothing found. Remove a word or a filter.'}</p>
      ) : route.view === 'table' ? (
        <AnswerTable query={query} found={found} />
      ) : (
        <div class="desk" data-screen={route.id === undefined ? 'list' : 'answer'}>
          <QuestionList
            query={query}
            found={found}
            groupOf={groupOf}
            current={current}
            ticked={ticked}
            tick={setTicked}
          />
          <div class="answers">
            <Way current={current} query={query} questions={conversation.length} />
            <article class="answer-view">
              {conversation.map((shownTurn) => (
                <>
                  <Turn
                    key={`${shownTurn.id} ${shownTurn.repeat}`}
                    turn={shownTurn}
                    isCurrent={shownTurn === turn}
                    choose={() => choose(shownTurn)}
                    element={current.element}
                    note={note}
                  />
                  {shownTurn === turn ? (
                    <Source turn={turn} candidate={candidate} open={setCandidate} />
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

const EMPTY: Readonly<Record<string, string>> = {
  'is:todo': 'Nothing to do.',
  'is:changed': 'No answer has changed.',
}

interface WayProps {
  readonly current: Current
  readonly query: string
  readonly questions: number
}

const Way = ({ current: { index, listed, openConversation }, query, questions }: WayProps) => (
  <div class="line talk-way">
    <a class="button plain to-list" href={hrefOf({ find: query })}>
      <Icon name="chevron" class="back" />
      List
    </a>
    <span class="one-line" role="status">
      {digits(index + 1)} of {digits(listed.length)} · {plural(questions, 'question')}
    </span>
    <span class="last" />
    <Button kind="plain" disabled={index === 0} act={() => openConversation(-1)}>
      <Icon name="chevron" class="back" />
      <span class="wide">Previous</span> <kbd>k</kbd>
    </Button>
    <Button kind="plain" disabled={index === listed.length - 1} act={() => openConversation(1)}>
      <span class="wide">Next</span> <kbd>j</kbd>
      <Icon name="chevron" />
    </Button>
  </div>
)

/** A comparison begins with what changed, a run with what is to do. */
function firstQuery({ store, acts }: DeskState): string {
  const turns = store.conversations.flat()
  const hasChanged = turns.some((turn) => STATES.changed(turn))
  if (store.contents.edited !== undefined && hasChanged) return 'is:changed'
  if (turns.some((turn) => STATES.todo(turn, acts))) return 'is:todo'
  return hasChanged ? 'is:changed' : ''
}

const QUESTION = '.turn[aria-current=true] h2'
const ARTICLE = '.source :is(h3, [open] > summary)'

/** Each acts on the marked answer, or on the article that is open, and only where that is in view. */
function keysOf(current: Current, acts: Acts, candidate: number) {
  const { turn, open, openConversation, openAnswer } = current
  const { rate, markOf, decide, last } = acts
  if (turn === undefined) return {}
  // What is saved nowhere now is not done.
  const act = (on: string, does: (() => void) | undefined) => (): void => {
    if (does !== undefined && acts.away === undefined) actOnSeen(on, does)
  }
  return {
    j: () => openConversation(1),
    k: () => openConversation(-1),
    n: () => openAnswer(1),
    p: () => openAnswer(-1),
    ...Object.fromEntries(
      RATINGS.map((word, number) => [
        String(number + 1),
        act(QUESTION, turn.answer === null ? undefined : () => rate(turn, { ...markOf(turn), word })),
      ]),
    ),
    a: act(hasSource(turn) ? ARTICLE : QUESTION, primaryActOf(turn, acts, candidate)?.act),
    x: act(QUESTION, turn.articles?.kind === 'gap' && decide ? () => decide(turn, null) : undefined),
    /** Shows the answer first, where another is marked. */
    u: () => {
      if (last === undefined) return
      if (last.turn.id === turn.id && last.turn.repeat === turn.repeat) last.undo()
      else open(last.turn)
    },
  }
}
