// What is folded below an answer: its raw values, and the answers when it was sent again.
import type { JSX } from 'preact'
import type { PageTries, PageTurn } from '../domain/conversations.ts'
import { duration } from '../domain/format.ts'
import { searchFor } from '../report/document.ts'
import { Icon } from './icons.tsx'
import { Anchor, Untrusted } from './text.tsx'
import { sourceText } from './words.ts'

export const Tries = ({ tries }: { readonly tries: PageTries }) => (
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

export function Details({ turn }: { readonly turn: PageTurn }) {
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
