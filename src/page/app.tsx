// The page of a report: the bar, and the section that the address names. It is rendered when a report is
// written, with every section shown, and hydrated in the browser.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import { minute, plural } from '../domain/format.ts'
import type { Document, Section } from '../report/document.ts'
import { ArticleView } from './article.tsx'
import { Bar, Search } from './bar.tsx'
import { Blocks } from './blocks.tsx'
import { DeskContext, type DeskState, NO_DESK, recordedDecision, useDesk } from './acts.ts'
import { Desk, DESK_KEYS } from './desk.tsx'
import { useKeys } from './keyboard.ts'
import { deskHref, replaceAddress, type Route, useRoute } from './route.ts'

interface Props {
  readonly document: Document
  /** Undefined until the conversations are read, and for a report without any. */
  readonly desk?: DeskState | undefined
  readonly bench?: {
    readonly way: { readonly href: string; readonly name: string }
    readonly name: string
    readonly menu: ComponentChildren
    readonly above: ComponentChildren
    /** A file has the sections that answers name; a workbench has the whole text. */
    readonly articleOf: ((id: string) => ComponentChildren) | undefined
  }
}

export function ReportApp({ document: report, desk, bench }: Props) {
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
  return (
    <DeskContext.Provider value={desk ?? NO_DESK}>
      <Bar
        way={bench?.way}
        title={title}
        verdict={verdict}
        facts={facts}
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
              search={(query) => replaceAddress(deskHref(query, route?.view ?? 'list'))}
            />
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
        {route?.article === undefined || desk === undefined
          ? null
          : (bench?.articleOf?.(route.article) ?? <ArticleView id={route.article} />)}
        {sections.map((section) => (
          <SectionView
            key={section.id}
            section={section}
            route={desk === undefined && section.id === 'conversations' ? undefined : route}
            isShown={route === undefined || (route.section === section.id && route.article === undefined)}
            facts={facts}
            missing={section.id === 'overview' && lacksArticles(sections) ? WITH_ARTICLES : undefined}
          />
        ))}
      </main>
    </DeskContext.Provider>
  )
}

interface SectionProps {
  readonly section: Section
  /** Undefined where the conversations cannot be shown. */
  readonly route: Route | undefined
  /** Before the script has read the address all are: so they are on paper, and without a script. */
  readonly isShown: boolean
  readonly facts: ComponentChildren
  readonly missing: string | undefined
}

const SectionView = ({ section, route, isShown, facts, missing }: SectionProps) => (
  <section id={section.id} aria-label={section.title} hidden={!isShown}>
    <h2 class="unfolded section-title">{section.title}</h2>
    {section.id !== 'conversations' ? (
      <div class="page">
        {section.id === 'articles' ? <DecidedSince /> : null}
        <Blocks section={section} missing={missing} facts={facts} />
      </div>
    ) : route === undefined ? (
      <p class="page quiet">
        Conversations need JavaScript. results.csv or comparison.csv beside this page holds them, too.
      </p>
    ) : isShown ? (
      <Desk route={route} />
    ) : null}
  </section>
)

/** The numbers of this tab are of the report, and its lists of now. */
function DecidedSince() {
  const { store, acts } = useDesk()
  const isLater = (turn: PageTurn): boolean =>
    turn.articles?.kind === 'gap' && acts.decisionOn(turn)?.article !== recordedDecision(turn)?.article
  const count = store.conversations.flat().filter(isLater).length
  if (count === 0) return null
  return (
    <p class="note" role="status">
      {plural(count, 'question')} decided since this report. The numbers count that once it is written again:
      Menu, Files.
    </p>
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
