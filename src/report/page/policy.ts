// The content security policy of the page: its own script and style by their hashes, and nothing else at all.
import { createHash } from 'node:crypto'

export interface PageAssets {
  /** Empty for a page that runs none. */
  readonly script: string
  readonly style: string
}

/** Throws where an asset could end its element early; ours never do. */
export function pagePolicy({ script, style }: PageAssets): string {
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error('the page’s script or style cannot stand in a page')
  return [
    "default-src 'none'",
    `script-src ${script === '' ? "'none'" : `'${hashOf(script)}'`}`,
    `style-src '${hashOf(style)}'`,
    "img-src 'none'",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
