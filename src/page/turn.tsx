// One turn as chat bubbles: question, answer or error, facts, expectations, changes and review.
import type { RefObject } from 'preact'
import { useContext } from 'preact/hooks'
import { RATINGS } from '../domain/review.ts'
import type { Check, PageChange, PageTries, PageTurn } from '../domain/conversations.ts'
import type { PageContents } from './store.ts'
import { duration, plural } from '../domain/format.ts'
import { searchFor } from '../report/document.ts'
import { AbilitiesContext } from './abilities.ts'
import { Anchor, Untrusted } from './text.tsx'
import { Answer, ArticlesOfTurn } from './turn-articles.tsx'
import type { Marks } from './reviews.ts'
import { wordDiff, type DiffPart } from './word-diff.ts'

interface Props {
  readonly turn: PageTurn
  /** Null for an answer that is not rated. */
  readonly marks: Marks | null
  readonly changes: PageContents['changes']
  /** Among answers of which one is current, that one alone is marked and can be rated. */
  readonly choice?: {
    readonly isCurrent: boolean
    readonly choose: () => void
    /** It holds the current answer. */
    readonly element: RefObject<HTMLElement | null>
  }
}

export function TurnView(props: Props) {
  const { turn, marks, choice } = props
  const { id, message, answer, outcome, error, passed, grounded, checks, change, articles } = turn
  const { ofTurn } = useContext(AbilitiesContext)
  const tone = passed === false || error !== null ? 'bad' : grounded === true ? '' : 'warn'
  return (
    <article
      class="turn"
      tabIndex={-1}
      data-id={id}
      aria-current={choice?.isCurrent}
      ref={choice?.isCurrent === true ? choice.element : null}
      onClick={choice?.choose}
    >
      <div class="bubble ask">
        <Untrusted text={message} />
      </div>
      <div class={`bubble answer ${tone}`}>
        {answer !== null ? (
          <Answer text={answer} articles={articles} />
        ) : (
          <>
            <b>{outcomeText(outcome)}</b>{' '}
            {outcome === 'skipped' ? 'after a failure in its conversation' : <Untrusted text={error ?? ''} />}
          </>
        )}
      </div>
      <p class="meta muted">
        <Facts turn={turn} />
      </p>
      <ArticlesOfTurn turn={turn} />
      {checks.length === 0 ? null : <Checks checks={checks} />}
      {turn.tries === undefined ? null : <Tries tries={turn.tries} />}
      {change === null ? null : <ChangeView {...props} change={change} />}
      {marks === null ? null : (
        <>
          <ReviewedBefore turn={turn} marks={marks} />
          {answer === null ? null : (
            <Review turn={turn} marks={marks} isEditable={choice?.isCurrent !== false} />
          )}
        </>
      )}
      {ofTurn?.(turn)}
    </article>
  )
}

function Facts({ turn }: { readonly turn: PageTurn }) {
  const { id, repeat, source, status, grounded, latencyMs, waitMs, attempts, rateLimited } = turn
  const cells = Object.entries(turn.cells).filter(([, cell]) => cell !== '')
  return (
    <>
      {source === null ? null : (
        <span class={grounded === true ? 'good' : 'warn'}>
          {grounded === true ? '✓ ' : ''}
          <Untrusted text={source} max={60} />
        </span>
      )}
      {turn.article === null ? null : <Untrusted text={turn.article} max={120} />}
      {status === null || status === 'success' ? null : (
        <span class="warn">
          status <Untrusted text={status} max={60} />
        </span>
      )}
      {turn.contextLost ? <span class="warn">context lost</span> : null}
      {turn.flaky ? <span class="warn">flaky</span> : null}
      {turn.mustPass ? <span>must pass</span> : null}
      {latencyMs === null ? null : <span>{duration(latencyMs)}</span>}
      {waitMs === null || waitMs < 1 ? null : <span>waited {duration(waitMs)}</span>}
      {attempts < 2 ? null : <span>{plural(attempts, 'attempt')}</span>}
      {rateLimited === 0 ? null : <span>{rateLimited} × 429</span>}
      {repeat === 1 ? null : <span>repeat {repeat}</span>}
      {turn.tags.map((tag) => (
        <Anchor to={searchFor('tag', tag)}>
          <Untrusted text={tag} max={40} />
        </Anchor>
      ))}
      {cells.map(([column, cell]) => (
        <span>
          <Untrusted text={`${column}: ${cell}`} max={80} />
        </span>
      ))}
      <Anchor to={{ question: id, repeat }}>
        # <Untrusted text={id} max={40} />
      </Anchor>
    </>
  )
}

const Checks = ({ checks }: { readonly checks: readonly Check[] }) => (
  <ul class="checks">
    {checks.map(({ column, expected, met, found }) => (
      <li class={met ? 'good' : 'bad'}>
        <span aria-hidden="true">{met ? '✓' : '✗'}</span>{' '}
        <span class="visually-hidden">{met ? 'met' : 'not met'}</span>
        <code>{column}</code> <Untrusted text={expected} max={500} />
        {found === null ? null : (
          <small>
            {' '}
            <Untrusted text={found} max={500} />
          </small>
        )}
      </li>
    ))}
  </ul>
)

const Tries = ({ tries }: { readonly tries: PageTries }) => (
  <details>
    <summary>
      Sent again: {tries.confirmed ? <b class="bad">confirmed</b> : <b class="warn">flaky</b>}
      {tries.failed > 0 ? `, failed ${tries.failed}` : `, not grounded ${tries.ungrounded}`} of{' '}
      {tries.answers}
    </summary>
    {tries.others.map((other) => (
      <p class="diff">
        <span class="muted">
          {other.isFirst ? 'First answer' : 'Another answer'} (<SourceOrOutcome of={other} />
          ):
        </span>{' '}
        <Untrusted text={other.answer ?? ''} />
      </p>
    ))}
  </details>
)

const SourceOrOutcome = ({ of: sent }: { readonly of: PageChange | PageTries['others'][0] }) =>
  sent.source === null ? <>{outcomeText(sent.outcome)}</> : <Untrusted text={sent.source} max={60} />

const outcomeText = (outcome: PageTurn['outcome']): string => (outcome ?? 'not sent').replaceAll('_', ' ')

function ChangeView({ turn: { answer }, changes, change }: Props & { readonly change: PageChange }) {
  const { kinds, edited, answer: before, factsLost, factsGained } = change
  const shown = changes.filter(({ name }) => kinds.includes(name))
  const parts = wordDiff(before ?? '', answer ?? '')
  const isOther = !parts.some(({ kind }) => kind === 'same')
  return (
    <div class="change-view">
      <p class="facts">
        {shown.map(({ name, label, tone }) => (
          <Anchor to={{ find: `change:${name}` }} class={`chip ${tone}`}>
            {label}
          </Anchor>
        ))}
        {edited?.changes.map((label) => (
          <span class="chip">{label}</span>
        ))}
        <span class="muted">
          before: <SourceOrOutcome of={change} />
        </span>
      </p>
      {edited === null ? null : (
        <p class="diff">
          <span class="muted">Baseline's question: </span>
          <Untrusted text={edited.message} />
        </p>
      )}
      {factsLost.length + factsGained.length === 0 ? null : (
        <p class="facts">
          {factsLost.map((fact) => (
            <del>
              <Untrusted text={fact} max={80} />
            </del>
          ))}
          {factsGained.map((fact) => (
            <ins>
              <Untrusted text={fact} max={80} />
            </ins>
          ))}
        </p>
      )}
      {before === null || before === answer ? null : (
        <details open>
          <summary>Baseline's answer{isOther ? '' : ', with the differences'}</summary>
          <p class="diff">
            {isOther ? <Untrusted text={before || '(empty answer)'} /> : parts.map(partView)}
          </p>
        </details>
      )}
    </div>
  )
}

function partView({ kind, text }: DiffPart) {
  const shown = <Untrusted text={text} />
  if (kind === 'added') return <ins>{shown}</ins>
  return kind === 'removed' ? <del>{shown}</del> : shown
}

interface ReviewProps {
  readonly turn: PageTurn
  readonly marks: Marks
}

/** It is shown until the answer is rated here. */
function ReviewedBefore({ turn, marks }: ReviewProps) {
  const { reviewedBefore: review, change } = turn
  if (review === null || marks.of(turn).word !== null) return null
  const summary = (
    <>
      <b class="warn">Needs review</b>: the answer changed since it was rated {review.word}{' '}
      <Untrusted text={review.note && `(${review.note})`} max={300} />
    </>
  )
  // The change may show the same answer.
  if (review.answer === '' || review.answer === change?.answer) return <p>{summary}</p>
  return (
    <details open>
      <summary>{summary}</summary>
      <p class="diff">
        <Untrusted text={review.answer} />
      </p>
    </details>
  )
}

function Review({ turn, marks, isEditable }: ReviewProps & { readonly isEditable: boolean }) {
  const { word, note, fault } = marks.of(turn)
  return (
    <>
      {isEditable ? (
        <ReviewForm turn={turn} marks={marks} />
      ) : word === null && note === '' ? null : (
        <p class="muted">
          {word === null ? 'Note' : `Rated ${word}`}
          {note === '' ? null : (
            <>
              : <Untrusted text={note} />
            </>
          )}
        </p>
      )}
      {fault === undefined ? null : (
        <p class="bad" role="alert">
          Not saved: <Untrusted text={fault} max={300} />
        </p>
      )}
    </>
  )
}

function ReviewForm({ turn, marks }: ReviewProps) {
  const { word, note } = marks.of(turn)
  /** Leaving the field saves its note. */
  const onNoteKey = (event: KeyboardEvent): void => {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.isComposing) return
    event.preventDefault()
    const { currentTarget: field } = event
    if (field instanceof HTMLElement) field.closest<HTMLElement>('.turn')?.focus()
  }
  return (
    <div class="review">
      {/* Enter that is held on a button would click it again and again. */}
      <div
        role="group"
        aria-label="Rate this answer"
        onKeyDown={(event) => event.repeat && event.preventDefault()}
      >
        {RATINGS.map((rating, index) => (
          <button
            type="button"
            aria-pressed={word === rating}
            title={`Key ${index + 1}`}
            onClick={() => marks.set(turn, { word: word === rating ? null : rating, note })}
          >
            {rating}
          </button>
        ))}
      </div>
      {/* A rating that is saved or drawn meanwhile leaves what is being typed. */}
      <input
        aria-label="Note on this answer"
        placeholder="Note"
        defaultValue={note}
        onKeyDown={onNoteKey}
        onChange={(event) => marks.set(turn, { word, note: event.currentTarget.value })}
      />
    </div>
  )
}
