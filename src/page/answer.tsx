// One turn of a conversation: question, state in words, answer with its facts marked. The current one alone
// has buttons.
import type { ComponentChildren, JSX, RefObject } from 'preact'
import { type AnswerTurn, articleSays, sectionName, type TurnArticles } from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { plural } from '../domain/format.ts'
import type { Tone } from '../report/document.ts'
import { useDesk } from './acts.ts'
import { Details, Tries } from './details.tsx'
import { Button, Icon, type IconName, Term } from './controls.tsx'
import { changeText, decisionText, gapText, sourceText, unmetText } from './list.ts'
import { Rate, Rated, ReviewedBefore } from './rating.tsx'
import { AnswerActs, hasSource } from './source.tsx'
import { Untrusted } from './text.tsx'
import { Versions } from './versions.tsx'

interface Props {
  readonly turn: PageTurn
  readonly isCurrent: boolean
  readonly choose?: () => void
  /** It holds the current answer. */
  readonly element?: RefObject<HTMLElement | null> | undefined
  readonly note?: RefObject<HTMLTextAreaElement | null> | undefined
}

export function Turn({ turn, isCurrent, choose, element, note }: Props) {
  const { last } = useDesk().acts
  const { answer, outcome, error, articles, change } = turn
  const notSent =
    outcome === 'skipped' ? 'Not sent: an earlier question of its conversation failed.' : 'Not sent.'
  const isDone = isCurrent && last?.turn.id === turn.id && last.turn.repeat === turn.repeat
  return (
    <section
      class="turn"
      tabIndex={-1}
      data-id={turn.id}
      aria-current={isCurrent}
      ref={isCurrent && element !== undefined ? element : null}
      onClick={choose}
    >
      <h2>
        <Untrusted text={turn.message} />
      </h2>
      {change === null || change.edited === null ? null : (
        <p class="quiet">
          Before: <Untrusted text={change.edited.message} />
        </p>
      )}
      <State turn={turn} />
      {change !== null && change.answer !== answer ? (
        <Versions turn={turn} change={change} />
      ) : (
        <p class="turn-text">
          {answer === null ? (
            <Untrusted text={error ?? notSent} />
          ) : (
            <MarkedAnswer text={answer} articles={articles} />
          )}
        </p>
      )}
      <Facts turn={turn} />
      <ReviewedBefore turn={turn} />
      {isCurrent && !hasSource(turn) ? <AnswerActs turn={turn} /> : null}
      {answer === null ? null : isCurrent ? <Rate turn={turn} note={note} /> : <Rated turn={turn} />}
      {isDone ? (
        <p class="line done" role="status">
          <Untrusted class="quiet" text={last.says} max={300} />
          <Button kind="plain" act={last.undo}>
            <Icon name="undo" />
            Undo <kbd>u</kbd>
          </Button>
        </p>
      ) : null}
      {turn.tries === undefined ? null : <Tries tries={turn.tries} />}
      {isCurrent ? <Details turn={turn} /> : null}
    </section>
  )
}

function State({ turn }: { readonly turn: PageTurn }) {
  const { store, acts } = useDesk()
  const { outcome, grounded, articles, change } = turn
  const decided = acts.decisionOn(turn)
  const isGap = grounded === false
  const icon = outcome !== 'answered' ? 'cross' : isGap ? 'gap' : 'check'
  const why = decided ? decisionText(turn, decided, acts) : isGap && articles !== null ? gapText(turn) : ''
  return (
    <p class="line turn-state">
      <Icon name={icon} class={{ cross: 'bad', gap: 'warn', check: 'good' }[icon]} />
      <span>
        <Untrusted text={sourceText(turn)} max={60} />
      </span>
      {change === null ? null : <span class="warn">{changeText(turn, store.contents.changes)}</span>}
      {why === '' ? null : <Untrusted class="quiet" text={why} max={200} />}
      {articles?.kind === 'answer' && articles.misfit === null ? (
        <span class={articles.doubtful.length > 0 ? 'warn' : 'quiet'}>{factsText(articles)}</span>
      ) : null}
      {turn.contextLost ? (
        <span class="warn">
          <Term label="context lost" shown="context lost" />
        </span>
      ) : null}
      {turn.flaky ? (
        <span class="warn">
          <Term label="Flaky questions" shown="flaky" />
        </span>
      ) : null}
    </p>
  )
}

const factsText = ({ checked, doubtful }: AnswerTurn): string => {
  if (doubtful.length > 0) return `${plural(doubtful.length, 'fact')} to check`
  if (checked === 0) return 'no fact to check'
  return `${plural(checked, 'fact')} ${checked === 1 ? 'is' : 'are'} in the articles`
}

/** Facts are marked, those that no article bears out most. */
function MarkedAnswer({ text, articles }: { readonly text: string; readonly articles: TurnArticles | null }) {
  if (text === '') return <Untrusted text="(empty answer)" />
  const { doubtful, held } = articles?.kind === 'answer' ? articles : { doubtful: [], held: [] }
  const facts = [
    ...doubtful.map(({ start, end }) => ({ start, end, name: 'doubt' })),
    ...held.map(([start, end]) => ({ start, end, name: 'held' })),
  ]
  const parts: JSX.Element[] = []
  let shown = 0
  for (const { start, end, name } of facts.sort((a, b) => a.start - b.start)) {
    if (start < shown) continue
    const fact = text.slice(start, end)
    parts.push(
      <Untrusted text={text.slice(shown, start)} />,
      <mark class={name}>
        <Untrusted text={fact.length > MAX_UNBROKEN ? fact : fact.replaceAll(' ', '\u00a0')} />
      </mark>,
    )
    shown = end
  }
  return (
    <>
      {parts}
      <Untrusted text={text.slice(shown)} />
    </>
  )
}

/** A longer fact may stand on two lines. */
const MAX_UNBROKEN = 24

/** A sentence for each thing that is wrong. */
function Facts({ turn: { articles, checks } }: { readonly turn: PageTurn }) {
  const { doubtful, misfit, source } =
    articles?.kind === 'answer' ? articles : { doubtful: [], misfit: null, source: null }
  const unmet = checks.filter(({ met }) => !met)
  if (doubtful.length + unmet.length === 0 && misfit === null) return null
  return (
    <ul class="facts">
      {doubtful.map((fact) => (
        <Fact icon="doubt">
          <Name text={fact.text} />{' '}
          {fact.at === null ? (
            'is in no article.'
          ) : (
            <>
              is in <Name text={sectionName(fact.at)} />, perhaps for another matter.
            </>
          )}{' '}
          {fact.instead === null ? null : <Untrusted text={`${articleSays(fact)}.`} max={200} />}
        </Fact>
      ))}
      {misfit === null ? null : (
        <Fact icon="other">
          The text is from <Name text={source?.title ?? ''} />. The question is nearer to{' '}
          <Name text={misfit.title} />.
        </Fact>
      )}
      {unmet.map((check) => (
        <Fact icon="cross" tone="bad">
          <Untrusted text={unmetText(check)} max={500} />
        </Fact>
      ))}
    </ul>
  )
}

interface FactProps {
  readonly icon: IconName
  readonly tone?: Tone
  readonly children: ComponentChildren
}

const Fact = ({ icon, tone = 'warn', children }: FactProps) => (
  <li class="note">
    <Icon name={icon} class={tone} />
    <span>{children}</span>
  </li>
)

const Name = ({ text }: { readonly text: string }) => (
  <b>
    <Untrusted text={text} max={120} />
  </b>
)
