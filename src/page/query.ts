// The query language of the search box: `tag:vpn source:MODEL is:failed printer`. A turn must match all
// terms.
import type { Cause, GapTurn } from '../domain/articles.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { Rating } from '../domain/review.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { Acts, Decided } from './acts.ts'
import { isGap, troubleOf } from './list.ts'
import { fold, type Found, type PageStore } from './store.ts'

export const STATES = {
  failed: ({ passed }) => passed === false,
  passed: ({ passed }) => passed === true,
  gap: isGap,
  grounded: ({ grounded }) => grounded === true,
  error: ({ outcome }) => outcome !== null && isErrorOutcome(outcome),
  wrong: ({ passed, outcome }) => passed === false || (outcome !== null && isErrorOutcome(outcome)),
  skipped: ({ outcome }) => outcome === 'skipped',
  unsent: ({ outcome }) => outcome === null,
  unsupported: ({ articles }) => articles?.kind === 'answer' && articles.doubtful.length > 0,
  decided: (turn, acts) => acts.decisionOn(turn) !== undefined,
  todo: (turn, acts) => troubleOf(turn, acts) !== undefined,
  misfit: ({ articles }) => articles?.kind === 'answer' && articles.misfit !== null,
  flaky: ({ flaky }) => flaky,
  'sent-again': ({ tries }) => tries !== undefined,
  lost: ({ contextLost }) => contextLost,
  changed: ({ change }) => change?.kinds.some((kind) => kind !== 'failInBoth') === true,
  'must-pass': ({ mustPass }) => mustPass,
  'needs-review': (turn, { markOf }) => turn.reviewedBefore !== null && markOf(turn).word === null,
} as const satisfies Readonly<Record<string, (turn: PageTurn, acts: Acts) => boolean>>
export type State = keyof typeof STATES

type Test = (turn: PageTurn, value: string, acts: Acts) => boolean

const FILTERS: Readonly<Record<string, Test>> = {
  tag: ({ tags }, value) => tags.some((tag) => fold(tag) === value),
  source: ({ source }, value) => fold(source ?? 'none') === value,
  status: ({ status }, value) => fold(status ?? 'none') === value,
  outcome: ({ outcome }, value) => (outcome ?? 'none') === value,
  change: ({ change }, value) => change?.kinds.some((kind) => fold(kind) === value) === true,
  cause: (turn, value, acts) =>
    turn.articles?.kind === 'gap' && causeOf(turn.articles, acts.decisionOn(turn)) === value,
  article: (turn, value, acts) =>
    value !== '' && fold(articleOf(turn, acts.decisionOn(turn)) ?? '') === value,
  review: (turn, value, acts) => reviewOf(turn, acts) === value,
  thread: ({ thread }, value) => fold(thread) === value,
  id: ({ id }, value) => fold(id) === value,
  is: (turn, value, acts) => Object.hasOwn(STATES, value) && STATES[value as State](turn, acts),
  sort: () => true,
}

/** What was decided since the report is the cause, too. */
const causeOf = ({ cause }: GapTurn, decided: Decided | undefined): Cause =>
  decided === undefined ? cause : decided.article === null ? 'no-article' : 'not-used'

/** The likely source; of a gap the one that was decided, else the nearest. */
const articleOf = ({ articles }: PageTurn, decided: Decided | undefined): string | undefined =>
  articles?.kind === 'gap' ? (decided?.article ?? articles.nearest[0]?.article) : articles?.source?.article

/** Undefined without an answer, and for one that needs a review because it changed. */
function reviewOf(turn: PageTurn, { markOf }: Acts): Rating | 'none' | undefined {
  if (turn.answer === null) return undefined
  return markOf(turn).word ?? (turn.reviewedBefore === null ? 'none' : undefined)
}

/**
 * A turn must pass all tests and have all words. Quotes allow spaces: `tag:"single sign-on"`. An unknown
 * filter is a word of a text, such as `https:`.
 */
function parseQuery(text: string) {
  const terms = text.matchAll(/(?:(\p{L}[\p{L}\p{N}_-]*):)?(?:"([^"]*)"?|[“”„]([^“”]*)[“”]?|(\S*))/gu)
  const tests: ((turn: PageTurn, acts: Acts) => boolean)[] = []
  const words: string[] = []
  let bySlowness = false
  for (const [whole, named, straight, curled, plain] of terms) {
    if (whole === '') continue
    const value = fold(straight ?? curled ?? plain ?? '')
    const key = named === undefined ? '' : fold(named)
    const test = Object.hasOwn(FILTERS, key) ? FILTERS[key] : undefined
    if (test === undefined) words.push(named === undefined ? value : fold(whole))
    else tests.push((turn, acts) => test(turn, value, acts))
    if (key === 'sort') bySlowness = value === 'slow'
  }
  return { tests, words, bySlowness }
}

export function findConversations(store: PageStore, text: string, acts: Acts): Found[] {
  const { tests, words, bySlowness } = parseQuery(text)
  const has = (turn: PageTurn, word: string): boolean => {
    if (store.textOf(turn).includes(word)) return true
    const { note } = acts.markOf(turn)
    return note !== '' && fold(note).includes(word)
  }
  const isMeant = (turn: PageTurn): boolean =>
    tests.every((test) => test(turn, acts)) && words.every((word) => has(turn, word))
  const found = store.conversations.flatMap((conversation): Found[] => {
    const turns = conversation.filter(isMeant)
    return turns.length === 0 ? [] : [{ conversation, turns }]
  })
  if (!bySlowness) return found
  const slowest = ({ turns }: Found): number => Math.max(...turns.map(({ latencyMs }) => latencyMs ?? 0))
  return found.sort((a, b) => slowest(b) - slowest(a))
}
