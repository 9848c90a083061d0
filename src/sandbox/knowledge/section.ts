// Which section of an article answers a question: by the words that tell its sections apart, and by what is asked for.
import type { Article, Section } from './articles.ts'
import { termsOf } from './words.ts'

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
