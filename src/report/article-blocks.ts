// What a run says of the organization's articles, their facts and the causes of its gaps.
import {
  articleSays,
  type ArticleMatch,
  type ArticleRecord,
  type Cause,
  CAUSE_LABELS,
  CAUSES,
  type NamedSection,
  sectionName,
} from '../domain/articles.ts'
import type { ArticleEdits, FactOfArticle } from '../domain/comparison.ts'
import { digits, percent, plural } from '../domain/format.ts'
import type { GapCluster, Summary, SummaryDetails } from '../domain/summary.ts'
import { figuresOf, listOf, noteOf, questionOf, sectionOf, tableOf } from './blocks.ts'
import { searchFor, type Block, type Figure, type Item, type Section, type Span } from './document.ts'

export const unsupportedFigures = ({ unsupported }: Summary): Figure[] =>
  unsupported === undefined
    ? []
    : [
        {
          label: 'Unsupported facts',
          value: digits(unsupported.answers),
          of: `of ${digits(unsupported.checked)}`,
          note: 'answers with facts',
          tone: unsupported.answers > 0 ? 'warn' : 'muted',
          link: { find: 'is:unsupported' },
        },
      ]

export function misfitList({ articles }: Summary, details: SummaryDetails): Block {
  const { items = [], count = 0 } = articles?.misfits ?? {}
  const titles = new Map(details.articles?.map(({ article, title }) => [article, title]))
  const titleOf = (id: string): Span => ({ untrusted: titles.get(id) ?? id })
  return listOf(
    'Answers from another article',
    items.map(({ source, article, ...question }): Item => ({
      text: questionOf(question),
      details: [['likely from ', titleOf(source), ', nearer to ', titleOf(article)]],
      tone: 'warn',
    })),
    { total: count, link: { find: 'is:misfit' } },
  )
}

export const doubtfulList = ({ doubtful }: SummaryDetails): Block =>
  listOf(
    'Unsupported facts',
    doubtful.items.map(({ facts, ...question }): Item => ({
      text: [{ untrusted: facts.map(({ text }) => text).join(', ') }, ' · ', questionOf(question)],
      details: facts.map((fact) => {
        const says = articleSays(fact)
        return [{ untrusted: fact.sentence }, ...(says === '' ? [] : [' · ', { untrusted: says }])]
      }),
      tone: 'warn',
    })),
    { total: doubtful.count, link: { find: 'is:unsupported' } },
  )

/** The overview has the first of them, their section ten. */
export const contradictionList = ({ articles }: Summary, max: number, id?: string): Block => {
  const contradictions = articles?.contradictions ?? []
  return listOf(
    'Articles that contradict or repeat each other',
    contradictions.slice(0, max).map(({ kind, sections: [first, second] }): Item => ({
      text: [articleLink(first), ' · ', articleLink(second)],
      details:
        kind === 'copy'
          ? ['nearly the same text']
          : [first, second].map((section) => ({ untrusted: `${section.text}: ${sectionName(section)}` })),
      tone: kind === 'copy' ? 'muted' : 'warn',
    })),
    {
      id,
      total: contradictions.length,
      link: { section: 'articles', part: 'contradictions' },
    },
  )
}

/** Each group begins with its cause, if there are articles; else the topics stand alone. */
export const gapList = (
  { articles, coverage: { weighted } }: Summary,
  { gaps: { items, count } }: SummaryDetails,
): Block =>
  listOf(
    articles === undefined ? 'Gaps by topic' : 'Gaps',
    items.map((gap) => itemOfGroup(gap, weighted)),
    {
      count:
        articles === undefined
          ? plural(count, 'question')
          : `${plural(count, 'question')}: ${causesOf(articles)}`,
      link: { find: 'is:gap' },
    },
  )

const causesOf = ({ causes, decided }: NonNullable<Summary['articles']>): string =>
  [
    ...CAUSES.filter((cause) => causes[cause] > 0).map(
      (cause) => `${digits(causes[cause])} ${CAUSE_LABELS[cause]}`,
    ),
    ...(decided === 0 ? [] : [`${digits(decided)} decided by people`]),
  ].join(', ')

type Weighted = Summary['coverage']['weighted']

const ofDemand = (weight: number, { answered }: NonNullable<Weighted>): string =>
  `${percent(weight / answered)} of the demand`

/** A question that is the topic is not repeated below it. */
function itemOfGroup({ name, questions, cause, article, weight }: GapCluster, weighted: Weighted): Item {
  const isAlone = questions.length === 1
  const [topic = { untrusted: name }] = isAlone ? questions.map(questionOf) : []
  const isArticle = cause === 'not-used'
  const head = isArticle && article !== undefined ? articleLink(article) : topic
  const isNear = cause === 'unclear' && article !== undefined
  return {
    text: cause === undefined ? head : [`${CAUSE_LABELS[cause]}: `, head],
    count: questions.length,
    details: [
      ...(weighted === undefined ? [] : [ofDemand(weight, weighted)]),
      ...(isNear ? [['near ', articleLink(article)]] : []),
      ...(isAlone && !isArticle
        ? []
        : questions.filter(({ message }) => isArticle || !name.startsWith(message)).map(questionOf)),
    ],
    tone: cause === 'unclear' ? 'muted' : 'warn',
    group: {
      title:
        cause === undefined
          ? isAlone
            ? 'Other questions'
            : { untrusted: name }
          : isArticle
            ? head
            : { text: GROUPS[cause].title, link: { find: `cause:${cause}` } },
      reason: cause === undefined ? '' : GROUPS[cause].reason,
      questions: questions.map(({ answer, near, ...question }) => ({
        text: questionOf(question),
        answer: answer === undefined ? undefined : { untrusted: answer },
        aside:
          weighted !== undefined
            ? ofDemand(weight / questions.length, weighted)
            : cause === 'unclear' && near !== undefined
              ? ['near ', { untrusted: near.title }]
              : undefined,
      })),
    },
  }
}

const GROUPS: Readonly<Record<Cause, { readonly title: string; readonly reason: string }>> = {
  'not-used': { title: 'Articles that were not used', reason: 'this article was not used' },
  'no-article': { title: 'No article found', reason: 'write one, or say that none is needed' },
  unclear: { title: 'Not clear', reason: 'read the nearest and decide' },
}

const articleLink = ({ article, title }: NamedSection | ArticleRecord): Span => ({
  text: { untrusted: title },
  link: { article },
})

/** Leads to what it counts. */
const countLink = ({ article }: ArticleRecord, count: number, state: string): Span =>
  count === 0
    ? '0'
    : { text: digits(count), link: { find: `${searchFor('article', article).find} is:${state}` } }

export function lineNote({ articles }: Summary): Block[] {
  if (articles === undefined || articles.line.wrong === null) return []
  const { causes, line } = articles
  if (CAUSES.every((cause) => causes[cause] === 0)) return []
  const by = { grounded: 'grounded questions', shipped: 'shipped questions' }[line.by]
  return [
    noteOf(
      'muted',
      `How sure causes are: tried on ${digits(line.tried)} ${by}, ${percent(line.decided)} got one, and ` +
        `${percent(line.wrong)} of those a wrong one. Holes within an article are not counted.`,
    ),
  ]
}

export function editBlocks(edits: ArticleEdits | undefined): Block[] {
  if (edits === undefined) return []
  const byFact = ({ fact, title, questions }: FactOfArticle): Item => ({
    text: [{ untrusted: fact }, ' · ', { untrusted: title }],
    count: questions.length,
    details: questions.map(questionOf),
    tone: 'warn',
  })
  const articles = [
    ...edits.edited.map(({ title, answers }) => {
      const what = answers === 0 ? 'changed no answer' : `changed ${plural(answers ?? 0, 'answer')}`
      return [title, answers === null ? 'no question is about it' : what]
    }),
    ...edits.added.map((title) => [title, 'added']),
    ...edits.removed.map((title) => [title, 'removed']),
  ]
  return [
    listOf('Answers that still say what the edited article does not', edits.stale.map(byFact)),
    listOf('Changed facts by article', edits.facts.map(byFact)),
    listOf(
      'Edited articles',
      articles.map(([title = '', what = '']) => ({ text: { untrusted: title }, details: [what] })),
    ),
  ]
}

export function matchBlocks(match: ArticleMatch | undefined): Block[] {
  if (match === undefined) return []
  const { counts, without, unreached } = match
  const none = counts['no-article']
  const all = none + counts['not-used'] + counts.unclear
  const found = `${digits(none)} of ${digits(all)}; ${digits(counts.unclear)} unclear`
  return [
    listOf(
      'Questions that no article seems to answer',
      without.map(({ message, nearest }): Item => ({
        text: { untrusted: message },
        details: nearest === null ? [] : [['nearest: ', { untrusted: sectionName(nearest) }]],
        tone: 'warn',
      })),
      { count: found },
    ),
    ...(without.length > 0 || counts.unclear === 0
      ? []
      : [
          noteOf(
            'muted',
            `Whether an article answers: unclear for ${digits(counts.unclear)} of ` +
              `${plural(all, 'question')}.`,
          ),
        ]),
    listOf(
      'Articles no question reaches',
      unreached.map(({ title }): Item => ({ text: { untrusted: title } })),
    ),
  ]
}

const UNREACHED = 'not-reached'

export function articlesSection(summary: Summary, { articles: records }: SummaryDetails): Section[] {
  const { articles, coverage } = summary
  if (articles === undefined || records === null) return []
  return [
    sectionOf(
      'articles',
      figuresOf(
        { label: 'Articles read', value: digits(articles.read) },
        {
          label: 'Not reached by this set',
          value: digits(articles.unreached),
          note: 'no question answered from it or near it',
          ...(articles.unreached > 0 && { link: { section: 'articles', part: UNREACHED } as const }),
        },
        {
          label: 'Grounded answers with a likely source',
          value: digits(articles.sources),
          of: `of ${digits(coverage.grounded)}`,
        },
        ...unsupportedFigures(summary),
      ),
      ...lineNote(summary),
      contradictionList(summary, 10, 'contradictions'),
      tableOf(
        'Articles',
        ['Article', 'Questions answered', 'Gaps nearest', 'Unsupported facts'],
        records
          .toSorted((a, b) => b.gaps - a.gaps || b.answered - a.answered)
          .map((record) => [
            record.url === null
              ? articleLink(record)
              : [articleLink(record), ' ', { text: 'open', link: { url: record.url } }],
            countLink(record, record.answered, 'grounded'),
            countLink(record, record.gaps, 'gap'),
            countLink(record, record.unsupported, 'unsupported'),
          ]),
        { total: records.length },
      ),
      listOf(
        'Not reached by this set',
        records
          .filter(({ answered, gaps }) => answered + gaps === 0)
          .map((record): Item => ({ text: articleLink(record) })),
        { id: UNREACHED, isMinor: true },
      ),
    ),
  ]
}
