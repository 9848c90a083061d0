// How the two runs differ beside their answers: questions that only one has, and settings.
import type { CandidateComparison } from '../../../domain/comparison/comparison.ts'
import { setLists, type SetList } from '../../comparison-lists.ts'
import { digits } from '../../../domain/text.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { questionId, questionLink, sentence } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 3
const MOST_SETTINGS = 50

/** `inRun`: whether the page is that of a run, which does not hold what it was not asked. */
export function setSection(candidate: CandidateComparison, inRun: boolean): SafeHtml | undefined {
  const lists = setLists(candidate)
  return lists.length === 0 ? undefined : html`${lists.map((list) => setList(list, inRun))}`
}

function setList({ key, title, count, questions }: SetList, inRun: boolean): SafeHtml {
  const isHere = key !== 'removed' || !inRun
  return html`<h4>${title} (${digits(count)})</h4>
    ${foldedList({
      items: questions.slice(0, MOST_ITEMS).map(
        ({ id, message, before }) =>
          html`${isHere ? questionLink(id, message) : html`<span dir="auto">${shorten(message, 240)}</span>`}
          ${questionId(id)}${
            before === undefined
              ? ''
              : html`<ul class="under">
                  <li dir="auto">${WORDS.changes.was(shorten(before, 240))}</li>
                </ul>`
          }`,
      ),
      count,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: key === 'added' || !isHere ? { file: 'comparison.json' } : { list: key },
    })}`
}

export function settingTable({ settings }: CandidateComparison): SafeHtml | undefined {
  if (settings.length === 0) return undefined
  const rows = settings
    .slice(0, MOST_SETTINGS)
    .map(({ setting, baseline, candidate, meaning }) =>
      [setting, baseline, candidate, meaning].map((text) => sentence(text, 300)),
    )
  const left = settings.length - MOST_SETTINGS
  return html`${table({ caption: WORDS.settings.caption, rows: [WORDS.settings.header, ...rows], words: [1, 2, 3], isCaptionHidden: true })}${
    left > 0 ? paragraph(WORDS.more(left, WORDS.inFile('comparison.json'))) : ''
  }`
}
