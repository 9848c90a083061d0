// What the articles say of a turn: the cause of a gap and the nearest articles, or the likely source of an
// answer and its facts that no article bears out.
import type { JSX } from 'preact'
import { useContext } from 'preact/hooks'
import {
  type AnswerTurn,
  CAUSE_LABELS,
  type DoubtfulFact,
  type GapTurn,
  type NamedSection,
  sectionName,
  type TurnArticles,
} from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { plural } from '../domain/format.ts'
import { searchFor } from '../report/document.ts'
import { AbilitiesContext } from './abilities.ts'
import { Anchor, Untrusted } from './text.tsx'

interface AnswerProps {
  readonly text: string
  readonly articles: TurnArticles | null
}

/** Doubtful facts of the answer are marked. */
export function Answer({ text, articles }: AnswerProps) {
  if (text === '') return <Untrusted text="(empty answer)" />
  const doubtful = articles?.kind === 'answer' ? articles.doubtful : []
  const parts: JSX.Element[] = []
  let shown = 0
  for (const { start, end, kind } of doubtful.toSorted((a, b) => a.start - b.start)) {
    if (start < shown) continue
    parts.push(
      <Untrusted text={text.slice(shown, start)} />,
      <mark title={kind === 'elsewhere' ? 'Stands in another article only' : 'Not in the articles'}>
        <Untrusted text={text.slice(start, end)} />
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

export function ArticlesOfTurn({ turn }: { readonly turn: PageTurn }) {
  const { articles } = turn
  if (articles === null) return null
  return articles.kind === 'gap' ? <GapView gap={articles} /> : <SourceView turn={turn} answer={articles} />
}

const GapView = ({ gap: { cause, because, nearest } }: { readonly gap: GapTurn }) => (
  <div class="articles">
    <p>
      <Anchor to={{ find: `cause:${cause}` }} class={`chip ${cause === 'unclear' ? '' : 'warn'}`}>
        {CAUSE_LABELS[cause]}
      </Anchor>{' '}
      <Untrusted text={because} max={400} />
    </p>
    {nearest.length === 0 ? null : (
      <ol>
        {nearest.map((article) => (
          <li>
            <Named article={article} />
          </li>
        ))}
      </ol>
    )}
  </div>
)

function SourceView({ turn, answer }: { readonly turn: PageTurn; readonly answer: AnswerTurn }) {
  const { source, misfit, checked, doubtful } = answer
  const { ofFact } = useContext(AbilitiesContext)
  return (
    <div class="articles">
      <p>
        {source === null ? (
          <span class="muted">No article resembles this answer</span>
        ) : (
          <>
            <span class="muted">Likely from</span> <Named article={source} />
          </>
        )}
        <span class="muted">
          {' · '}
          {checked === 0 ? 'facts not checked' : `${plural(checked, 'fact')} checked`}
        </span>
      </p>
      {misfit === null ? null : (
        <p>
          <Anchor to={{ find: 'is:misfit' }} class="chip warn">
            other article
          </Anchor>{' '}
          The question is nearer to <Named article={misfit} />
        </p>
      )}
      {doubtful.length === 0 ? null : (
        <ul>
          {doubtful.map((fact) => (
            <li class="warn">
              <Untrusted text={fact.text} max={120} /> <Doubt fact={fact} /> {ofFact?.(turn, fact)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Doubt({ fact: { instead, at } }: { readonly fact: DoubtfulFact }) {
  if (instead !== null)
    return (
      <>
        but <Untrusted text={instead.text} max={120} /> in <Named article={instead} />
      </>
    )
  return at === null ? (
    <>stands in no article</>
  ) : (
    <>
      stands only in <Named article={at} />
    </>
  )
}

/** Leads to the other conversations about an article; where it has an address, to the article itself. */
const Named = ({ article }: { readonly article: NamedSection }) => (
  <>
    <Anchor to={searchFor('article', article.article)}>
      <Untrusted text={sectionName(article)} max={160} />
    </Anchor>
    {article.url === null ? null : (
      <>
        {' '}
        <Anchor to={{ url: article.url }}>open</Anchor>
      </>
    )}
  </>
)
