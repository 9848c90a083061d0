// An article as a reader sees it: a section beside an answer, or the whole with all that a run knows of it.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type NamedSection, sectionName, type WholeArticle } from '../domain/articles.ts'
import { plural } from '../domain/format.ts'
import { searchFor } from '../report/document.ts'
import { useDesk } from './acts.ts'
import { RowLink } from './first.tsx'
import { Icon, type IconName } from './controls.tsx'
import { findConversations } from './query.ts'
import { fold } from './store.ts'
import { Box } from './table.tsx'
import { Anchor, Untrusted } from './text.tsx'

interface SectionProps {
  readonly section: NamedSection
  /** Sentences with one of these are marked. */
  readonly values?: readonly string[]
}

/** The file's name leads to the organization's page where it has one; beside it the whole text is linked. */
export const SectionView = ({ section, values = [] }: SectionProps) => (
  <>
    <p class="line file">
      <span class="mono">
        <Anchor to={section.url === null ? undefined : { url: section.url }}>
          <Untrusted text={section.article} max={120} />
        </Anchor>
      </span>
      <Anchor to={{ article: section.article }}>Whole article</Anchor>
    </p>
    <SectionText text={useDesk().store.textOfSection(section)} values={values} />
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

interface Props {
  readonly id: string
  /** A file has the sections that answers name. */
  readonly whole?: WholeArticle | undefined
  /** It stands beside the text. */
  readonly children?: ComponentChildren
}

export function ArticleView({ id, whole, children }: Props) {
  const { store } = useDesk()
  const known = useMemo(() => store.article(id), [id, store])
  const isWhole = whole !== undefined && whole.sections.length > 0
  const { sections } = isWhole ? whole : known
  const { title, note } = whole ?? known
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
        {sections.map(({ heading, text }) => (
          <section key={heading}>
            {heading === '' ? null : (
              <h3>
                <Untrusted text={heading} max={160} />
              </h3>
            )}
            <SectionText text={text} values={[]} />
          </section>
        ))}
      </article>
      <div class="stack">
        {children}
        <InThisRun id={id} />
        <Contradictions id={id} />
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

function InThisRun({ id }: { readonly id: string }) {
  const { store, acts } = useDesk()
  const lists = LISTS.map(([state, icon, says]) => {
    const link = { find: `${searchFor('article', id).find} is:${state}` }
    const count = findConversations(store, link.find, acts).flatMap(({ turns }) => turns).length
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

function Contradictions({ id }: { readonly id: string }) {
  const pairs = (useDesk().store.contents.contradictions ?? []).filter(({ sections }) =>
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
