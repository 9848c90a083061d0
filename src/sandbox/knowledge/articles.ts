// What the assistant knows: Markdown articles in sections, read from a folder.
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { termsOf } from './words.ts'

export interface Section {
  /** Empty for text before the first heading. */
  readonly heading: string
  readonly text: string
}

export interface Article {
  /** Unique in its knowledge base: the file's path without `.md`. */
  readonly slug: string
  readonly title: string
  readonly category?: string
  /** Never empty. */
  readonly sections: readonly [Section, ...Section[]]
}

/** Throws an error that names the file and what is wrong with it. Articles come in the order of their slugs. */
export async function loadKnowledgeBase(path: string): Promise<Article[]> {
  const entries = await listFolder(path)
  const files = entries
    .filter((entry) => entry.isFile() && isArticle(entry.name))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  return Promise.all(
    files.map(async (file) =>
      inFile(join(path, file), async () =>
        parseMarkdown(file.slice(0, -'.md'.length), await readFile(join(path, file), 'utf8')),
      ),
    ),
  )
}

async function listFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { recursive: true, withFileTypes: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    throw new Error(`${path} is no folder`, { cause: error })
  }
}

/** A folder's README speaks to its editors. Names with a leading dot or underscore are drafts and editors' files. */
const isArticle = (name: string): boolean => /^[^._].*\.md$/.test(name) && name.toLowerCase() !== 'readme.md'

async function inFile<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

// A Markdown article: front matter (title, category, updated), then sections under `## ` headings.
const frontMatterSchema = z.looseObject({ title: z.string().optional(), category: z.string().optional() })

/** Throws where the front matter is not YAML of the right types, or nothing is left to answer with. */
export function parseMarkdown(slug: string, text: string): Article {
  const [, yaml = '', body = ''] = /^\uFEFF?---\r?\n(.*?)\r?\n---[ \t]*\r?\n(.*)$/s.exec(text) ?? [
    text,
    '',
    text,
  ]
  const { title, category } = frontMatterSchema.parse(parse(yaml) ?? {})
  const [heading, rest] = splitHeading(body)
  const [first, ...others] = splitSections(rest)
  if (first === undefined) throw new Error('the article has no text')
  return {
    slug,
    title: title ?? heading ?? slug,
    sections: [first, ...others],
    ...(category !== undefined && { category }),
  }
}

/** A `# ` heading on top repeats the title. */
function splitHeading(body: string): [string | undefined, string] {
  const match = /^\s*# +(.+?)\s*(?:\r?\n|$)/.exec(body)
  return match ? [match[1], body.slice(match[0].length)] : [undefined, body]
}

/** A `## ` in a fenced block of code is no heading. */
function splitSections(body: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let isFenced = false
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced
    const heading = isFenced ? undefined : /^## +(.+?)\s*#*$/.exec(line)?.[1]
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading, lines: [] })
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '')
}

/** What a question asks for, and how an answer to it looks. */
const ASKED_FOR: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\bhow (?:long|soon|fast|quickly|early|late|far|much notice)\b|\bwhen\b|\bdeadline\b|\bby what time\b/,
    /\b(?:minutes?|hours?|days?|weeks?|months?|years?)\b|\d\d:\d\d/i,
  ],
  [
    /\bhow much\b|\bcosts?\b|\bprice\b|\bexpensive\b|\bpays?\b|\bfree\b|\bcharged?\b/,
    /[€$£]|\bcosts?\b|\bfree\b|\bpays?\b|cost centre/i,
  ],
  [
    /\bhow (?:many|often)\b|\blimit\b|\bmaximum\b|\bat most\b/,
    /\b\d+\b[^.]*\b(?:at most|times|maximum|only)\b|\b(?:up to|at most|maximum|limit)\b/i,
  ],
  [/\bwho(?:se|m)?\b|\bapprov/, /\bmanager\b|\bowners?\b|\bhead\b|\bdecides?\b|\bapprov|\bext\./i],
  [
    /\bwhere\b|\bwhich (?:page|site|form|portal)\b/,
    /https?:|\bfloor\b|\broom\b|\bform\b|\breception\b|\bcounter\b/i,
  ],
  [
    /\b(?:refuse|reject|decline|says? no|turned down|object|disagree)/,
    /\b(?:refus|reject|declin|turned down|object|disagree)/i,
  ],
  [/\b(?:too late|late|miss|nobody|expire)/, /\b(?:otherwise|late|lost|expire|closed|given away)\b/i],
]

const HEADING_WEIGHT = 2
/** What the whole article is about does not tell its sections apart. */
const TITLE_DAMPING = 0.3
const ASKED_FOR_WEIGHT = 0.6
/** Editors put first what most people want to know. */
const FIRST_WEIGHT = 0.2

interface Profile {
  readonly titleTerms: ReadonlySet<string>
  readonly sections: readonly {
    readonly section: Section
    readonly headingTerms: ReadonlySet<string>
    /** How often heading and text have each term. */
    readonly counts: ReadonlyMap<string, number>
  }[]
}

/** Made when an article answers for the first time. */
const profiles = new WeakMap<Article, Profile>()

function profileOf(article: Article): Profile {
  const known = profiles.get(article)
  if (known !== undefined) return known
  const sections = article.sections.map((section) => {
    const headingTerms = new Set(termsOf(section.heading))
    const counts = new Map<string, number>()
    for (const term of [...headingTerms, ...termsOf(section.text)])
      counts.set(term, (counts.get(term) ?? 0) + 1)
    return { section, headingTerms, counts }
  })
  const profile = { titleTerms: new Set(termsOf(article.title)), sections }
  profiles.set(article, profile)
  return profile
}

export function pickSection(article: Article, message: string): Section {
  const text = message.toLowerCase()
  const terms = new Set(termsOf(message))
  const expected = ASKED_FOR.flatMap(([question, answer]) => (question.test(text) ? [answer] : []))
  const { sections, titleTerms } = profileOf(article)
  /** Large for a term that one section has, nothing for one that all have, little for the title's. */
  const weight = (term: string): number => {
    const holders = sections.filter(({ counts }) => counts.has(term)).length
    return Math.log(sections.length / Math.max(1, holders)) * (titleTerms.has(term) ? TITLE_DAMPING : 1)
  }

  const scored = sections.map(({ section, headingTerms, counts }, place) => {
    let score = FIRST_WEIGHT / (place + 1)
    for (const term of terms) {
      const count = counts.get(term) ?? 0
      score += weight(term) * (count / (count + 1) + (headingTerms.has(term) ? HEADING_WEIGHT : 0))
    }
    score += ASKED_FOR_WEIGHT * expected.filter((answer) => answer.test(section.text)).length
    return { section, score }
  })
  return scored.reduce(
    (best, one) => (one.score > best.score ? one : best),
    scored[0] ?? { section: article.sections[0], score: 0 },
  ).section
}
