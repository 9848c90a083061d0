// The article beside an answer: the section that it likely comes from, or at a gap the three candidates, and
// what an editor decides with them.
import type { JSX } from 'preact'
import { type Candidate, type NamedSection, sectionName, type SectionValue } from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { Acts } from './acts.ts'
import { File, Lists, SectionText } from './article-parts.tsx'
import { Icon } from './icons.tsx'
import type { PageStore } from './store.ts'
import { Anchor, Untrusted } from './text.tsx'

/** The key `a`, and the one primary button: its words say what it does. */
export interface PrimaryAct {
  readonly says: JSX.Element
  readonly act: () => void
}

/** What the article decides about the turn; `candidate`: the index of the one that is open. */
export function primaryActOf(turn: PageTurn, acts: Acts, candidate: number): PrimaryAct | undefined {
  const { articles, change, answer } = turn
  const { decide, expect } = acts
  if (articles?.kind === 'gap') {
    const article = articles.nearest[candidate]
    if (decide === undefined || article === undefined) return undefined
    return { says: <>This article answers it</>, act: () => decide(turn, article.article) }
  }
  const instead = insteadOf(turn)
  if (instead !== undefined && expect !== undefined)
    return {
      says: (
        <>
          The article is right: expect <Untrusted text={instead.text} max={40} />
        </>
      ),
      act: () => expect(turn, { expect_contains: instead.text }),
    }
  const misfit = articles?.misfit ?? null
  if (misfit !== null && decide !== undefined)
    return { says: <>This article should answer it</>, act: () => decide(turn, misfit.article) }
  if (change !== null && answer !== null && change.answer !== answer && expect !== undefined)
    return {
      says: <>Accept the new answer as expected</>,
      act: () => expect(turn, { ...unmetCells(turn), expect_answer: answer }),
    }
  return undefined
}

/** What the accepted answer does not meet is expected no longer: the question would fail again. */
const unmetCells = ({ checks }: PageTurn): Readonly<Record<string, string>> =>
  Object.fromEntries(
    checks
      .filter(({ column, met }) => !met && column.startsWith('expect_'))
      .map(({ column }) => [column, '']),
  )

const insteadOf = ({ articles }: PageTurn): SectionValue | undefined =>
  articles?.kind === 'answer' ? articles.doubtful.flatMap(({ instead }) => instead ?? []).at(0) : undefined

interface Props {
  readonly turn: PageTurn
  readonly acts: Acts
  readonly store: PageStore
  readonly candidate: number
  readonly open: (candidate: number) => void
}

export const CANDIDATE_KEYS = ['f', 'g', 'h'] as const

/** A comparison has no articles beside its answers; nor has an answer that resembles none. */
export const hasSource = ({ articles }: PageTurn): boolean =>
  articles !== null && (articles.kind === 'gap' || articles.source !== null || articles.misfit !== null)

export function Source(props: Props) {
  const { articles } = props.turn
  if (articles === null || !hasSource(props.turn)) return null
  return (
    <aside class="source" aria-label="Article">
      <div class="source-inner">
        {articles.kind === 'gap' ? <Candidates {...props} /> : <SourceOfAnswer {...props} />}
      </div>
    </aside>
  )
}

function SourceOfAnswer({ turn, acts, store }: Props) {
  const { articles } = turn
  if (articles?.kind !== 'answer') return null
  const { source, misfit, doubtful } = articles
  const instead = insteadOf(turn)
  const [first, heading] =
    instead !== undefined
      ? [instead, isSame(instead, source) ? 'Likely source of this answer' : 'What the articles say']
      : misfit !== null
        ? [misfit, 'Nearer to the question']
        : [source, 'Likely source of this answer']
  const values = doubtful.flatMap(({ instead: value }) => (isSame(value, first) ? (value?.text ?? []) : []))
  return (
    <>
      <div class="source-kind">
        <Icon name="article" />
        <span>{heading}</span>
      </div>
      {first === null ? null : <SectionView section={first} store={store} values={values} />}
      <AnswerActs turn={turn} acts={acts} />
      {first === null ? null : <Lists article={first.article} store={store} acts={acts} />}
      {source === null || isSame(source, first) ? null : (
        <>
          <div class="source-kind">
            <span>Likely source of this answer</span>
          </div>
          <SectionView section={source} store={store} values={[]} />
        </>
      )}
    </>
  )
}

/** What an editor decides about an answer, and a button for each fact that is in no article. */
export function AnswerActs({ turn, acts }: Pick<Props, 'turn' | 'acts'>) {
  const primary = primaryActOf(turn, acts, 0)
  const { expect } = acts
  const doubtful = turn.articles?.kind === 'answer' && expect !== undefined ? turn.articles.doubtful : []
  const facts = new Set(
    doubtful.flatMap(({ text, instead, at }) => (instead === null && at === null ? text : [])),
  )
  const misfit = turn.articles?.kind === 'answer' ? turn.articles.misfit : null
  if (primary === undefined && facts.size === 0) return null
  return (
    <div class="acts">
      {primary === undefined ? null : <Primary primary={primary} acts={acts} />}
      {misfit === null ? null : acts.ofTurn?.(turn)}
      {[...facts].map((text) => (
        <button
          type="button"
          class="button"
          disabled={acts.away !== undefined}
          onClick={() => expect?.(turn, { expect_not_contains: text })}
        >
          Must not say <Untrusted text={text} max={40} />
        </button>
      ))}
    </div>
  )
}

const isSame = (some: NamedSection | null, other: NamedSection | null): boolean =>
  some !== null && some.article === other?.article && some.section === other.section

function Candidates({ turn, acts, store, candidate, open }: Props) {
  const { articles } = turn
  if (articles?.kind !== 'gap') return null
  const { nearest } = articles
  const primary = primaryActOf(turn, acts, candidate)
  return (
    <>
      <div class="source-kind">
        <Icon name="article" />
        <span>
          {nearest.length === 0 ? 'No article is near this question' : 'Does one of these answer it?'}
        </span>
      </div>
      {nearest.map((section, index) => (
        <details class="candidate" open={index === candidate} key={`${section.article} ${section.section}`}>
          <summary
            onClick={(event) => {
              event.preventDefault()
              open(index)
            }}
          >
            <b>
              <Untrusted text={sectionName(section)} max={160} />
            </b>
            <kbd>{CANDIDATE_KEYS[index]}</kbd>
            <Icon name="chevron" class="turns" />
            <small>
              <Untrusted text={whyNear(section)} max={160} />
            </small>
          </summary>
          <div>
            <File section={section} />
            <SectionText text={store.textOfSection(section)} values={[]} />
            {index === candidate && primary !== undefined ? (
              <div class="acts">
                <Primary primary={primary} acts={acts} />
              </div>
            ) : null}
          </div>
        </details>
      ))}
      {acts.decide === undefined ? null : (
        <div class="acts">
          <button
            type="button"
            class="button"
            disabled={acts.away !== undefined}
            onClick={() => acts.decide?.(turn, null)}
          >
            {nearest.length === 0 ? 'No article answers it' : 'None of them, nor any other'} <kbd>x</kbd>
          </button>
          {acts.ofTurn?.(turn)}
        </div>
      )}
    </>
  )
}

/** `has “laptop”, “years”; nothing about “new”` */
function whyNear({ has = [], lacks = [] }: Candidate): string {
  const listed = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ')
  const parts = [
    ...(has.length === 0 ? [] : [`has ${listed(has)}`]),
    ...(lacks.length === 0 ? [] : [`nothing about ${listed(lacks)}`]),
  ]
  return parts.join('; ')
}

const Primary = ({ primary, acts }: { readonly primary: PrimaryAct; readonly acts: Acts }) => (
  <button type="button" class="button primary" disabled={acts.away !== undefined} onClick={primary.act}>
    <span>{primary.says}</span> <kbd>a</kbd>
  </button>
)

interface SectionProps {
  readonly section: NamedSection
  readonly store: PageStore
  /** The values of which the sentences are marked. */
  readonly values: readonly string[]
}

const SectionView = ({ section, store, values }: SectionProps) => (
  <>
    <h3>
      <Anchor to={{ article: section.article }}>
        <Untrusted text={sectionName(section)} max={160} />
      </Anchor>
    </h3>
    <File section={section} />
    <SectionText text={store.textOfSection(section)} values={values} />
  </>
)
