// Links into the page's list of conversations, and texts from elsewhere that lead there.
import type { ChangeListName } from '../../../domain/changes.ts'
import { shorten, visible } from '../../visible.ts'
import { html, type SafeHtml } from '../html.ts'

/** Of a question in a list. */
const LONGEST = 240

/** Lists that the page can filter by. */
export type ListName = ChangeListName | 'edited' | 'removed' | 'failed' | 'gap' | 'error' | 'review'

/** A lone surrogate has no place in an address. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

export const outcomeAddress = (outcome: string): string => `#filter=outcome:${encode(outcome)}`

export const listAddress = (list: ListName): string => `#filter=list:${list}`

export const filterLink = (key: 'tag' | 'source' | 'outcome', value: string, words: string): SafeHtml =>
  html`<a href="#filter=${key}:${encode(value)}"><bdi>${words}</bdi></a>`

/** The question as the link; its id where it has no words. */
export const questionLink = (id: string, message: string): SafeHtml =>
  html`<a href="#q=${encode(id)}" dir="auto">${shorten(message.trim() === '' ? id : message, LONGEST)}</a>`

export const questionId = (id: string): SafeHtml => html`<code dir="auto">${shorten(id, 80)}</code>`

/** A sentence on answers without their conversation, with the way to them. */
export const contextLostLine = (text: string): SafeHtml =>
  html`<p><a href="${listAddress('contextLost')}">${text}</a></p>`

/** The question as a link, and its id where that is not the link's own text. */
export const namedQuestion = (id: string, message: string): SafeHtml =>
  html`${questionLink(id, message)} ${message.trim() === '' ? '' : questionId(id)}`

/** A sentence of ours that quotes a text from elsewhere: what would turn its direction is made visible. */
export const sentence = (text: string, most = 600): string => shorten(visible(text), most)
