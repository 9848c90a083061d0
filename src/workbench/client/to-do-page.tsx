// What is to do in the articles: a list by article, with the questions that each answers; one page to print.
import { useEffect } from 'preact/hooks'
import { digits, plural } from '../../domain/format.ts'
import type { ToDo } from '../../domain/to-do.ts'
import { Button, Icon, type IconName } from '../../page/controls.tsx'
import { hrefOf, Untrusted } from '../../page/text.tsx'
import type { RunToDo } from '../api.ts'
import { api, runAddress } from './api.ts'
import { Empty, Frame, Problem, Waiting } from './frame.tsx'
import { useData, type ViewProps } from './hooks.ts'
import { localTime, nameOf } from './run-parts.tsx'

const KINDS: Readonly<Record<ToDo['kind'], readonly [icon: IconName, does: string]>> = {
  contradiction: ['differ', 'Decide which of the two stays'],
  mend: ['doubt', 'Check the fact'],
  find: [
    'search',
    'Make it found: use words of these questions in its title, and ask whoever runs the desk whether the ' +
      'assistant may read it',
  ],
  write: ['gap', 'Write an article that answers'],
}

export function ToDoPage({ session, events }: ViewProps) {
  const { data, error, reload } = useData(async () => (await api.todo.$get()).json(), [])
  // What another tab decides is to do, too.
  useEffect(
    () =>
      events.listen(({ kind }) => (['decision', 'review', 'reopened'].includes(kind) ? reload() : undefined)),
    [],
  )
  const runs = data?.filter(({ items }) => items.length > 0) ?? []
  const action = (
    <>
      <a class="button" href="/file?todo" download="">
        CSV
      </a>
      <Button act={() => print()}>Print</Button>
    </>
  )
  return (
    <Frame session={session} title="To do" action={runs.length === 0 ? null : action}>
      {data === undefined ? <Waiting error={error} /> : <Problem error={error} />}
      {data !== undefined && runs.length === 0 ? <NothingToDo /> : null}
      {runs.map((run) => (
        <RunToDoView {...run} />
      ))}
    </Frame>
  )
}

function RunToDoView({ run, items }: RunToDo) {
  const about = [nameOf(run), run.target, localTime(run.startedAt)]
  return (
    <section class="box to-do">
      <div class="box-head">
        <h2>To do in the articles</h2>
        <span class="number">{digits(items.length)}</span>
        <small class="last">
          after{' '}
          <a class="link" href={runAddress(run.path)}>
            <Untrusted text={about.join(' · ')} max={240} />
          </a>
        </small>
      </div>
      {[...Map.groupBy(items, ({ article, kind }) => article?.article ?? kind).values()].map((toDo) => (
        <ArticleToDo run={run.path} items={toDo} />
      ))}
    </section>
  )
}

/** What is to do for the same reason is one entry, with its questions. */
function ArticleToDo({ run, items }: { readonly run: string; readonly items: readonly ToDo[] }) {
  const [first] = items
  const article = first?.article ?? null
  const missing = first?.kind === 'write' ? 'No article yet' : 'Article not known'
  return (
    <section class="article-to-do">
      <h3 class="note">
        <Icon name="article" />
        {article === null ? (
          missing
        ) : (
          <span>
            <Untrusted text={article.title} max={160} />{' '}
            <code>
              <Untrusted text={article.article} max={120} />
            </code>
          </span>
        )}
      </h3>
      {[...Map.groupBy(items, ({ kind, text }) => `${kind} ${text}`).values()].map((same) => (
        <Entry run={run} items={same} />
      ))}
    </section>
  )
}

function Entry({ run, items }: { readonly run: string; readonly items: readonly ToDo[] }) {
  const [first] = items
  if (first === undefined) return null
  const { kind, text, article } = first
  const [icon, does] = KINDS[kind]
  const questions = items.flatMap(({ question }) => question ?? [])
  const section = article === null || article.section === article.title ? '' : article.section
  return (
    <div class="entry">
      <p class="note">
        <Icon name={icon} class="warn" />
        <span>
          <Untrusted text={`${does}${text === '' ? '' : ': '}${text}`} max={600} />
          <small>{section === '' ? '' : <Untrusted text={` · ${section}`} max={160} />}</small>
        </span>
      </p>
      {questions.length === 0 ? null : (
        <ul aria-label={plural(questions.length, 'question')}>
          {questions.map(({ id, message }) => (
            <li>
              <a class="link" href={`${runAddress(run)}${hrefOf({ question: id })}`}>
                <Untrusted text={message} max={300} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const NothingToDo = () => (
  <Empty
    icon="check"
    title="Nothing to do"
    acts={
      <a class="button primary" href="/">
        Runs
      </a>
    }
  >
    Here stand, by article: the questions that it answers though the assistant did not use it, as you decide
    at a gap with <kbd>a</kbd>, those that no article answers (<kbd>x</kbd>), facts to check, and articles
    that contradict each other. They are of the last whole run at each target that was held against articles.
  </Empty>
)
