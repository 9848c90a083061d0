// Tells whether an article is published, by the columns of an export or by the front matter of a file.
import { columnKey } from '../dataset/columns.ts'
import { excerpt } from '../dataset/messages.ts'

/** Both are missing for an article that is published, or that says nothing of it. */
export interface Publication {
  /** Readers do not see the article: this says so. */
  readonly unpublished?: string
  /** Nobody knows what this status means. */
  readonly unknown?: string
}

/** Compares names in any case and spelling, without accents. */
const plain = (text: string): string => columnKey(text).normalize('NFD').replaceAll(/\p{M}/gu, '')
const list = (names: string): string[] => names.split(',').map(plain)

const STATUS = new Set(
  list(
    `status,state,article status,article state,publication status,publication state,publish status,
    publish state,publishing status,published status,workflow,workflow state,workflow status,lifecycle,
    lifecycle state,lifecycle status,visibility,page status,post status,content status,kb status,
    knowledge status,Artikelstatus,Veröffentlichungsstatus,Publikationsstatus,Bearbeitungsstatus,
    Sichtbarkeit,Zustand,Freigabestatus,Dokumentstatus,publication,document status,record status,
    lifecycle stage,stage,statut,état,état de publication,visibilité,estado,estado de publicación,
    visibilidad`,
  ),
)
/** As names of columns these say it by yes or no, or by a date: `archived`, `is_published`, `deleted_at`. */
const PUBLISHED_FLAGS = list(
  `published,publish,active,enabled,visible,live,online,veröffentlicht,publiziert,aktiv,aktiviert,
  sichtbar,freigegeben,publié,actif,visible,publicado,activo`,
)
const UNPUBLISHED_FLAGS = list(
  `draft,archived,unpublished,hidden,deleted,trashed,removed,disabled,inactive,obsolete,outdated,expired,
  retired,deprecated,Entwurf,archiviert,unveröffentlicht,gelöscht,versteckt,verborgen,ausgeblendet,
  inaktiv,deaktiviert,veraltet,abgelaufen,brouillon,archivé,dépublié,supprimé,masqué,inactif,obsolète,
  borrador,archivado,eliminado,oculto,inactivo`,
)
const PUBLISHED = [
  ...PUBLISHED_FLAGS,
  ...list(
    `public,current,approved,released,final,available,valid,pending retirement,published or scheduled,
    öffentlich,gültig,aktuell,verfügbar,publiée,en ligne,publicada,vigente`,
  ),
]
const UNPUBLISHED = [
  ...UNPUBLISHED_FLAGS,
  ...list(
    `not published,nicht veröffentlicht,non publié,no publicado,drafts,auto draft,archive,trash,bin,
    historical,rejected,declined,pending,review,in review,under review,for review,to review,
    pending review,pending approval,awaiting review,awaiting approval,in approval,in progress,
    work in progress,wip,in revision,withdrawn,superseded,suspended,scheduled,future,offline,spam,
    in Bearbeitung,in Prüfung,in Arbeit,zur Prüfung,zur Freigabe,zurückgezogen,ungültig,geplant,
    Papierkorb,archivée,en révision,corbeille,archivada,en revisión,caducado,papelera`,
  ),
]
const STATUSES = new Map([
  ...PUBLISHED.map((word) => [word, true] as const),
  ...UNPUBLISHED.map((word) => [word, false] as const),
])
const FLAGS = new Map([
  ...PUBLISHED_FLAGS.map((word) => [word, true] as const),
  ...UNPUBLISHED_FLAGS.map((word) => [word, false] as const),
])

const NOT = /(?<!\p{L})(?:not|never|nicht|non|no)(?!\p{L})/iu

/** Undefined for a status that nobody knows, or that says both. */
function isPublished(status: string): boolean | undefined {
  const known = STATUSES.get(plain(status))
  if (known !== undefined) return known
  const words = status.split(/[^\p{L}\p{M}]+/u).flatMap((word) => STATUSES.get(plain(word)) ?? [])
  const [first] = words
  if (words.some((word) => word !== first)) return undefined
  return first === true && NOT.test(status) ? false : first
}

/** Tells what the column's "yes" means; undefined for other columns. */
function flagOf(name: string): boolean | undefined {
  const [, word = ''] =
    /^(?:(?:article|artikel|page|post)[\s_-]*)?(?:(?:is|ist|est)[\s_-]*)?(.+)$/i.exec(name) ?? []
  const [, dated = ''] = /^(.+?)[\s_-]*(?:at|on|date|am|le)$/i.exec(word) ?? []
  // A date of publication may be missing for many reasons.
  return (
    FLAGS.get(plain(name)) ??
    FLAGS.get(plain(word)) ??
    (FLAGS.get(plain(dated)) === false ? false : undefined)
  )
}

export const saysPublication = (name: string): boolean =>
  STATUS.has(plain(name)) || flagOf(name) !== undefined

const YES = /^(?:true|yes|y|1|x|ja|j|wahr|oui|vrai|s[ií]|verdadero)$/i
const NO = /^(?:false|no|n|0|nein|falsch|non|faux|falso|none|null|-)$/i
const DATE = /^\d{4}-\d\d?-\d\d?|^\d{1,2}[./]\d{1,2}[./]\d{2,4}|^\d{10,13}$/

/** Reads all columns that say it: one that says "not published" decides. */
export function publicationOf(fields: readonly (readonly [name: string, value: string])[]): Publication {
  let unknown: string | undefined
  for (const [name, written] of fields) {
    const [value, flag] = [written.trim(), flagOf(name)]
    const isStatus = STATUS.has(plain(name))
    if (value === '' || (flag === undefined && !isStatus)) continue
    const isSet = YES.test(value) || (flag === false && DATE.test(value))
    if (flag !== undefined && (isSet || NO.test(value))) {
      if (isSet !== flag) return { unpublished: excerpt(isSet ? name : `${name}: ${value}`) }
      continue
    }
    const published = isPublished(value)
    if (published === false) return { unpublished: excerpt(value) }
    if (published === undefined && isStatus) unknown ??= value
  }
  return unknown === undefined ? {} : { unknown }
}
