// The organization's articles and their record: the tab of the last run that was held against them.
import { useEffect } from 'preact/hooks'
import { hrefOf } from '../../page/text.tsx'
import { searchFor } from '../../report/document.ts'
import { get, runAddress } from './api.ts'
import { Frame, Problem, Waiting } from './frame.tsx'
import { useData, type ViewProps } from './hooks.ts'

/** `?find=ID` leads to the conversations of an article. */
export function Articles({ session, parameters }: ViewProps) {
  const { data, error } = useData(async () => get('/api/articles'), [])
  const id = parameters.get('find')
  useEffect(() => {
    if (data === undefined || data.run === null) return
    const tab = id === null ? hrefOf({ section: 'articles' }) : hrefOf(searchFor('article', id))
    location.replace(`${runAddress(data.run)}${tab}`)
  }, [data])
  return (
    <Frame session={session} title="Articles" heading="Articles" keys={[]}>
      <Problem error={error} />
      {data?.run === null ? <NoArticles /> : error === undefined ? <Waiting /> : null}
    </Frame>
  )
}

const NoArticles = () => (
  <div class="card empty">
    <h2>No articles</h2>
    <p>
      No run was held against articles yet. Start the workbench with <code>--articles FOLDER</code>, name{' '}
      <code>articles</code> in <code>assist-harness.yaml</code>, or run a set on the sandbox, which brings its
      own.
    </p>
    <p>
      <a class="button" href="/new">
        New run
      </a>
    </p>
  </div>
)
