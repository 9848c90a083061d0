// The only components that show untrusted text and links.
import type { ComponentChildren } from 'preact'
import { cut, showActing } from '../domain/text.ts'
import { mapSpans, textOf, type Link, type Text } from '../report/document.ts'

/** Shows characters that act as `[U+202E]`. `bdi` isolates the text's direction. */
export const Untrusted = ({ text, max, ...props }: UntrustedProps) => (
  <bdi {...props}>{showActing(cut(text, max ?? Infinity))}</bdi>
)

interface UntrustedProps {
  readonly text: string
  readonly max?: number
  readonly class?: string
}

interface AnchorProps {
  /** If absent, the content only looks like its neighbours. */
  readonly to: Link | undefined
  readonly class?: string
  readonly children: ComponentChildren
}

/** Links lead within this page, or to an article: that page learns nothing of this one. */
export const Anchor = ({ to, ...props }: AnchorProps) => {
  if (to === undefined) return <span {...props} />
  const outside = 'url' in to ? { target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
  return <a href={hrefOf(to)} {...outside} {...props} />
}

export function hrefOf(link: Link): string {
  if ('find' in link) return `#find=${encode(link.find)}`
  if ('section' in link) return `#${link.section}${link.part === undefined ? '' : `&part=${link.part}`}`
  if ('article' in link) return `#article=${encode(link.article)}`
  // Whoever made the link has checked it; a page must not depend on that.
  if ('url' in link) return link.url.startsWith('https://') ? link.url : '#'
  return `#q=${encode(link.question)}${link.repeat === undefined ? '' : `&repeat=${link.repeat}`}`
}

/** Lone surrogates cannot be encoded. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

export const titleText = (text: Text): string => textOf(text, showActing)

export const Words = ({ text }: { readonly text: Text }) => (
  <>
    {mapSpans<ComponentChildren>(
      text,
      (plain) => plain,
      (foreign) => (
        <Untrusted text={foreign} max={300} />
      ),
      (shown, link) => (
        <Anchor to={link}>{shown}</Anchor>
      ),
    )}
  </>
)
