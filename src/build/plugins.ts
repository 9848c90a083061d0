// Plugins that shorten the start: they remove or delay parts of three packages that the program does not need then.
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** undici's index also loads fetch, web sockets, caches and cookies. Our client uses only `Client` and its connector. */
export const undiciClient: Plugin = {
  name: 'only the Client of undici',
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: 'connections', namespace: 'undici' }))
    bundler.onLoad({ filter: /.*/, namespace: 'undici' }, () => ({
      contents: `
export { default as Client } from 'undici/lib/dispatcher/client.js'
export { default as buildConnector } from 'undici/lib/core/connect.js'`,
      resolveDir: import.meta.dirname,
    }))
  },
}

/** Most of iconv-lite is tables of East Asian encodings. The program decodes only Windows-1252, UTF-8 and UTF-16 with it. */
export const noDoubleByteEncodings: Plugin = {
  name: 'iconv-lite without double-byte encodings',
  setup(bundler) {
    bundler.onLoad({ filter: /\/iconv-lite\/encodings\/dbcs-data\.js$/ }, () => ({ contents: '' }))
  },
}

const SEGMENTER = 'const segmenter = new Intl.Segmenter();'
const EMOJI = String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`
// U+231A is the lowest emoji of a single UTF-16 unit.
const LAZY = String.raw`
let lazySegmenter, emoji
const segmenter = { segment: text => (lazySegmenter ??= new Intl.Segmenter()).segment(text) }
const rgiEmojiRegex = { test: text => (text.length > 1 || text >= '\u231a') && (emoji ??= /^\p{RGI_Emoji}$/v).test(text) }
`

/**
 * Node takes 10 ms to create its first segmenter and 30 ms to compile the expression; plain letters need neither. yargs's
 * layout depends on an older string-width, which uses its segmenter for every text: it gets our version instead.
 */
export const lazyStringWidth: Plugin = {
  name: 'string-width that creates its segmenter and emoji expression on first use',
  setup(bundler) {
    bundler.onResolve({ filter: /^string-width$/ }, async ({ kind, pluginData }) =>
      pluginData === 'ours'
        ? undefined
        : bundler.resolve('string-width', { kind, resolveDir: import.meta.dirname, pluginData: 'ours' }),
    )
    bundler.onLoad({ filter: /\/node_modules\/string-width\/index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes(SEGMENTER) || !text.includes(EMOJI))
        throw new Error(`${path} has changed: adapt or remove the plugin`)
      return { contents: LAZY + text.replace(SEGMENTER, '').replace(EMOJI, '') }
    })
  },
}
