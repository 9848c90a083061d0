// The organization's articles and their record: what was answered from each, and which gaps it is nearest to.
import { useMemo, useRef, useState } from 'preact/hooks'
import type { ArticleRecord } from '../../domain/articles.ts'
import { digits, plural } from '../../domain/format.ts'
import { fold } from '../../page/store.ts'
import { Anchor, hrefOf, Untrusted } from '../../page/text.tsx'
import { searchFor } from '../../report/document.ts'
import { get, runAddress } from './api.ts'
import { Frame, Problem, Waiting } from './frame.tsx'
import { useData, type ViewProps } from './hooks.ts'

const A_PAGE = 200

/** `filter`: of the conversations that it counts. */
const COUNTS = [
  { field: 'answered', label: 'Answered', filter: ' is:grounded' },
  { field: 'gaps', label: 'Gaps nearest to it', filter: ' is:gap' },
  { field: 'unsupported', label: 'Unsupported facts', filter: ' is:unsupported' },
] as const

type Field = 'title' | (typeof COUNTS)[number]['field']
interface Order {
  readonly field: Field
  readonly isDescending: boolean
}

export function Articles({ session, parameters }: ViewProps) {
  const { data, error } = useData(async () => get('/api/articles'), [])
  const [words, setWords] = useState(parameters.get('find') ?? '')
  const [order, setOrder] = useState<Order>({ field: 'gaps', isDescending: true })
  const [shown, setShown] = useState(A_PAGE)
  const box = useRef<HTMLInputElement>(null)
  const found = useMemo(() => findArticles(data?.articles ?? [], fold(words), order), [data, words, order])
  return (
    <Frame
      session={session}
      title="Articles"
      heading="Articles"
      keys={[{ key: '/', does: 'Filter', press: () => box.current?.focus() }]}
    >
      <Problem error={error} />
      {data === undefined ? (
        error === undefined ? (
          <Waiting />
        ) : null
      ) : data.articles.length === 0 ? (
        <NoArticles />
      ) : (
        <>
          <div class="toolbar">
            <input
              ref={box}
              type="search"
              aria-label="Filter articles"
              placeholder="Filter: title or id"
              value={words}
              onInput={({ currentTarget }) => setWords(currentTarget.value)}
            />
            <span class="muted" role="status">
              {plural(found.length, 'article')}
            </span>
            <RecordOf run={data.run} />
          </div>
          <ArticleTable articles={found.slice(0, shown)} run={data.run} order={order} setOrder={setOrder} />
          {found.length <= shown ? null : (
            <button type="button" class="link" onClick={() => setShown(shown + A_PAGE)}>
              {digits(found.length - shown)} more
            </button>
          )}
        </>
      )}
    </Frame>
  )
}

function findArticles(articles: readonly ArticleRecord[], words: string, { field, isDescending }: Order) {
  const found = articles.filter(({ title, article }) => fold(`${title} ${article}`).includes(words))
  const compare = (a: ArticleRecord, b: ArticleRecord): number =>
    field === 'title' ? a.title.localeCompare(b.title) : a[field] - b[field]
  return found.sort((a, b) => (isDescending ? compare(b, a) : compare(a, b)))
}

const NoArticles = () => (
  <div class="card empty">
    <h2>No articles</h2>
    <p>
      Start the workbench with <code>--articles FOLDER</code>, name <code>articles</code> in{' '}
      <code>assist-harness.yaml</code>, or run a set on the sandbox, which brings its own.
    </p>
    <p>
      <a class="button" href="/new">
        New run
      </a>
    </p>
  </div>
)

const RecordOf = ({ run }: { readonly run: string | null }) => (
  <span class="muted">
    {run === null ? (
      'No run was held against them yet.'
    ) : (
      <>
        Record of{' '}
        <a href={runAddress(run)}>
          <Untrusted text={run} max={120} />
        </a>
      </>
    )}
  </span>
)

interface TableProps {
  readonly articles: readonly ArticleRecord[]
  readonly run: string | null
  readonly order: Order
  readonly setOrder: (order: Order) => void
}

const ArticleTable = ({ articles, run, order, setOrder }: TableProps) => (
  <div class="card">
    <div class="scroll" tabIndex={0} role="region" aria-label="Articles">
      <table>
        <thead>
          <tr>
            {[{ field: 'title', label: 'Article' } as const, ...COUNTS].map(({ field, label }) => (
              <th
                scope="col"
                class={field === 'title' ? '' : 'right'}
                aria-sort={order.field !== field ? 'none' : order.isDescending ? 'descending' : 'ascending'}
              >
                <button
                  type="button"
                  class="sort"
                  onClick={() =>
                    setOrder({
                      field,
                      isDescending: order.field === field ? !order.isDescending : field !== 'title',
                    })
                  }
                >
                  {label}
                  <span aria-hidden="true">
                    {order.field !== field ? '' : order.isDescending ? ' ↓' : ' ↑'}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {articles.map((record) => (
            <tr key={record.article}>
              <th scope="row">
                <Untrusted text={record.title} max={160} />
                <small class="muted">
                  <Untrusted text={record.article} max={120} />
                  {record.url === null ? null : (
                    <>
                      {' '}
                      <Anchor to={{ url: record.url }}>open</Anchor>
                    </>
                  )}
                </small>
              </th>
              {COUNTS.map(({ field, filter }) => (
                <td class="right">
                  <Count
                    count={record[field]}
                    run={run}
                    find={`${searchFor('article', record.article).find}${filter}`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </div>
)

interface CountProps {
  readonly count: number
  readonly run: string | null
  /** In that run. */
  readonly find: string
}

const Count = ({ count, run, find }: CountProps) =>
  run === null || count === 0 ? (
    <span class="muted">{digits(count)}</span>
  ) : (
    <a href={`${runAddress(run)}${hrefOf({ find })}`}>{digits(count)}</a>
  )
