// The only ways in which the page shows a text from elsewhere, and leads anywhere.
import type { ComponentChildren } from 'preact'
import { cut, showActing } from '../domain/text.ts'
import { LIMITS, mapSpans, type Link, type Text } from '../report/document.ts'

/** Signs that would act are shown as `[U+202E]`; its direction stays its own. */
export const Untrusted = ({ text, most }: { readonly text: string; readonly most?: number }) => (
  <bdi>{showActing(cut(text, most ?? Infinity))}</bdi>
)

/** Places of this page, and files beside it. */
export const Anchor = ({
  to,
  class: className,
  children,
}: {
  readonly to: Link
  readonly class?: string
  readonly children: ComponentChildren
}) => (
  <a href={hrefOf(to)} class={className}>
    {children}
  </a>
)

export function hrefOf(link: Link): string {
  if ('find' in link) return `#find=${encode(link.find)}`
  if ('section' in link) return `#${link.section}`
  // With the dot, no name is taken for a scheme.
  if ('file' in link) return `./${link.file.split('/').map(encode).join('/')}`
  return `#q=${encode(link.question)}${link.repeat === undefined ? '' : `&repeat=${link.repeat}`}`
}

/** Halves of signs cannot be encoded. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** For an attribute or a title. */
export const plainText = (text: Text): string => mapSpans(text, (own) => own, showActing).join('')

/** Our words with texts from elsewhere in them. */
export const Words = ({ text }: { readonly text: Text }) => (
  <>
    {mapSpans<ComponentChildren>(
      text,
      (own) => own,
      (foreign) => (
        <Untrusted text={foreign} most={LIMITS.page.text} />
      ),
      (shown, link) => (
        <Anchor to={link}>{shown}</Anchor>
      ),
    )}
  </>
)
