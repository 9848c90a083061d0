// The article beside an answer: the section that it likely comes from, or at a gap the three candidates, and
// what an editor decides with them.
import type { ComponentChildren, JSX } from 'preact'
import {
  type AnswerTurn,
  type Candidate,
  type GapTurn,
  type NamedSection,
  openFacts,
  sectionName,
} from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { type Acts, type Cells, useDesk } from './acts.ts'
import { SectionView } from './article.tsx'
import { Button, Icon } from './controls.tsx'
import { Anchor, Untrusted } from './text.tsx'

/** The key `a`, and the one primary button: its words say what it does. */
interface PrimaryAct {
  readonly says: JSX.Element
  readonly act: () => void
}

/** The `candidate` is the index of the one that is open. */
export function primaryActOf(turn: PageTurn, acts: Acts, candidate: number): PrimaryAct | undefined {
  const { articles, change, answer } = turn
  const { decide, expect } = acts
  if (articles?.kind === 'gap') {
    const article = articles.nearest[candidate]
    if (decide === undefined || article === undefined) return undefined
    return { says: <>This article answers it</>, act: () => decide(turn, article.article) }
  }
  const instead = openFacts(articles, acts.expectedOf(turn)).flatMap((fact) => fact.instead ?? [])[0]
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
const unmetCells = ({ checks }: PageTurn): Cells =>
  Object.fromEntries(
    checks
      .filter(({ column, met }) => !met && column.startsWith('expect_'))
      .map(({ column }) => [column, '']),
  )

interface Props {
  readonly turn: PageTurn
  readonly candidate: number
  readonly open: (candidate: number) => void
}

export const CANDIDATE_KEYS = ['f', 'g', 'h'] as const

/** An answer may resemble no article. */
export const hasSource = ({ articles }: PageTurn): boolean =>
  articles !== null && (articles.kind === 'gap' || articles.source !== null || articles.misfit !== null)

export function Source(props: Props) {
  const { articles } = props.turn
  if (articles === null || !hasSource(props.turn)) return null
  return (
    <aside class="source" aria-label="Article">
      <div class="source-inner">
        {articles.kind === 'gap' ? (
          <Candidates {...props} gap={articles} />
        ) : (
          <SourceOfAnswer turn={props.turn} answer={articles} />
        )}
      </div>
    </aside>
  )
}

/** The section that decides, with what it decides; below it the likely source, where that is another. */
function SourceOfAnswer({ turn, answer }: { readonly turn: PageTurn; readonly answer: AnswerTurn }) {
  const { source, misfit, doubtful } = answer
  const deciding = doubtful.flatMap(({ instead }) => instead ?? [])[0] ?? misfit
  const values = doubtful.flatMap(({ instead }) => (isSame(instead, deciding) ? (instead?.text ?? []) : []))
  const isOther = deciding !== null && !isSame(deciding, source)
  return (
    <>
      {isOther ? (
        <>
          <Kind>{deciding === misfit ? 'Nearer to the question' : 'What the articles say'}</Kind>
          <Titled section={deciding} values={values} />
          <AnswerActs turn={turn} />
        </>
      ) : null}
      {source === null ? null : (
        <>
          <Kind>Likely source of this answer</Kind>
          <Titled section={source} values={isOther ? [] : values} />
        </>
      )}
      {isOther ? null : <AnswerActs turn={turn} />}
    </>
  )
}

const Kind = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="line source-kind">
    <Icon name="article" />
    {children}
  </p>
)

const Titled = (props: Parameters<typeof SectionView>[0]) => (
  <>
    <h3>
      <Anchor to={{ article: props.section.article }}>
        <Untrusted text={sectionName(props.section)} max={160} />
      </Anchor>
    </h3>
    <SectionView {...props} />
  </>
)

export function AnswerActs({ turn }: { readonly turn: PageTurn }) {
  const { acts } = useDesk()
  return (
    <div class="line acts">
      <Primary act={primaryActOf(turn, acts, 0)} />
      {turn.articles?.kind === 'answer' && turn.articles.misfit !== null ? acts.ofTurn?.(turn) : null}
    </div>
  )
}

const isSame = (some: NamedSection | null, other: NamedSection | null): boolean =>
  some !== null && some.article === other?.article && some.section === other.section

interface CandidatesProps extends Props {
  readonly gap: GapTurn
}

function Candidates({ turn, candidate, open, gap: { nearest } }: CandidatesProps) {
  const { acts } = useDesk()
  return (
    <>
      <Kind>
        {nearest.length === 0 ? 'No article is near this question' : 'Does one of these answer it?'}
      </Kind>
      {nearest.map((section, index) => (
        <details class="candidate" open={index === candidate} key={`${section.article} ${section.section}`}>
          <summary
            class="row"
            onClick={(event) => {
              event.preventDefault()
              open(index)
            }}
          >
            <Icon name="chevron" class="turns" />
            <b>
              <Untrusted text={sectionName(section)} max={160} />
            </b>
            <kbd>{CANDIDATE_KEYS[index]}</kbd>
            <small>
              <Untrusted text={whyNear(section)} max={160} />
            </small>
          </summary>
          <div>
            <SectionView section={section} />
            {index === candidate ? (
              <div class="line acts">
                <Primary act={primaryActOf(turn, acts, candidate)} />
              </div>
            ) : null}
          </div>
        </details>
      ))}
      {acts.decide === undefined ? null : (
        <div class="line acts">
          <Button disabled={acts.away !== undefined} act={() => acts.decide?.(turn, null)}>
            {nearest.length === 0 ? 'No article answers it' : 'None of them, nor any other'} <kbd>x</kbd>
          </Button>
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

const Primary = ({ act }: { readonly act: PrimaryAct | undefined }) => {
  const { away } = useDesk().acts
  return act === undefined ? null : (
    <Button kind="primary" disabled={away !== undefined} act={act.act}>
      <span>{act.says}</span> <kbd>a</kbd>
    </Button>
  )
}
