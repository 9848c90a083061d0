// What of three packages the program does not use, or not at its start, and would pay for at every start.
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** undici's index loads fetch, web sockets, caches and cookies, too; our client uses its connections, and nothing else. */
export const onlyConnections: Plugin = {
  name: 'only the connections of undici',
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: 'connections', namespace: 'undici' }))
    bundler.onLoad({ filter: /.*/, namespace: 'undici' }, () => ({
      contents: "export { default as Client } from 'undici/lib/dispatcher/client.js'",
      resolveDir: import.meta.dirname,
    }))
  },
}

/** The tables of East Asian encodings are most of iconv-lite, and question sets are read as Windows-1252 alone. */
export const onlySingleBytes: Plugin = {
  name: 'only the encodings of iconv-lite with a byte a letter',
  setup(bundler) {
    bundler.onLoad({ filter: /\/iconv-lite\/encodings\/dbcs-data\.js$/ }, () => ({ contents: '' }))
  },
}

const SEGMENTER = 'const segmenter = new Intl.Segmenter();'
const EMOJI = String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`
// No emoji is a single unit below U+231A.
const PATIENT = String.raw`
let made, emoji
const segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) }
const rgiEmojiRegex = { test: text => (text.length > 1 || text >= '\u231a') && (emoji ??= /^\p{RGI_Emoji}$/v).test(text) }
`

/**
 * Node takes 10 ms to make its first segmenter and 30 ms for that expression; string-width asks neither about plain
 * letters. The help's layout brings an older one, which asks its segmenter about every text: it takes ours instead.
 */
export const patientWidths: Plugin = {
  name: "string-width's signs and emoji, once they are asked",
  setup(bundler) {
    bundler.onResolve({ filter: /^string-width$/ }, async ({ kind, pluginData }) =>
      pluginData === 'ours'
        ? undefined
        : bundler.resolve('string-width', { kind, resolveDir: import.meta.dirname, pluginData: 'ours' }),
    )
    bundler.onLoad({ filter: /\/node_modules\/string-width\/index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes(SEGMENTER) || !text.includes(EMOJI))
        throw new Error(`${path} is not as it was: see whether what it makes at its start is worth the wait`)
      return { contents: PATIENT + text.replace(SEGMENTER, '').replace(EMOJI, '') }
    })
  },
}
