// What stands on the page of any report: its head with the verdict, its sections, their blocks.
import { minute } from '../domain/format.ts'
import { MARKS, type Block, type Document, type Section } from '../report/document.ts'
import { REVIEWS } from '../report/reviews-table.ts'
import { BlockView } from './blocks.tsx'
import { REVIEWS_ID } from './store.ts'
import { titleText, Words } from './text.tsx'

/** The conversations are rendered into `conversations-app`. */
export function Shell({ document }: { readonly document: Document }) {
  const { title, facts, at, verdict, resume, sections } = document
  return (
    <>
      <header class="top">
        <div class="top-title">
          <h1>
            <Words text={title} />
          </h1>
          <p class="muted">
            {facts}
            {at === null ? null : (
              <>
                {' · '}
                <time dateTime={at} title={`${minute(at)} UTC`}>
                  {minute(at)} UTC
                </time>
              </>
            )}
          </p>
        </div>
        <p class={`badge ${verdict.tone}`}>
          <span aria-hidden="true">{MARKS[verdict.tone]}</span> {verdict.word}
        </p>
        <p class="reason muted" title={titleText(verdict.reason)}>
          <Words text={verdict.reason} />
        </p>
        {sections.length < 2 ? null : (
          <nav aria-label="Sections">
            {sections.map((section) => (
              <a href={`#${section.id}`}>{section.title}</a>
            ))}
          </nav>
        )}
      </header>
      <main id="main">
        {resume === undefined ? null : (
          <BlockView block={{ kind: 'note', tone: 'warn', text: ['Resume: ', { untrusted: resume }] }} />
        )}
        {sections.map((section) => (
          <section id={section.id} aria-labelledby={`${section.id}-heading`}>
            <h2 id={`${section.id}-heading`} class="visually-hidden" tabIndex={-1}>
              {section.title}
            </h2>
            <Body section={section} />
          </section>
        ))}
      </main>
    </>
  )
}

const Body = ({ section: { id, blocks } }: { readonly section: Section }) =>
  id === 'conversations' ? (
    <>
      <noscript>
        <BlockView block={NO_SCRIPT} />
      </noscript>
      <div id="conversations-app" />
    </>
  ) : (
    <Blocks blocks={blocks} />
  )

const NO_SCRIPT: Block = {
  kind: 'note',
  tone: 'muted',
  text: 'Conversations need JavaScript. results.csv or comparison.csv beside this page holds them, too.',
}

const Blocks = ({ blocks }: { readonly blocks: readonly Block[] }) =>
  blocks.length === 0 ? null : (
    <div class="blocks">
      {blocks.map((block) =>
        block.kind === 'table' && block.title === REVIEWS ? (
          <>
            <noscript>
              <BlockView block={block} />
            </noscript>
            <div id={REVIEWS_ID} class="half" />
          </>
        ) : (
          <BlockView block={block} />
        ),
      )}
    </div>
  )
