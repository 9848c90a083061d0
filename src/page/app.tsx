// The page of a report: the bar, and the section that the address names. It is rendered when a report is
// written, with every section shown, and hydrated in the browser.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WholeArticle } from '../domain/articles.ts'
import { minute } from '../domain/format.ts'
import { type Document, isEmpty, type Section } from '../report/document.ts'
import { type Acts, ActsContext } from './acts.ts'
import { ArticleView } from './article.tsx'
import { Bar, type KeyList, Keys, KEYS_ID, Menu, Search, showKeys } from './bar.tsx'
import { Blocks } from './blocks.tsx'
import { Desk, DESK_KEYS } from './desk.tsx'
import { useKeys } from './keyboard.ts'
import { deskHref, readAddress, type Route, type View } from './route.ts'
import type { PageStore } from './store.ts'
import { Words } from './text.tsx'

export interface ReportProps {
  readonly document: Document
  /** Undefined until the conversations are read, and for a report without any. */
  readonly store?: PageStore | undefined
  readonly acts?: Acts | undefined
  /** The workbench adds the way, a name, and more of the menu. */
  readonly around?: {
    readonly way: readonly { readonly href: string; readonly name: string }[]
    readonly name: string
    readonly menu: ComponentChildren
    readonly article?: ((id: string) => Promise<WholeArticle>) | undefined
    readonly above: ComponentChildren
  }
}

export function ReportApp({ document: report, store, acts, around }: ReportProps) {
  const { title, facts, at, verdict, sections } = report
  const route = useRoute(sections)
  const box = useRef<HTMLInputElement>(null)
  const hasDesk = sections.some(({ id }) => id === 'conversations')
  useKeys({ '?': showKeys, '/': () => box.current?.focus() })
  const keys: KeyList = hasDesk ? DESK_KEYS : []
  return (
    <ActsContext.Provider value={acts}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Bar
        way={around?.way ?? []}
        title={<Words text={title} />}
        verdict={{ tone: verdict.tone, word: verdict.word, reason: <Words text={verdict.reason} /> }}
        facts={<Facts facts={facts} at={at} />}
        label="This report"
        tabs={sections.map(({ id, title: name }) => ({
          href: `#${id}`,
          title: name,
          isCurrent: route?.section === id,
        }))}
        search={
          hasDesk ? (
            <Search
              box={box}
              label="Search conversations"
              value={route?.query ?? ''}
              search={(query) => search(query, route?.view ?? 'list')}
            />
          ) : null
        }
        menu={<ReportMenu around={around} />}
      />
      <Keys keys={keys} />
      <main id="main">
        {around?.above}
        {report.resume === undefined ? null : (
          <p class="note warn">
            Resume: <code>{report.resume}</code>
          </p>
        )}
        {route?.article === undefined || store === undefined || acts === undefined ? null : (
          <ArticleView id={route.article} store={store} acts={acts} read={around?.article} />
        )}
        {sections.map((section) => (
          <section
            id={section.id}
            key={section.id}
            aria-label={section.title}
            hidden={route !== undefined && (route.section !== section.id || route.article !== undefined)}
          >
            <h2 class="unfolded section-title">{section.title}</h2>
            {section.id === 'conversations' ? (
              <Conversations store={store} route={route} />
            ) : (
              <div class="page">
                <Blocks
                  section={section}
                  missing={section.id === 'overview' && lacksArticles(sections) ? WITH_ARTICLES : undefined}
                  elsewhere={section.id === 'overview' ? linesOf(sections) : []}
                  facts={<Facts facts={facts} at={at} />}
                />
              </div>
            )}
          </section>
        ))}
      </main>
    </ActsContext.Provider>
  )
}

const ReportMenu = ({ around }: { readonly around: ReportProps['around'] }) => (
  <Menu name={around?.name ?? 'Menu'}>
    {around?.menu}
    <button type="button" popovertarget={KEYS_ID}>
      Keys <kbd>?</kbd>
    </button>
    <button type="button" onClick={() => print()}>
      Print this page
    </button>
  </Menu>
)

interface ConversationsProps {
  readonly store: PageStore | undefined
  readonly route: Route | undefined
}

function Conversations({ store, route }: ConversationsProps) {
  if (route === undefined || store === undefined)
    return (
      <p class="page quiet">
        Conversations need JavaScript. results.csv or comparison.csv beside this page holds them, too.
      </p>
    )
  return route.section === 'conversations' && route.article === undefined ? (
    <Desk store={store} route={route} />
  ) : null
}

/** Typing adds no steps to the history. */
function search(query: string, view: View): void {
  history.replaceState(null, '', deskHref(query, view))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** A run alone has limits beside its conversations. */
const lacksArticles = (sections: readonly Section[]): boolean =>
  (['conversations', 'limits'] as const).every((id) => sections.some((section) => section.id === id)) &&
  !sections.some(({ id }) => id === 'articles')

const WITH_ARTICLES =
  'With your articles, this page would name the nearest ones for each gap, show where each answer comes from, ' +
  'and mark the facts that no article has. Name their folder with --articles, or as articles in ' +
  'assist-harness.yaml, and write the report again.'

/** What the articles' section has to do first. */
const linesOf = (sections: readonly Section[]) =>
  sections
    .find(({ id }) => id === 'articles')
    ?.blocks.filter((block) => block.kind === 'list' && !isEmpty(block)) ?? []

const Facts = ({ facts, at }: Pick<Document, 'facts' | 'at'>) => (
  <>
    {facts}
    {at === null ? null : (
      <>
        {' · '}
        <LocalTime at={at} />
      </>
    )}
  </>
)

/** The reader's own clock, once there is one. */
export function LocalTime({ at }: { readonly at: string }) {
  const [text, setText] = useState(`${minute(at)} UTC`)
  useLayoutEffect(
    () => setText(new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })),
    [at],
  )
  return <time dateTime={at}>{text}</time>
}

/** On a phone the tabs scroll sideways; the page must stay where it is. */
function showTab(tab: Element | null): void {
  const tabs = tab?.parentElement
  if (tab === null || !tabs) return
  const [inner, outer] = [tab.getBoundingClientRect(), tabs.getBoundingClientRect()]
  tabs.scrollLeft += Math.max(0, inner.right - outer.right) + Math.min(0, inner.left - outer.left)
}

/** Undefined in the first render, which is the one that was written. */
function useRoute(sections: readonly Section[]): Route | undefined {
  const [route, setRoute] = useState<Route>()
  useLayoutEffect(() => {
    const read = (): void => {
      setRoute(readAddress(sections))
      scrollTo(0, 0)
    }
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [sections])
  useLayoutEffect(() => {
    showTab(document.querySelector('.tabs [aria-current]'))
    const part = route?.part === undefined ? null : document.getElementById(route.part)
    if (part instanceof HTMLDetailsElement) part.open = true
    part?.scrollIntoView()
  }, [route])
  return route
}
