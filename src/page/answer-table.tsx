// All answers of a filter at once: the second look at the list.
import { useLayoutEffect, useState } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import { digits } from '../domain/format.ts'
import { useDesk } from './acts.ts'
import { Icon } from './controls.tsx'
import { sourceText, stateIcon, troubleText } from './list.ts'
import { answerHref } from './route.ts'
import type { Found } from './store.ts'
import { A_PAGE, ShowMore } from './table.tsx'
import { Anchor, Untrusted } from './text.tsx'

interface Props {
  readonly query: string
  readonly found: readonly Found[]
}

export function AnswerTable({ query, found }: Props) {
  const [limit, setLimit] = useState(A_PAGE)
  useLayoutEffect(() => setLimit(A_PAGE), [query])
  const turns = found.flatMap((conversation) => conversation.turns)
  return (
    <div class="answer-table">
      <div class="scroll" tabIndex={0}>
        <table class="two-line-rows" aria-label={`${digits(turns.length)} answers`}>
          <thead>
            <tr>
              {['Question', 'State', 'Answer', 'Article', 'Rating'].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {turns.slice(0, limit).map((turn) => (
              <Row key={`${turn.id} ${turn.repeat}`} turn={turn} query={query} />
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore count={turns.length - limit} show={() => setLimit(limit + A_PAGE)} />
    </div>
  )
}

function Row({ turn, query }: { readonly turn: PageTurn; readonly query: string }) {
  const { acts } = useDesk()
  const { message, answer, error, articles } = turn
  const [icon, tone] = stateIcon(turn, acts)
  const decided = acts.decisionOn(turn)
  const article =
    articles?.kind === 'gap'
      ? articles.nearest.find((near) => decided === undefined || near.article === decided.article)
      : articles?.source
  return (
    <tr>
      <th scope="row" class="name">
        <a href={answerHref(query, turn)}>
          <Untrusted text={message} max={300} />
        </a>
      </th>
      <td>
        <Icon name={icon} class={tone} /> <Untrusted text={sourceText(turn)} max={60} />
        <small>
          <Untrusted text={troubleText(turn, acts)} max={160} />
        </small>
      </td>
      <td>
        <Untrusted class="two-lines" text={answer ?? error ?? ''} max={300} />
      </td>
      <td>
        {article === undefined || article === null ? null : (
          <Anchor to={{ article: article.article }}>
            <Untrusted text={article.title} max={80} />
          </Anchor>
        )}
      </td>
      <td>{acts.markOf(turn).word}</td>
    </tr>
  )
}
