// One turn of a conversation: question, state in words, answer with its facts marked. The current one alone has
// buttons.
import type { JSX, RefObject } from 'preact'
import { type AnswerTurn, articleSays, type TurnArticles } from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { plural } from '../domain/format.ts'
import type { Acts } from './acts.ts'
import { Details, Tries } from './details.tsx'
import { Term } from './hints.tsx'
import { Icon } from './icons.tsx'
import { changeText, decisionText, gapText, unmetText } from './list.ts'
import { Rate, Rated, ReviewedBefore } from './rating.tsx'
import { AnswerActs, hasSource } from './source.tsx'
import type { PageContents } from './store.ts'
import { Untrusted } from './text.tsx'
import { Versions } from './versions.tsx'
import { sourceText } from './words.ts'

interface Props {
  readonly turn: PageTurn
  readonly acts: Acts
  readonly changes: PageContents['changes']
  readonly isCurrent: boolean
  readonly choose?: () => void
  /** It holds the current answer. */
  readonly element?: RefObject<HTMLElement | null> | undefined
  readonly note?: RefObject<HTMLTextAreaElement | null> | undefined
}

export function Turn({ turn, acts, changes, isCurrent, choose, element, note }: Props) {
  const { answer, outcome, error, articles, change } = turn
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
      <State turn={turn} acts={acts} changes={changes} />
      {change !== null && change.answer !== answer ? (
        <Versions turn={turn} change={change} />
      ) : answer !== null ? (
        <p class="turn-text">
          <MarkedAnswer text={answer} articles={articles} />
        </p>
      ) : (
        <p class="turn-text">
          {outcome === 'skipped' ? (
            'Not sent: an earlier question of its conversation failed.'
          ) : (
            <Untrusted text={error ?? 'Not sent.'} />
          )}
        </p>
      )}
      <Facts turn={turn} />
      <ReviewedBefore turn={turn} acts={acts} />
      {isCurrent && !hasSource(turn) ? <AnswerActs turn={turn} acts={acts} /> : null}
      {answer === null ? null : isCurrent ? (
        <Rate turn={turn} acts={acts} note={note} />
      ) : (
        <Rated turn={turn} acts={acts} />
      )}
      {isCurrent && acts.last?.turn.id === turn.id && acts.last.turn.repeat === turn.repeat ? (
        <p class="done">
          <span class="quiet">{acts.last.says}</span>
          <button type="button" class="button plain" onClick={acts.last.undo}>
            <Icon name="undo" />
            Undo <kbd>u</kbd>
          </button>
        </p>
      ) : null}
      {turn.tries === undefined ? null : <Tries tries={turn.tries} />}
      {isCurrent ? <Details turn={turn} /> : null}
    </section>
  )
}

function State({ turn, acts, changes }: Pick<Props, 'turn' | 'acts' | 'changes'>) {
  const { outcome, grounded, articles, change } = turn
  const decided = acts.decisionOn(turn)
  const isError = outcome !== 'answered'
  const checked = articles?.kind === 'answer' ? articles : undefined
  return (
    <p class="turn-state">
      <Icon
        name={isError ? 'cross' : grounded === false ? 'gap' : 'check'}
        class={isError ? 'bad' : grounded === false ? 'warn' : 'good'}
      />
      <span>
        <Untrusted text={sourceText(turn)} max={60} />
      </span>
      {change === null ? null : <span class="warn">{changeText(turn, changes)}</span>}
      {grounded === false && decided === undefined && articles !== null ? (
        <span class="quiet">
          <Untrusted text={gapText(turn)} max={160} />
        </span>
      ) : null}
      {decided === undefined ? null : (
        <span class="quiet">
          <Untrusted text={decisionText(turn, decided)} max={200} />
        </span>
      )}
      {checked === undefined || checked.misfit !== null ? null : (
        <span class={checked.doubtful.length > 0 ? 'warn' : 'quiet'}>{factsText(checked)}</span>
      )}
      {turn.contextLost ? <Hinted label="context lost" turn={turn} /> : null}
      {turn.flaky ? <Hinted label="flaky" turn={turn} /> : null}
    </p>
  )
}

const Hinted = ({ label, turn: { turn, repeat } }: { readonly label: string; readonly turn: PageTurn }) => (
  <span class="warn">
    <Term label={label} shown={label} id={`${turn} ${repeat}`} />
  </span>
)

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
  const doubtful = articles?.kind === 'answer' ? articles.doubtful : []
  const misfit = articles?.kind === 'answer' ? articles.misfit : null
  const unmet = checks.filter(({ met }) => !met)
  if (doubtful.length + unmet.length === 0 && misfit === null) return null
  return (
    <ul class="facts">
      {doubtful.map((fact) => (
        <li>
          <Icon name="doubt" class="warn" />
          <span>
            <b>
              <Untrusted text={fact.text} max={120} />
            </b>{' '}
            {fact.at === null ? (
              'is in no article.'
            ) : (
              <>
                is in{' '}
                <b>
                  <Untrusted text={fact.at.title} max={120} />
                </b>
                , perhaps for another matter.
              </>
            )}{' '}
            {fact.instead === null ? null : <Untrusted text={`${articleSays(fact)}.`} max={200} />}
          </span>
        </li>
      ))}
      {misfit === null || articles?.kind !== 'answer' ? null : (
        <li>
          <Icon name="other" class="warn" />
          <span>
            The text is from{' '}
            <b>
              <Untrusted text={articles.source?.title ?? ''} max={120} />
            </b>
            . The question is nearer to{' '}
            <b>
              <Untrusted text={misfit.title} max={120} />
            </b>
            .
          </span>
        </li>
      )}
      {unmet.map((check) => (
        <li>
          <Icon name="cross" class="bad" />
          <span>
            <Untrusted text={unmetText(check)} max={500} />
          </span>
        </li>
      ))}
    </ul>
  )
}
