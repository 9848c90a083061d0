// The organization's articles and their record: the tab of the last run that was held against them.
import { useEffect } from 'preact/hooks'
import { Icon } from '../../page/icons.tsx'
import { hrefOf } from '../../page/text.tsx'
import { searchFor } from '../../report/document.ts'
import { get, runAddress } from './api.ts'
import { Empty, Frame, Problem, Waiting } from './frame.tsx'
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
    <Frame session={session} title="Articles" keys={[]}>
      <Problem error={error} />
      {data?.run === null ? <NoArticles /> : error === undefined ? <Waiting /> : null}
    </Frame>
  )
}

const NoArticles = () => (
  <Empty
    icon="article"
    title="No articles yet"
    acts={
      <>
        <a class="button primary" href="/new">
          <Icon name="run" />
          New run
        </a>
      </>
    }
  >
    Here stand your articles, with the questions that are answered from each, and the facts that differ. No
    run was held against articles yet: the sample desk brings its own, for yours name their folder as{' '}
    <code>articles</code> in <code>assist-harness.yaml</code>.
  </Empty>
)
