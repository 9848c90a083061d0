// The page of a report: the bar, and the section that the address names. It is rendered when a report is
// written, with every section shown, and hydrated in the browser.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { minute } from '../domain/format.ts'
import type { Document, Section } from '../report/document.ts'
import type { Acts } from './acts.ts'
import { ArticleView, type WholeArticles } from './article.tsx'
import { Bar, Search } from './bar.tsx'
import { Blocks } from './blocks.tsx'
import { Desk, DESK_KEYS } from './desk.tsx'
import { useKeys } from './keyboard.ts'
import { deskHref, readAddress, type Route } from './route.ts'
import type { PageStore } from './store.ts'
import { Words } from './text.tsx'

export interface ReportProps {
  readonly document: Document
  /** Undefined until the conversations are read, and for a report without any. */
  readonly store?: PageStore | undefined
  readonly acts?: Acts | undefined
  readonly bench?: {
    readonly way: { readonly href: string; readonly name: string }
    readonly name: string
    readonly menu: ComponentChildren
    readonly articles: WholeArticles | undefined
    readonly above: ComponentChildren
  }
}

export function ReportApp({ document: report, store, acts, bench }: ReportProps) {
  const { title, verdict, sections } = report
  const route = useRoute(sections)
  const box = useRef<HTMLInputElement>(null)
  const hasDesk = sections.some(({ id }) => id === 'conversations')
  useKeys({ '/': () => box.current?.focus() })
  const facts = (
    <>
      {report.facts}
      {report.at === null ? null : (
        <>
          {' · '}
          <LocalTime at={report.at} />
        </>
      )}
    </>
  )
  /** Typing adds no steps to the history. */
  const search = (query: string): void => {
    history.replaceState(null, '', deskHref(query, route?.view ?? 'list'))
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  return (
    <>
      <Bar
        way={bench?.way}
        title={<Words text={title} />}
        verdict={{ tone: verdict.tone, word: verdict.word, reason: <Words text={verdict.reason} /> }}
        facts={facts}
        label="This report"
        tabs={sections.map(({ id, title: name }) => ({
          href: `#${id}`,
          title: name,
          isCurrent: route?.section === id,
        }))}
        search={
          hasDesk ? (
            <Search box={box} label="Search conversations" value={route?.query ?? ''} search={search} />
          ) : null
        }
        name={bench?.name ?? 'Menu'}
        menu={
          <>
            {bench?.menu}
            <button type="button" onClick={() => print()}>
              Print this page
            </button>
          </>
        }
        keys={hasDesk ? DESK_KEYS : []}
      />
      <main id="main">
        {bench?.above}
        {report.resume === undefined ? null : (
          <p class="note warn">
            Resume: <code>{report.resume}</code>
          </p>
        )}
        {route?.article === undefined || store === undefined || acts === undefined ? null : (
          <ArticleView id={route.article} store={store} acts={acts} whole={bench?.articles} />
        )}
        {sections.map((section) => (
          <SectionView
            key={section.id}
            report={report}
            section={section}
            store={store}
            acts={acts}
            route={route}
            facts={facts}
          />
        ))}
      </main>
    </>
  )
}

interface SectionProps {
  readonly report: Document
  readonly section: Section
  readonly store: PageStore | undefined
  readonly acts: Acts | undefined
  readonly route: Route | undefined
  readonly facts: ComponentChildren
}

/** Before the script has read the address all are shown: so they are on paper, and without a script. */
function SectionView({ report: { sections }, section, store, acts, route, facts }: SectionProps) {
  const { id, title } = section
  const isShown = route === undefined || (route.section === id && route.article === undefined)
  const isFirst = id === 'overview'
  return (
    <section id={id} aria-label={title} hidden={!isShown}>
      <h2 class="unfolded section-title">{title}</h2>
      {id !== 'conversations' ? (
        <div class="page">
          <Blocks
            section={section}
            missing={isFirst && lacksArticles(sections) ? WITH_ARTICLES : undefined}
            facts={facts}
          />
        </div>
      ) : route === undefined || store === undefined ? (
        <p class="page quiet">
          Conversations need JavaScript. results.csv or comparison.csv beside this page holds them, too.
        </p>
      ) : isShown && acts !== undefined ? (
        <Desk store={store} route={route} acts={acts} />
      ) : null}
    </section>
  )
}

/** A run alone has limits beside its conversations. */
const lacksArticles = (sections: readonly Section[]): boolean =>
  (['conversations', 'limits'] as const).every((id) => sections.some((section) => section.id === id)) &&
  !sections.some(({ id }) => id === 'articles')

const WITH_ARTICLES =
  'With your articles, this page would name the nearest ones for each gap, show where each answer comes ' +
  'from, and mark the facts that no article has. Name their folder as articles in assist-harness.yaml.'

/** The reader's own clock, once there is one. */
function LocalTime({ at }: { readonly at: string }) {
  const [text, setText] = useState(`${minute(at)} UTC`)
  useLayoutEffect(
    () => setText(new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })),
    [at],
  )
  return <time dateTime={at}>{text}</time>
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
    // On a phone the tabs scroll sideways.
    const tab = document.querySelector<HTMLElement>('.tabs > [aria-current]')
    const tabs = tab?.parentElement
    if (tab && tabs) tabs.scrollLeft = tab.offsetLeft - tabs.clientWidth / 2
    const part = route?.part === undefined ? null : document.getElementById(route.part)
    if (part instanceof HTMLDetailsElement) part.open = true
    part?.scrollIntoView()
  }, [route])
  return route
}
