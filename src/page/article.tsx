// An article with all that a run knows of it: its text, the lists of the desk that name it, and the articles
// that contradict or repeat it.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { sectionName, type WholeArticle } from '../domain/articles.ts'
import { digits, plural } from '../domain/format.ts'
import type { Acts } from './acts.ts'
import { SectionText, useListsOf } from './article-parts.tsx'
import { Icon } from './icons.tsx'

import type { PageStore } from './store.ts'
import { Anchor, Untrusted } from './text.tsx'

interface Props {
  readonly id: string
  readonly store: PageStore
  readonly acts: Acts
  /** Reads the whole article; absent in a file, which has the sections that answers name. */
  readonly read?: ((article: string) => Promise<WholeArticle>) | undefined
}

export function ArticleView({ id, store, acts, read }: Props) {
  const [whole, setWhole] = useState<WholeArticle>()
  useEffect(() => {
    setWhole(undefined)
    void read?.(id).then(setWhole, (error: unknown) =>
      setWhole({ title: id, sections: [], note: `The article cannot be read: ${String(error)}` }),
    )
  }, [id])
  const { title, sections } = useMemo(() => store.article(id), [id, store])
  const isWhole = whole !== undefined && whole.sections.length > 0
  const shown = isWhole ? whole.sections : sections
  const lists = useListsOf(id, store, acts)
  return (
    <div class="page">
      <div class="split">
        <article class="article-text">
          <h2>
            <Untrusted text={whole?.title ?? title} max={160} />
          </h2>
          <p class="file mono">
            <Untrusted text={id} max={160} />
          </p>
          {whole === undefined || whole.note === '' ? null : (
            <p class="note warn" role="status">
              <Icon name="doubt" />
              <Untrusted text={whole.note} max={400} />
            </p>
          )}
          {isWhole || shown.length === 0 ? null : (
            <p class="quiet">The sections that answers of this run name.</p>
          )}
          {shown.length === 0 && whole === undefined ? (
            <p class="quiet">
              No answer of this run names a section of it, so this page does not carry its text.
            </p>
          ) : null}
          {shown.map(({ heading, text }) => (
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
          <section class="box" aria-labelledby="article-lists">
            <div class="box-head">
              <h2 id="article-lists">In this run</h2>
            </div>
            {lists.length === 0 ? (
              <p>No question of this run reached it. The set may be what is missing.</p>
            ) : (
              <ul class="rows">
                {lists.map(({ find, icon, count, says }) => (
                  <li>
                    <Anchor to={{ find }} class="row-link">
                      <Icon name={icon} class={icon === 'check' ? 'good' : 'warn'} />
                      <b>{digits(count)}</b>
                      <span>{says}</span>
                      <Icon name="chevron" class="chevron" />
                    </Anchor>
                  </li>
                ))}
              </ul>
            )}
          </section>
          <Contradictions id={id} store={store} />
        </div>
      </div>
    </div>
  )
}

function Contradictions({ id, store }: Pick<Props, 'id' | 'store'>) {
  const pairs = (store.contents.contradictions ?? []).filter(({ sections }) =>
    sections.some(({ article }) => article === id),
  )
  if (pairs.length === 0) return null
  return (
    <section class="box" aria-labelledby="contradictions">
      <div class="box-head">
        <h2 id="contradictions">Contradicts or repeats {plural(pairs.length, 'article')}</h2>
      </div>
      <ul class="items">
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
    </section>
  )
}
