// One turn of a conversation: question, state in words, answer with its facts marked, what a person did, and
// the raw values folded away. The current one alone has buttons.
import type { JSX, RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { type AnswerTurn, articleSays, type TurnArticles } from '../domain/articles.ts'
import type { PageTries, PageTurn } from '../domain/conversations.ts'
import { duration, plural } from '../domain/format.ts'
import { type Rating, RATINGS } from '../domain/review.ts'
import { searchFor } from '../report/document.ts'
import type { Acts } from './acts.ts'
import { Term } from './hints.tsx'
import { Icon } from './icons.tsx'
import { isComposing } from './keyboard.ts'
import { changeText, decisionText, gapText } from './list.ts'
import type { PageContents } from './store.ts'
import { Anchor, Untrusted } from './text.tsx'
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
      {answer === null ? null : isCurrent ? (
        <Rate turn={turn} acts={acts} note={note} />
      ) : (
        <Rated turn={turn} acts={acts} />
      )}
      {isCurrent && acts.last?.turn.id === turn.id ? (
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
  if (doubtful.length > 0) return `${plural(doubtful.length, 'fact')} no article has`
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
            {fact.kind === 'unsupported' ? 'is in no article. ' : 'is elsewhere: '}
            <Untrusted text={articleSays(fact)} max={200} />
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
      {unmet.map(({ column, expected, found }) => (
        <li>
          <Icon name="cross" class="bad" />
          <span>
            <Untrusted text={found ?? `${column}: ${expected}`} max={500} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function ReviewedBefore({ turn, acts }: Pick<Props, 'turn' | 'acts'>) {
  const { reviewedBefore: review, change } = turn
  if (review === null || acts.marks.of(turn).word !== null) return null
  const says = (
    <>
      <b class="warn">Needs review</b>: the answer changed since it was rated {review.word}{' '}
      <Untrusted text={review.note && `(${review.note})`} max={300} />
    </>
  )
  // The change may show the same answer.
  if (review.answer === '' || review.answer === change?.answer) return <p class="done">{says}</p>
  return (
    <details class="details" open>
      <summary>
        <Icon name="chevron" class="turns" />
        <span>{says}</span>
      </summary>
      <p class="turn-text quiet">
        <Untrusted text={review.answer} />
      </p>
    </details>
  )
}

const Rated = ({ turn, acts }: Pick<Props, 'turn' | 'acts'>) => {
  const { word, note } = acts.marks.of(turn)
  if (word === null && note === '') return null
  return (
    <p class="done quiet">
      {word === null ? 'Note' : `Rated ${word}`}
      {note === '' ? null : (
        <>
          {': '}
          <Untrusted text={note} />
        </>
      )}
    </p>
  )
}

function Rate({ turn, acts, note: field }: Pick<Props, 'turn' | 'acts' | 'note'>) {
  const { word, note, fault } = acts.marks.of(turn)
  const [isOpen, setIsOpen] = useState(note !== '')
  const rate = (rating: Rating): void => acts.marks.set(turn, { word: word === rating ? null : rating, note })
  /** Leaving the field saves its note. */
  const onNoteKey = (event: KeyboardEvent): void => {
    if ((event.key !== 'Enter' || event.shiftKey) && event.key !== 'Escape') return
    if (isComposing(event)) return
    event.preventDefault()
    field?.current?.closest<HTMLElement>('.turn')?.focus()
  }
  return (
    <>
      <div class="acts">
        {/* Enter that is held on a button would click it again and again. */}
        <div
          class="segments"
          role="group"
          aria-label="Rate this answer"
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {RATINGS.map((rating, index) => (
            <button
              type="button"
              class="button"
              aria-pressed={word === rating}
              disabled={acts.away !== undefined}
              onClick={() => rate(rating)}
            >
              {rating} <kbd>{index + 1}</kbd>
            </button>
          ))}
        </div>
        <button
          type="button"
          class="button note-button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="note" />
          <span>Note</span> <kbd>e</kbd>
        </button>
        {acts.away === undefined ? null : <span class="quiet">{acts.away}</span>}
      </div>
      {/* It is there for the key, also while it is closed. A rating that is saved leaves what is typed. */}
      <label class={`note-text field ${isOpen ? '' : 'off-screen'}`}>
        <span>Note</span>
        <textarea
          ref={field ?? null}
          class="input"
          rows={2}
          tabIndex={isOpen ? 0 : -1}
          defaultValue={note}
          onFocus={() => setIsOpen(true)}
          onKeyDown={onNoteKey}
          onChange={({ currentTarget }) => acts.marks.set(turn, { word, note: currentTarget.value })}
        />
      </label>
      {fault === undefined ? null : (
        <p class="bad" role="alert">
          Not saved: <Untrusted text={fault} max={300} />
        </p>
      )}
    </>
  )
}

const Tries = ({ tries }: { readonly tries: PageTries }) => (
  <details class="details">
    <summary>
      <Icon name="chevron" class="turns" />
      <span>
        Sent again: {tries.confirmed ? <b class="bad">confirmed</b> : <b class="warn">flaky</b>}
        {tries.failed > 0 ? `, failed ${tries.failed}` : `, not grounded ${tries.ungrounded}`} of{' '}
        {tries.answers}
      </span>
    </summary>
    {tries.others.map((other) => (
      <p class="turn-text">
        <span class="quiet">
          {other.isFirst ? 'First answer' : 'Another answer'} (
          <Untrusted text={sourceText(other)} max={60} />
          ):{' '}
        </span>
        <Untrusted text={other.answer ?? ''} />
      </p>
    ))}
  </details>
)

function Details({ turn }: { readonly turn: PageTurn }) {
  const { id, repeat, source, status, latencyMs, waitMs, attempts, rateLimited, tags, checks } = turn
  const cells = Object.entries(turn.cells).filter(
    ([column, cell]) => cell !== '' && !column.startsWith('expect_'),
  )
  const rows: (readonly [string, JSX.Element | string])[] = [
    ...(source === null ? [] : [['Raw source', <Untrusted text={source} max={60} />] as const]),
    ...(status === null || status === 'success' ? [] : [['Status', <Untrusted text={status} />] as const]),
    ...(latencyMs === null ? [] : [['Time', timeText(latencyMs, waitMs)] as const]),
    ...(attempts < 2 ? [] : [['Sent', `${attempts} times, ${rateLimited} refused with 429`] as const]),
    ...(tags.length === 0 ? [] : [['Tags', <Tags tags={tags} />] as const]),
    ...(turn.mustPass ? [['Must pass', 'yes'] as const] : []),
    ...checks.map(
      ({ column, expected, met }) =>
        [column, <Untrusted text={`${expected} ${met ? '✓' : '✗'}`} max={500} />] as const,
    ),
    ...cells.map(([column, cell]) => [column, <Untrusted text={cell} max={200} />] as const),
    ...(turn.article === null ? [] : [['Sandbox', <Untrusted text={turn.article} max={120} />] as const]),
    ...(repeat === 1 ? [] : [['Repeat', String(repeat)] as const]),
  ]
  return (
    <details class="details">
      <summary>
        <Icon name="chevron" class="turns" />
        Details
      </summary>
      <dl>
        {rows.map(([name, value]) => (
          <>
            <dt>
              <Untrusted text={name} max={60} />
            </dt>
            <dd>{value}</dd>
          </>
        ))}
        <dt>Question</dt>
        <dd>
          <Anchor to={{ question: id, repeat }}>
            <Untrusted text={id} max={60} />
          </Anchor>
        </dd>
      </dl>
    </details>
  )
}

const timeText = (latencyMs: number, waitMs: number | null): string =>
  waitMs === null || waitMs < 1
    ? duration(latencyMs)
    : `${duration(latencyMs)}, after ${duration(waitMs)} of waiting for the limit`

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <>
    {tags.map((tag, index) => (
      <>
        {index === 0 ? '' : ', '}
        <Anchor to={searchFor('tag', tag)}>
          <Untrusted text={tag} max={40} />
        </Anchor>
      </>
    ))}
  </>
)
