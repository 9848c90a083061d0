// What the article beside an answer and its own view share: the text with its file, and the lists that
// name it.
import { useMemo } from 'preact/hooks'
import type { NamedSection } from '../domain/articles.ts'
import { digits } from '../domain/format.ts'
import { searchFor } from '../report/document.ts'
import type { Acts } from './acts.ts'
import type { IconName } from './icons.tsx'
import { findConversations } from './query.ts'
import { fold, type PageStore } from './store.ts'
import { Anchor, Untrusted } from './text.tsx'

/** The states of answers that an article has a list for, each with its words for one and for several. */
const LISTS: readonly (readonly [state: string, icon: IconName, one: string, many: string])[] = [
  ['grounded', 'check', 'answer comes from here', 'answers come from here'],
  ['gap', 'gap', 'gap is nearest to it', 'gaps are nearest to it'],
  ['unsupported', 'doubt', 'answer gives facts that differ', 'answers give facts that differ'],
]

/** The lists of the desk that name an article, without the empty ones. */
export function useListsOf(article: string, store: PageStore, acts: Acts) {
  return useMemo(
    () =>
      LISTS.map(([state, icon, one, many]) => {
        const find = `${searchFor('article', article).find} is:${state}`
        const count = findConversations(store, find, acts).found.flatMap(({ turns }) => turns).length
        return { find, icon, count, says: count === 1 ? one : many }
      }).filter(({ count }) => count > 0),
    [article, store, acts],
  )
}

interface ListsProps {
  readonly article: string
  readonly store: PageStore
  readonly acts: Acts
}

export function Lists({ article, store, acts }: ListsProps) {
  const lists = useListsOf(article, store, acts)
  return (
    <p class="source-foot">
      {lists.map(({ find, count, says }) => (
        <Anchor to={{ find }}>
          {digits(count)} {says}
        </Anchor>
      ))}
    </p>
  )
}

/** The file's name leads to the organization's page where it has one; beside it the whole text is linked. */
export const File = ({ section: { article, url } }: { readonly section: NamedSection }) => (
  <span class="file">
    <span class="mono">
      <Anchor to={url === null ? undefined : { url }}>
        <Untrusted text={article} max={120} />
      </Anchor>
    </span>
    <Anchor to={{ article }}>Whole article</Anchor>
  </span>
)

interface TextProps {
  readonly text: string | undefined
  /** Sentences with one of these are marked. */
  readonly values: readonly string[]
}

export function SectionText({ text = '', values }: TextProps) {
  const sought = values.map(fold)
  const paragraphs = text.split(/\n+/).filter((line) => line.trim() !== '')
  return (
    <div class="source-text">
      {paragraphs.map((paragraph) => (
        <p>
          {sentencesOf(paragraph).map((sentence) =>
            sought.some((value) => fold(sentence).includes(value)) ? (
              <mark class="says">
                <Untrusted text={sentence} />
              </mark>
            ) : (
              <Untrusted text={sentence} />
            ),
          )}
        </p>
      ))}
    </div>
  )
}

/** Each keeps the white space behind it. */
const sentencesOf = (text: string): string[] => text.match(/.+?(?:[.!?](?=\s|$)\s*|$)/gsu) ?? [text]
