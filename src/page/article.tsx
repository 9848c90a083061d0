// An article as a reader sees it: a section beside an answer, or the whole with all that a run knows of it.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type NamedSection, sectionName, type WholeArticle } from '../domain/articles.ts'
import { plural } from '../domain/format.ts'
import { searchFor } from '../report/document.ts'
import type { Acts } from './acts.ts'
import { RowLink } from './first.tsx'
import { Icon, type IconName } from './icons.tsx'
import { findConversations } from './query.ts'
import { fold, type PageStore } from './store.ts'
import { Box } from './table.tsx'
import { Anchor, Untrusted } from './text.tsx'

interface SectionProps {
  readonly section: NamedSection
  readonly store: PageStore
  /** Sentences with one of these are marked. */
  readonly values?: readonly string[]
}

/** The file's name leads to the organization's page where it has one; beside it the whole text is linked. */
export const SectionView = ({ section, store, values = [] }: SectionProps) => (
  <>
    <p class="line file">
      <span class="mono">
        <Anchor to={section.url === null ? undefined : { url: section.url }}>
          <Untrusted text={section.article} max={120} />
        </Anchor>
      </span>
      <Anchor to={{ article: section.article }}>Whole article</Anchor>
    </p>
    <SectionText text={store.textOfSection(section)} values={values} />
  </>
)

interface TextProps {
  readonly text: string | undefined
  readonly values: readonly string[]
}

function SectionText({ text = '', values }: TextProps) {
  const sought = values.map(fold)
  const marked = (part: string) => {
    const shown = <Untrusted text={part} />
    return sought.some((value) => fold(part).includes(value)) ? <mark class="says">{shown}</mark> : shown
  }
  return (
    <div class="source-text">
      {partsOf(text).map((part) =>
        part.trim()[0] === '|' ? (
          <TextTable text={part} marked={marked} />
        ) : (
          <p>{sentencesOf(part).map(marked)}</p>
        ),
      )}
    </div>
  )
}

interface TableProps {
  readonly text: string
  readonly marked: (cell: string) => ComponentChildren
}

const TextTable = ({ text, marked }: TableProps) => (
  <div class="scroll" tabIndex={0}>
    <table>
      <tbody>
        {text.match(/^.*[^|\s:-].*$/gm)?.map((line) => (
          <tr>
            {line
              .replaceAll(/^ *\||\|\s*$/g, '')
              .split('|')
              .map((cell) => (
                <td>{marked(cell)}</td>
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** Rows of a table, which begin with a bar, stand together; any other line is a paragraph. */
const partsOf = (text: string): readonly string[] => text.match(/(?:^ *\|.*\n?)+|^.*\S.*$/gm) ?? []

/** Each keeps the white space behind it. */
const sentencesOf = (text: string): string[] => text.match(/.+?(?:[.!?](?=\s|$)\s*|$)/gsu) ?? [text]

/** The text of each section while a person tries an edit. */
export interface EditedArticle {
  readonly id: string
  readonly whole: WholeArticle
  readonly texts: readonly string[] | undefined
  readonly edit: (texts: readonly string[]) => void
}

/** Reads whole articles, and stands beside them. */
export interface WholeArticles {
  readonly read: (article: string) => Promise<WholeArticle>
  readonly beside: (article: EditedArticle) => ComponentChildren
}

interface Props {
  readonly id: string
  readonly store: PageStore
  readonly acts: Acts
  /** A file has the sections that answers name. */
  readonly whole: WholeArticles | undefined
}

export function ArticleView({ id, store, acts, whole: articles }: Props) {
  const [whole, setWhole] = useState<WholeArticle>()
  const [texts, edit] = useState<readonly string[]>()
  useEffect(() => {
    setWhole(undefined)
    edit(undefined)
    void articles
      ?.read(id)
      .then(setWhole, (error: unknown) =>
        setWhole({ title: id, sections: [], note: `The article cannot be read: ${String(error)}` }),
      )
  }, [id])
  const known = useMemo(() => store.article(id), [id, store])
  const isWhole = whole !== undefined && whole.sections.length > 0
  const { sections } = isWhole ? whole : known
  const title = whole?.title ?? known.title
  const note = whole?.note ?? ''
  return (
    <div class="page beside">
      <article class="article-text">
        <h2>
          <Untrusted text={title} max={160} />
        </h2>
        <p class="file mono">
          <Untrusted text={id} max={160} />
        </p>
        {note === '' ? null : (
          <p class="note warn" role="status">
            <Icon name="doubt" />
            <Untrusted text={note} max={400} />
          </p>
        )}
        {isWhole ? null : (
          <p class="quiet">
            {sections.length > 0
              ? 'The sections that answers of this run name.'
              : 'No answer of this run names a section of it, so this page does not carry its text.'}
          </p>
        )}
        {sections.map(({ heading, text }, index) => (
          <section key={heading}>
            {heading === '' ? null : (
              <h3>
                <Untrusted text={heading} max={160} />
              </h3>
            )}
            {texts === undefined ? (
              <SectionText text={text} values={[]} />
            ) : (
              <textarea
                class="input"
                aria-label={heading || title}
                dir="auto"
                value={texts[index]}
                onInput={({ currentTarget }) => edit(texts.with(index, currentTarget.value))}
              />
            )}
          </section>
        ))}
      </article>
      <div class="stack">
        {whole === undefined ? null : articles?.beside({ id, whole, texts, edit })}
        <InThisRun id={id} store={store} acts={acts} />
        <Contradictions id={id} store={store} />
      </div>
    </div>
  )
}

/** The states of answers that an article has a list for. */
const LISTS: readonly (readonly [state: string, icon: IconName, says: string])[] = [
  ['grounded', 'check', 'answers from here'],
  ['gap', 'gap', 'gaps nearest to it'],
  ['unsupported', 'doubt', 'answers with facts that differ'],
]

function InThisRun({ id, store, acts }: Pick<Props, 'id' | 'store' | 'acts'>) {
  const lists = LISTS.map(([state, icon, says]) => {
    const link = { find: `${searchFor('article', id).find} is:${state}` }
    const count = findConversations(store, link.find, acts).found.flatMap(({ turns }) => turns).length
    return { link, icon, count, says }
  }).filter(({ count }) => count > 0)
  return (
    <Box block={{ title: 'In this run' }}>
      {lists.length === 0 ? (
        <p>No question of this run reached it. The set may be what is missing.</p>
      ) : (
        <ul class="rows">
          {lists.map(({ icon, ...list }) => (
            <RowLink {...list} icon={icon} tone={icon === 'check' ? 'good' : 'warn'} />
          ))}
        </ul>
      )}
    </Box>
  )
}

function Contradictions({ id, store }: Pick<Props, 'id' | 'store'>) {
  const pairs = (store.contents.contradictions ?? []).filter(({ sections }) =>
    sections.some(({ article }) => article === id),
  )
  if (pairs.length === 0) return null
  return (
    <Box block={{ title: `Contradicts or repeats ${plural(pairs.length, 'article')}` }}>
      <ul class="rows items">
        {pairs.map(({ kind, sections: [first, second] }) => {
          const [here, there] = first.article === id ? [first, second] : [second, first]
          return (
            <li>
              <Anchor to={{ article: there.article }}>
                <Untrusted text={sectionName(there)} max={160} />
              </Anchor>
              <p class="quiet">
                <Untrusted
                  text={kind === 'copy' ? 'nearly the same text' : `says ${there.text}; here ${here.text}`}
                  max={300}
                />
              </p>
            </li>
          )
        })}
      </ul>
    </Box>
  )
}
