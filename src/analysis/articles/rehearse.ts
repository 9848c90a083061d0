// An edit of the articles, tried on a recorded run: its questions are held against the articles as they were
// and as they will be, and what differs is listed. Nothing is sent.
import { type Article, nameSection } from '../../articles/article.ts'
import { extractFacts } from '../../articles/facts.ts'
import { LookUp } from '../../articles/look-up.ts'
import { isSameFact } from '../../articles/same-fact.ts'
import { readAnswer } from '../../articles/source.ts'
import type { NamedSection, TurnArticles } from '../../domain/articles.ts'
import {
  type Affected,
  type EditedArticle,
  type Effect,
  EFFECTS,
  type MovedQuestions,
  type Rehearsal,
} from '../../domain/rehearsal.ts'
import type { AnsweredTurn } from '../../domain/turn.ts'
import { threadKey } from '../figures/fold.ts'
import { groupBy } from '../../domain/counts.ts'
import { createOpenings } from '../gaps/collect.ts'
import { consultArticles, indexArticles, type Taught } from './consult.ts'
import { type Replaced, replacedValues } from './replaced.ts'

interface Rehearsed {
  readonly questions: Iterable<readonly [AnsweredTurn, ...AnsweredTurn[]]>
  readonly groundedSources: readonly string[]
  readonly was: readonly Article[]
  readonly now: readonly Article[]
  readonly taught: Taught
}

type Found = Pick<Rehearsal, 'questions' | 'edited' | 'affected' | 'values' | 'moved'>

/** What is asked after such a question may be answered from another article, too. */
const LEADING: readonly Effect[] = ['lost', 'moved', 'closes', 'mayClose']

/** Reads `questions` three times, in the order of the set. */
export function rehearse({ questions, groundedSources, was, now, taught }: Rehearsed): Found {
  const edits = editsOf(was, now)
  const touched = new Set(edits.map(({ article }) => article))
  const sideOf = (articles: readonly Article[]) => {
    const indexes = indexArticles(articles, taught)
    const consulted = consultArticles(questions, groundedSources, indexes)
    return { ...indexes, ...consulted, byId: new Map(articles.map((article) => [article.id, article])) }
  }
  const [before, after] = [sideOf(was), sideOf(now)]
  const replaced = replacedValues(
    edits.flatMap(({ article }) => {
      const [old, edited] = [before.byId.get(article), after.byId.get(article)]
      return old === undefined || edited === undefined ? [] : [{ before: old, after: edited }]
    }),
    { was: before.passages, now: after.passages },
  )
  const sides = { before, after, touched, replaced }
  const openingOf = createOpenings()
  const affected: Affected[] = []
  let count = 0
  let led: string | undefined
  for (const [first, ...others] of questions) {
    const { id, message } = first.question
    const opening = openingOf(first.question)
    const turn = [first, ...others].find((repeat) => before.of(repeat) !== undefined)
    const [held, holds] = [turn && before.of(turn), turn && after.of(turn)]
    if (held === undefined || holds === undefined) continue
    count += 1
    const answer = turn?.result?.kind === 'reply' ? turn.result.reply.message : ''
    const found = effectOf({ message, opening, answer }, held, holds, sides)
    const thread = threadKey(first.question)
    if (found !== undefined) affected.push({ id, message, ...found })
    else if (thread === led)
      affected.push({ id, message, effect: 'follows', before: null, after: null, values: [] })
    if (found !== undefined && LEADING.includes(found.effect)) led = thread
  }
  return {
    questions: count,
    edited: edits.map((edit) => {
      const isAbout = (section: NamedSection | null): boolean => section?.article === edit.article
      const ofArticle = affected.filter((effect) => isAbout(effect.before) || isAbout(effect.after))
      return { ...edit, affected: ofArticle.length }
    }),
    affected,
    values: replaced.map(({ fact: _fact, ...value }) => value),
    moved: movedOf(affected),
  }
}

type Side = ReturnType<typeof indexArticles> &
  ReturnType<typeof consultArticles> & { readonly byId: ReadonlyMap<string, Article> }

function editsOf(was: readonly Article[], now: readonly Article[]): Omit<EditedArticle, 'affected'>[] {
  const [old, current] = [was, now].map((all) => new Map(all.map((article) => [article.id, article])))
  const edited = now.filter(({ id, digest }) => (old?.get(id)?.digest ?? digest) !== digest)
  const added = now.filter(({ id }) => old?.has(id) !== true)
  const removed = was.filter(({ id }) => current?.has(id) !== true)
  const named = (kind: EditedArticle['kind'], articles: readonly Article[]) =>
    articles.map(({ id, title }) => ({ kind, article: id, title }))
  return [...named('edited', edited), ...named('added', added), ...named('removed', removed)]
}

interface Asked {
  readonly message: string
  readonly opening: string | undefined
  readonly answer: string
}

interface Sides {
  readonly before: Side
  readonly after: Side
  readonly touched: ReadonlySet<string>
  readonly replaced: readonly Replaced[]
}

function effectOf(
  asked: Asked,
  held: TurnArticles,
  holds: TurnArticles,
  sides: Sides,
): Omit<Affected, 'id' | 'message'> | undefined {
  const effects =
    held.kind === 'gap' && holds.kind === 'gap'
      ? effectsOnGap(asked, held, holds, sides)
      : held.kind === 'answer'
        ? effectsOnAnswer(asked, held, sides)
        : []
  return effects.toSorted((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect))[0]
}

type Effects = Omit<Affected, 'id' | 'message'>[]
type Kind<K> = Extract<TurnArticles, { readonly kind: K }>

/** A gap can only close by an article that the edit touches. */
function effectsOnGap(
  { message, opening }: Asked,
  held: Kind<'gap'>,
  holds: Kind<'gap'>,
  { before, after, touched }: Sides,
): Effects {
  const [was = null, now = null] = [held.nearest[0], holds.nearest[0]]
  if (now === null || !touched.has(now.article)) return []
  const cause = { before: held.cause, after: holds.cause }
  const closes = { effect: 'closes', before: was, after: now, values: [], cause } as const
  const isOther = was?.article !== now.article
  if (cause.after === 'not-used' && (isOther || cause.before !== 'not-used')) return [closes]
  const heldIn = (side: Side): number =>
    new LookUp(side.index, message, { opening }).find(now.article)?.features.held ?? 0
  return isOther || heldIn(after) > heldIn(before) ? [{ ...closes, effect: 'mayClose' }] : []
}

function effectsOnAnswer({ message, opening, answer }: Asked, held: Kind<'answer'>, sides: Sides): Effects {
  const { before, after, touched, replaced } = sides
  const lookWith = (leads: string | undefined) => ({
    was: new LookUp(before.index, message, { opening: leads }),
    now: new LookUp(after.index, message, { opening: leads }),
  })
  const look = lookWith(opening)
  const source = held.source ?? nearestIn(look.was) ?? null
  const effects: Effects = []
  const [old, edited] = [before, after].map(({ byId }) => byId.get(source?.article ?? ''))
  if (source !== null && old !== undefined) {
    const facts = extractFacts(answer)
    const values = replaced
      .filter(
        ({ section, fact }) => section.article === old.id && facts.some((some) => isSameFact(some, fact)),
      )
      .map((value) => ({ old: value.old, now: value.now }))
    const found = { before: source, after: source, values } as const
    if (edited === undefined) effects.push({ ...found, effect: 'lost', after: nearestIn(look.now) ?? null })
    else if (values.length > 0) effects.push({ ...found, effect: 'outdated' })
    else if (isOtherText(source, old, edited) || isOtherSection(old, edited, look)) {
      const isSamePlace = look.was.sectionOf(old).heading === look.now.sectionOf(edited).heading
      const isBeside = isSamePlace && saysWhatStands(answer, old, edited, sides)
      effects.push({ ...found, effect: 'changed', ...(isBeside && { isBeside }) })
    }
    const [fit, fits] = [look.was, look.now].map((some) => some.find(old.id)?.features)
    const change = (fits?.score ?? 0) / (fit?.score ?? 0)
    if (touched.has(old.id) && change < WEAKER) effects.push({ ...found, effect: 'weaker' })
    if (opening === undefined && change < 1 && (fits?.held ?? 1) < BARE)
      effects.push({ ...found, effect: 'fragile' })
  }
  // The desk may look a follow-up up alone.
  for (const { was, now } of opening === undefined ? [look] : [look, lookWith(undefined)]) {
    const next = nearestIn(now)
    if (next === undefined || next.article === source?.article) continue
    const nearest = nearestIn(was)?.article
    const isNearer = touched.has(next.article) && scoreIn(now, next.article) > scoreIn(was, next.article)
    const isOther = nearest !== next.article && (was === look.was || touched.has(nearest ?? ''))
    if (isNearer || isOther) effects.push({ effect: 'moved', before: source, after: next, values: [] })
  }
  return effects
}

/** An article fits a question less if its score is below this share of what it was. */
const WEAKER = 0.9
/** An article that holds less of the question's weight hardly fits: any edit may tip the answer. */
const BARE = 0.25

function nearestIn(look: LookUp): NamedSection | undefined {
  const [found] = look.nearest(1)
  return found && nameSection(found.article, look.sectionOf(found.article))
}

const scoreIn = (look: LookUp, article: string): number => look.find(article)?.features.score ?? 0

function isOtherText({ section }: NamedSection, old: Article, edited: Article): boolean {
  const [before, after] = [old, edited].map(({ sections }) =>
    sections.filter(({ heading }) => heading === section).map(({ text }) => text.trim()),
  )
  return before?.join('\n') !== after?.join('\n')
}

/** The question now leads to another text of the same article. */
const isOtherSection = (
  old: Article,
  edited: Article,
  { was, now }: Record<'was' | 'now', LookUp>,
): boolean => was.sectionOf(old).text.trim() !== now.sectionOf(edited).text.trim()

/** The article still has the sentences or rows that the answer's resemble. */
function saysWhatStands(answer: string, old: Article, edited: Article, { before, after }: Sides): boolean {
  const standing = new Set(after.passages.of(edited).map(({ text }) => text.trim()))
  const passages = before.passages.of(old)
  return readAnswer(answer, before.passages.language).sentences.every((sentence) => {
    const shares = passages.map((passage) => before.passages.sharedBy(passage, sentence))
    const best = Math.max(0, ...shares)
    return best === 0 || standing.has(passages[shares.indexOf(best)]?.text.trim() ?? '')
  })
}

function movedOf(affected: readonly Affected[]): MovedQuestions[] {
  const moved = affected.filter(
    ({ effect, before, after }) =>
      (effect === 'moved' || effect === 'lost') && before !== null && before.article !== after?.article,
  )
  return [...groupBy(moved, ({ before, after }) => `${before?.article}\n${after?.article}`).values()].map(
    ([first, ...others]) => ({
      from: named(first.before),
      to: first.after && named(first.after),
      questions: [first, ...others].map(({ id, message }) => ({ id, message })),
    }),
  )
}

const named = (section: NamedSection | null) => ({
  article: section?.article ?? '',
  title: section?.title ?? '',
})
