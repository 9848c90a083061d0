// What is folded below an answer: its raw values, and the answers when it was sent again.
import type { ComponentChildren } from 'preact'
import type { PageTries, PageTurn } from '../domain/conversations.ts'
import { duration } from '../domain/format.ts'
import { type Link, searchFor } from '../report/document.ts'
import { Icon } from './controls.tsx'
import { sourceText } from './list.ts'
import { Anchor, Untrusted } from './text.tsx'

interface FoldedProps {
  readonly says: ComponentChildren
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

export const Folded = ({ says, isOpen = false, children }: FoldedProps) => (
  <details class="details" open={isOpen}>
    <summary class="line">
      <Icon name="chevron" class="turns" />
      <span>{says}</span>
    </summary>
    {children}
  </details>
)

export function Tries({ tries }: { readonly tries: PageTries }) {
  const { confirmed, failed, ungrounded, answers, others } = tries
  const kind = failed > 0 ? `failed ${failed}` : `not grounded ${ungrounded}`
  const says = (
    <>
      Sent again: {confirmed ? <b class="bad">confirmed</b> : <b class="warn">flaky</b>}, {kind} of {answers}
    </>
  )
  return (
    <Folded says={says}>
      {others.map((other) => (
        <p class="turn-text">
          <span class="quiet">
            {other.isFirst ? 'First answer' : 'Another answer'} (
            <Untrusted text={sourceText(other)} max={60} />
            ):{' '}
          </span>
          <Untrusted text={other.answer ?? ''} />
        </p>
      ))}
    </Folded>
  )
}

export function Details({ turn }: { readonly turn: PageTurn }) {
  const { id, repeat, source, status, latencyMs, waitMs, attempts, rateLimited, tags, checks } = turn
  const waited = (waitMs ?? 0) < 1 ? '' : `, after ${duration(waitMs ?? 0)} of waiting for the limit`
  const rows: (readonly [name: string, text: string, link?: Link])[] = [
    ['Raw source', source ?? ''],
    ['Status', status === null || status === 'success' ? '' : status],
    ['Time', latencyMs === null ? '' : `${duration(latencyMs)}${waited}`],
    ['Sent', attempts < 2 ? '' : `${attempts} times, ${rateLimited} refused with 429`],
    ...tags.map((tag) => ['Tag', tag, searchFor('tag', tag)] as const),
    ['Must pass', turn.mustPass ? 'yes' : ''],
    ...checks.map(({ column, expected, met }) => [column, `${expected} ${met ? '✓' : '✗'}`] as const),
    ...Object.entries(turn.cells).filter(([column]) => !column.startsWith('expect_')),
    ['Sandbox', turn.article ?? ''],
    ['Repeat', repeat === 1 ? '' : String(repeat)],
    ['Question', id, { question: id, repeat }],
  ]
  return (
    <Folded says="Details">
      <dl>
        {rows
          .filter(([, text]) => text !== '')
          .map(([name, text, link]) => (
            <>
              <dt>
                <Untrusted text={name} max={60} />
              </dt>
              <dd>
                <Anchor to={link}>
                  <Untrusted text={text} max={500} />
                </Anchor>
              </dd>
            </>
          ))}
      </dl>
    </Folded>
  )
}
